import type { ResellerId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import type { Database } from "./client.ts";
import type { LedgerEntryRow } from "./wallet.ts";

/** What a statement of `[from, to)` begins with, read in one snapshot. Minor units of `currency`. */
export interface StatementStart {
  readonly walletId: number;
  readonly currency: Currency;
  readonly openingBalance: bigint;
  /** The entries of the period are from here… */
  readonly firstEntryId: bigint | null;
  /** …to here, as far as they are committed now; null: there are none. */
  readonly lastEntryId: bigint | null;
}

export async function getStatementStart(
  db: Database,
  resellerId: ResellerId,
  period: { readonly from: Date; readonly to: Date },
): Promise<StatementStart> {
  const [row] = await db.query<StatementStart>({
    name: "get_statement_start",
    text: `
      select w.id as "walletId", w.currency,
             coalesce(sum(e.amount) filter (where e.created_at < $2), 0)::bigint as "openingBalance",
             min(e.id) filter (where e.created_at >= $2) as "firstEntryId",
             max(e.id) filter (where e.created_at >= $2) as "lastEntryId"
        from wallets w left join ledger_entries e on e.wallet_id = w.id and e.created_at < $3
       where w.reseller_id = $1 group by w.id`,
    values: [resellerId, period.from, period.to],
  });
  if (!row) throw new Error(`reseller ${resellerId} has no wallet`);
  return row;
}

/** The entries of a period from `fromId` to `toId`, both included, in the order in which they were posted. */
export async function listStatementEntries(
  db: Database,
  walletId: number,
  page: {
    readonly from: Date;
    readonly to: Date;
    readonly fromId: bigint;
    readonly toId: bigint;
    readonly limit: number;
  },
): Promise<LedgerEntryRow[]> {
  return db.query<LedgerEntryRow>({
    name: "list_statement_entries",
    text: `
      select e.id, e.kind, e.counter_account as "counterAccount", e.amount, e.posted_after as "postedAfter",
             e.operation_id as "operationId", o.kind as "operationKind", o.license_id as "licenseId",
             o.bundle_instance_id as "bundleInstanceId", e.reference, e.method, e.note, e.created_at as "createdAt"
        from ledger_entries e left join operations o on o.id = e.operation_id
       where e.wallet_id = $1 and e.id between $2 and $3 and e.created_at >= $4 and e.created_at < $5
       order by e.id limit $6`,
    values: [walletId, page.fromId, page.toId, page.from, page.to, page.limit],
  });
}
