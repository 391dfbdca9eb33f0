import { batchPerTurn } from "#lib/db/connection/batch.ts";
import type { Database } from "#lib/db/connection/client.ts";
import { boolean, int, nullable, oneOf, text, timestamp } from "#lib/db/connection/columns.ts";
import { findRow, type RowOf, statement } from "#lib/db/connection/statement.ts";
import { operationBatches } from "#lib/db/operation/batches.ts";
import type { ProviderRequest } from "#lib/domain/provider-request.ts";

const decision = { accepted: boolean, message: text };

/**
 * Decides requests once per idempotency key and updates the books in one statement. Commits asynchronously, because
 * another company's service would not wait for our disk: a crash of the database can lose a decision of the last half
 * second, which reconciliation then reports.
 */
const decideRequests = statement("sandbox_decide_request", { place: int, ...decision })`
    select place, accepted, message
      from (select set_config('synchronous_commit', 'off', true)) unsynced, decide_sandbox_requests($1::jsonb, $2)`;

interface Undecided {
  readonly request: ProviderRequest;
  readonly rejection: string | null;
}

async function decideAll(
  db: Pick<Database, "query">,
  provider: string,
  questions: readonly Undecided[],
): Promise<(RowOf<typeof decision> | null)[]> {
  const requests = questions.map(({ request, rejection }, place) => ({ ...request, place, rejection }));
  const rows = await db.query(decideRequests, [JSON.stringify(requests), provider]);
  const decisions = new Map(rows.map(({ place, ...decided }) => [place, decided]));
  return questions.map((_, place) => decisions.get(place) ?? null);
}

const findDecision = statement("sandbox_look_up", decision)`
      select accepted, message from sandbox_provider_requests where idempotency_key = $1`;

const voidRequest = statement("sandbox_void_request")`
    insert into sandbox_provider_requests (idempotency_key, kind, reference, accepted, message)
    values ($1, $2, $3, false, 'The request came too late.') on conflict (idempotency_key) do nothing returning true`;

const bookRow = {
  reference: text,
  product: text,
  ipAddress: text,
  cores: nullable(int),
  state: oneOf(["active", "suspended", "terminated"]),
  expiresAt: timestamp,
};

const listBooks = statement("sandbox_book_page", bookRow)`
      select reference, product, ip_address as "ipAddress", cores, state, expires_at as "expiresAt"
           from sandbox_provider_licenses where provider = $3 and reference > $1 order by reference limit $2`;

type Named = Pick<ProviderRequest, "idempotencyKey" | "action" | "reference">;

/**
 * The tables of a simulated provider. It stands for another company's service, so this is all that it can access.
 * @param provider whose books: `sandbox`, or the provider of test mode
 */
export function openSandboxBooks(db: Pick<Database, "query">, provider = "sandbox") {
  const decide = batchPerTurn(
    (questions: readonly Undecided[]) => decideAll(db, provider, questions),
    operationBatches,
  );
  return {
    /** Null: another statement is deciding the request. */
    decide: (request: ProviderRequest, rejection: string | null) => decide({ request, rejection }),
    find: ({ idempotencyKey }: Named): Promise<RowOf<typeof decision> | null> =>
      findRow(db, findDecision, [idempotencyKey]),
    /** Rejects a request that has not arrived, for good. False: it has arrived. */
    voidUnseen: async ({ idempotencyKey, action, reference }: Named): Promise<boolean> =>
      (await db.query(voidRequest, [idempotencyKey, action, reference])).length > 0,
    list: (page: { readonly after: string; readonly limit: number }): Promise<RowOf<typeof bookRow>[]> =>
      db.query(listBooks, [page.after, page.limit, provider]),
  };
}
