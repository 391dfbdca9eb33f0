import { setTimeout as sleep } from "node:timers/promises";
import type { ProviderRequest } from "#lib/domain/provider-request.ts";
import { toTimestamp } from "#lib/domain/times.ts";
import type {
  LicenseProvider,
  ProviderBookEntry,
  ProviderLookUp,
  ProviderOutcome,
} from "#lib/ports/license-provider.ts";

/** Runs one statement against the provider's own tables; nothing else of ours is within its reach. */
export type BooksQuery = (statement: {
  name: string;
  text: string;
  values: readonly unknown[];
}) => Promise<Record<string, unknown>[]>;

/** What an address of the documentation range rehearses (contract 5); any other address succeeds. */
type Rehearsal =
  | "succeed"
  | "reject"
  | "lose_answer"
  | "lose_request"
  | "slow"
  | "garble"
  | "reject_last_member"
  | "refuse_connection";

export const rehearsals: Readonly<Record<string, Rehearsal>> = {
  "192.0.2.10": "reject",
  "192.0.2.20": "lose_answer",
  "192.0.2.21": "lose_request",
  "192.0.2.30": "slow",
  "192.0.2.40": "garble",
  "192.0.2.50": "reject_last_member",
  "192.0.2.60": "refuse_connection",
};

const SLOW_ANSWER_MS = 3_000;
const BOOK_PAGE_SIZE = 1_000;

/**
 * Decides a request once, under its idempotency key, and keeps the books: one statement, so never half done. Nobody waits
 * for it to be on the disk: its books lie in our database, whose log is in order, so whatever follows from a decision is
 * lost with it or kept with it.
 */
const decideRequest = `
  with request as (
    insert into sandbox_provider_requests (idempotency_key, kind, reference, accepted, message)
    values ($1, $2, $3, $8, $9) on conflict (idempotency_key) do nothing returning accepted
  ), books as (
    insert into sandbox_provider_licenses (reference, product, ip_address, cores, expires_at, state)
    select $3, $4, $5, $6, $7, case $2 when 'suspend' then 'suspended' when 'terminate' then 'terminated' else 'active' end
      from request where accepted
    on conflict (reference) do update set
      product = excluded.product, ip_address = excluded.ip_address, cores = excluded.cores, expires_at = excluded.expires_at,
      state = case when $2 in ('suspend', 'unsuspend', 'terminate', 'provision') then excluded.state
                   else sandbox_provider_licenses.state end
  )
  select accepted, message, set_config('synchronous_commit', 'off', true)
    from (select accepted, message from sandbox_provider_requests where idempotency_key = $1
          union all select accepted, $9 from request limit 1) decision`;

/** Decides a request that never arrived: what is sent under its key later on is refused. No row: it has arrived. */
const voidRequest = `
  insert into sandbox_provider_requests (idempotency_key, kind, reference, accepted, message)
  values ($1, $2, $3, false, 'The request came too late.') on conflict (idempotency_key) do nothing returning true`;

/** The default provider: always at hand, and able to fail on demand. It stands for another company's service. */
export function createSandboxProvider(options: {
  readonly query: BooksQuery;
  readonly timeoutMs: number;
}): LicenseProvider {
  const { query, timeoutMs } = options;

  async function decide(request: ProviderRequest, rejection: string | null): Promise<ProviderOutcome> {
    const [decision] = await query({
      name: "sandbox_decide_request",
      text: decideRequest,
      values: [
        request.idempotencyKey,
        request.action,
        request.reference,
        request.product,
        request.ipAddress,
        request.cores,
        request.expiresAt,
        rejection === null,
        rejection ?? "",
      ],
    });
    // Decided by another statement at this very moment.
    if (!decision) return { kind: "unknown", message: "The provider is still at it." };
    return decision.accepted ? { kind: "succeeded" } : { kind: "rejected", message: String(decision.message) };
  }

  async function loseAnswer(): Promise<ProviderOutcome> {
    await sleep(timeoutMs);
    return { kind: "unknown", message: "The provider did not answer in time." };
  }

  async function rehearse(request: ProviderRequest): Promise<ProviderOutcome> {
    const rehearsal = rehearsals[request.ipAddress] ?? "succeed";
    switch (rehearsal) {
      case "succeed":
        return decide(request, null);
      case "reject":
        return decide(request, "The provider refused this address.");
      case "reject_last_member": {
        const { position, size } = request.bundle ?? { position: 0, size: 0 };
        return decide(request, position + 1 === size ? "The provider refused the bundle's last member." : null);
      }
      case "lose_answer":
        await decide(request, null);
        return loseAnswer();
      case "lose_request":
        return loseAnswer();
      case "slow":
        if (SLOW_ANSWER_MS >= timeoutMs) return decide(request, null).then(loseAnswer);
        await sleep(SLOW_ANSWER_MS);
        return decide(request, null);
      case "garble":
        await decide(request, null);
        return { kind: "unknown", message: "The provider's answer could not be read." };
      case "refuse_connection":
        return { kind: "not_sent", message: "The provider refused the connection." };
      default:
        return rehearsal satisfies never;
    }
  }

  return {
    name: "sandbox",
    traits: { terms: "asked", endsBySuspending: false },

    async execute(request, maySend) {
      if (!maySend()) return { kind: "withheld" };
      try {
        return await rehearse(request);
      } catch (error) {
        return { kind: "unknown", message: error instanceof Error ? error.message : "The provider failed." };
      }
    },

    async lookUp(
      { idempotencyKey, action, reference },
      { voidIfUnseen } = { voidIfUnseen: false },
    ): Promise<ProviderLookUp> {
      try {
        const [row] = await query({
          name: "sandbox_look_up",
          text: "select accepted, message from sandbox_provider_requests where idempotency_key = $1",
          values: [idempotencyKey],
        });
        if (!row && voidIfUnseen) {
          const voided = await query({
            name: "sandbox_void_request",
            text: voidRequest,
            values: [idempotencyKey, action, reference],
          });
          if (voided.length > 0) return { kind: "not_found", isVoid: true };
          return { kind: "unreachable", message: "The provider has just received it." };
        }
        if (!row) return { kind: "not_found", isVoid: false };
        return row.accepted ? { kind: "succeeded" } : { kind: "rejected", message: String(row.message) };
      } catch (error) {
        return { kind: "unreachable", message: error instanceof Error ? error.message : "The provider failed." };
      }
    },

    async *bookPages() {
      for (let after = ""; ; ) {
        const page = (await query({
          name: "sandbox_book_page",
          text: `select reference, product, ip_address, cores, state, expires_at
                   from sandbox_provider_licenses where reference > $1 order by reference limit $2`,
          values: [after, BOOK_PAGE_SIZE],
        })) as unknown as BookRow[];
        if (page.length > 0) yield page.map(toEntry);
        if (page.length < BOOK_PAGE_SIZE) return;
        after = page.at(-1)?.reference ?? "";
      }
    },
  };
}

interface BookRow {
  readonly reference: string;
  readonly product: string;
  readonly ip_address: string;
  readonly cores: number | null;
  readonly state: "active" | "suspended" | "terminated";
  readonly expires_at: Date;
}

function toEntry({ reference, product, ip_address, cores, state, expires_at }: BookRow): ProviderBookEntry {
  const term = { expiresAt: toTimestamp(expires_at) };
  return { reference, facts: { product, address: ip_address, cores, state, term } };
}
