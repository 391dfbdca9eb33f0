import { setTimeout as sleep } from "node:timers/promises";
import { isDomainError } from "#lib/domain/errors.ts";
import type { ProviderRequest } from "#lib/domain/provider-request.ts";
import type { Simulation } from "#lib/domain/simulation.ts";
import { toTimestamp } from "#lib/domain/times.ts";
import type {
  LicenseProvider,
  ProviderBookEntry,
  ProviderLookUp,
  ProviderOutcome,
} from "#lib/ports/license-provider.ts";

interface Decision {
  readonly accepted: boolean;
  readonly message: string;
}
type NamedRequest = Pick<ProviderRequest, "idempotencyKey" | "action" | "reference">;

/** The provider's own tables (`openSandboxBooks`). */
interface SandboxBooks {
  decide(request: ProviderRequest, rejection: string | null): Promise<Decision | null>;
  find(request: NamedRequest): Promise<Decision | null>;
  voidUnseen(request: NamedRequest): Promise<boolean>;
  list(page: { readonly after: string; readonly limit: number }): Promise<readonly BookRow[]>;
}

interface BookRow {
  readonly reference: string;
  readonly product: string;
  readonly ipAddress: string;
  readonly cores: number | null;
  readonly state: "active" | "suspended" | "terminated";
  readonly expiresAt: Date;
}

/** What an address of the documentation range simulates (contract 5); any other succeeds. */
export const simulations: Readonly<Record<string, Simulation>> = {
  "192.0.2.10": "reject",
  "192.0.2.20": "lose_answer",
  "192.0.2.21": "lose_request",
  "192.0.2.30": "slow",
  "192.0.2.40": "garble",
  "192.0.2.50": "reject_last_member",
  "192.0.2.60": "refuse_connection",
};

const SLOW_RESPONSE_MS = 3_000;
const REPEAT_AFTER_MS = 100;
const BOOK_PAGE_SIZE = 1_000;

/**
 * A provider that is built in and able to fail on demand. Simulates an external service.
 * @param rehearse the outcome that was asked for a request beforehand, if any; it precedes that of the address
 */
export function createSandboxProvider(options: {
  readonly name?: string;
  readonly books: SandboxBooks;
  readonly timeoutMs: number;
  readonly rehearse?: (request: NamedRequest) => Promise<Simulation | null>;
}): LicenseProvider {
  const { name = "sandbox", books, timeoutMs, rehearse } = options;

  /**
   * Another company's service has a database of its own, so an outage of ours delays its answer. Repeating is safe: a
   * request that has been decided, or voided meanwhile, keeps its decision.
   */
  async function throughOutage<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    for (const giveUpAtMs = performance.now() + timeoutMs; ; await sleep(REPEAT_AFTER_MS)) {
      try {
        return await ask();
      } catch (error) {
        const isOutage = isDomainError(error) && error.code === "unavailable";
        if (!isOutage || performance.now() >= giveUpAtMs) throw error;
      }
    }
  }

  async function decide(request: ProviderRequest, rejection: string | null): Promise<ProviderOutcome> {
    const decision = await throughOutage(() => books.decide(request, rejection));
    if (decision === null) return { kind: "unknown", message: "The provider is still processing it." };
    return outcomeOf(decision);
  }

  async function loseResponse(): Promise<ProviderOutcome> {
    await sleep(timeoutMs);
    return { kind: "unknown", message: "The provider did not respond in time." };
  }

  async function simulate(request: ProviderRequest): Promise<ProviderOutcome> {
    const rehearsed = rehearse && (await throughOutage(() => rehearse(request)));
    const simulation = rehearsed ?? simulations[request.ipAddress] ?? "succeed";
    switch (simulation) {
      case "succeed":
        return decide(request, null);
      case "reject":
        return decide(request, "The provider rejected this address.");
      case "reject_last_member": {
        const { position, size } = request.bundle ?? { position: 0, size: 0 };
        return decide(request, position + 1 === size ? "The provider rejected the bundle's last member." : null);
      }
      case "lose_answer":
        await decide(request, null);
        return loseResponse();
      case "lose_request":
        return loseResponse();
      case "slow":
        if (SLOW_RESPONSE_MS >= timeoutMs) return decide(request, null).then(loseResponse);
        await sleep(SLOW_RESPONSE_MS);
        return decide(request, null);
      case "garble":
        await decide(request, null);
        return { kind: "unknown", message: "The provider's response could not be read." };
      case "refuse_connection":
        return { kind: "not_sent", message: "The provider refused the connection." };
      default:
        return simulation satisfies never;
    }
  }

  return {
    name,
    traits: { terms: "asked", endsBySuspending: false },

    async execute(request, maySend) {
      if (!maySend()) return { kind: "withheld" };
      try {
        return await simulate(request);
      } catch (error) {
        return { kind: "unknown", message: error instanceof Error ? error.message : "The provider failed." };
      }
    },

    async lookUp(request, { voidIfUnseen } = { voidIfUnseen: false }): Promise<ProviderLookUp> {
      try {
        const decision = await throughOutage(() => books.find(request));
        if (decision !== null) return outcomeOf(decision);
        if (!voidIfUnseen) return { kind: "not_found", isVoid: false };
        if (await throughOutage(() => books.voidUnseen(request))) return { kind: "not_found", isVoid: true };
        return { kind: "unreachable", message: "The provider has just received it." };
      } catch (error) {
        return { kind: "unreachable", message: error instanceof Error ? error.message : "The provider failed." };
      }
    },

    async *bookPages() {
      for (let after = ""; ; ) {
        const page = await books.list({ after, limit: BOOK_PAGE_SIZE });
        if (page.length > 0) yield page.map(toEntry);
        if (page.length < BOOK_PAGE_SIZE) return;
        after = page.at(-1)?.reference ?? "";
      }
    },
  };
}

function outcomeOf({ accepted, message }: Decision) {
  return accepted ? ({ kind: "succeeded" } as const) : ({ kind: "rejected", message } as const);
}

function toEntry({ reference, product, ipAddress, cores, state, expiresAt }: BookRow): ProviderBookEntry {
  const term = { expiresAt: toTimestamp(expiresAt) };
  return { reference, facts: { product, address: ipAddress, cores, state, term } };
}
