import type { ProviderRequest } from "#lib/domain/provider-request.ts";
import type { LicenseProvider, ProviderOutcome } from "#lib/ports/license-provider.ts";
import { dryRunSchema, type ParsedReply } from "./parse-reply.ts";

export interface Write {
  readonly operation: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Amounts have at most three decimals. */
const UNITS = 1000;

/**
 * Sends purchases as dry runs (contract 3.18) and adds up their prices, because each run alone could be paid. Each has the
 * purchase's own idempotency key: a service without dry runs buys, and replays that answer to the purchase.
 */
export function createPreflight(parts: {
  planWrite(request: ProviderRequest, signal: AbortSignal): Promise<Write | ProviderOutcome>;
  send(write: Write, idempotencyKey: string, signal: AbortSignal, maySend: () => boolean): Promise<ParsedReply>;
  conclude(request: ProviderRequest, answer: ParsedReply): Promise<ProviderOutcome>;
  readonly timeoutMs: number;
}): NonNullable<LicenseProvider["check"]> {
  return async (purchases, maySend) => {
    let funds = Number.POSITIVE_INFINITY;
    for (const [index, request] of purchases.entries()) {
      const signal = AbortSignal.timeout(parts.timeoutMs);
      const write = await parts.planWrite(request, signal);
      if ("kind" in write) return write;
      const dryRun = { ...write, fields: { ...write.fields, dry_run: "true" } };
      const answer = await parts.send(dryRun, request.idempotencyKey, signal, maySend);
      if (answer.kind !== "data") return parts.conclude(request, answer);
      const quote = dryRunSchema.safeParse(answer.data).data;
      if (!quote) return { kind: "succeeded" };
      if (index === 0) funds = toUnits(quote.balance_after + quote.price);
      funds -= toUnits(quote.price);
      if (funds < 0) return insufficientBalance;
    }
    return { kind: "succeeded" };
  };
}

const insufficientBalance: ProviderOutcome = {
  kind: "rejected",
  message: "The provider does not accept this from us.",
  accountProblem: "INSUFFICIENT_BALANCE: Our balance there does not pay for all products of a bundle.",
};

function toUnits(amount: number): number {
  return Math.round(amount * UNITS);
}
