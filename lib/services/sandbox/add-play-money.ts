import { randomUUID } from "node:crypto";
import { postLedgerEntry } from "#lib/db/wallet/wallet.ts";
import { invalidParameters } from "#lib/domain/errors.ts";
import { minorDigits, toMajorNumber } from "#lib/domain/money.ts";
import { actorName, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { readAmount } from "#lib/services/wallet/amount.ts";
import { requireSandbox } from "./open.ts";

/** In major units. */
const MAX_AMOUNT = 1_000_000n;

/**
 * Adds play money to the sandbox's wallet, with the event of a top-up.
 * @param input decimal text in major units, at most 1,000,000
 * @throws DomainError `state_invalid` in live mode; `parameters_invalid`
 */
export async function addPlayMoney(ctx: ServiceContext, input: { readonly amount: string }): Promise<void> {
  const { sandboxId, currency } = await requireSandbox(ctx);
  const amount = readAmount(input.amount, currency, "positive");
  if (amount > MAX_AMOUNT * 10n ** BigInt(minorDigits(currency))) {
    throw invalidParameters([{ field: "amount", kind: "out_of_range", message: "must be at most 1,000,000" }]);
  }
  const entry = {
    resellerId: sandboxId,
    kind: "top_up",
    counterAccount: "top_ups",
    amount,
    reference: null,
    method: null,
    note: "Play money",
    actor: actorName(ctx),
    event: { id: randomUUID(), kind: "wallet.topped_up", data: { amount: toMajorNumber(amount, currency), currency } },
  } as const;
  await postLedgerEntry(writesOf(ctx), entry, ctx.now());
}
