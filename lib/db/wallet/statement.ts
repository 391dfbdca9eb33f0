import type { Database } from "#lib/db/connection/client.ts";
import { as, bigint, int, nullable, oneOf, text } from "#lib/db/connection/columns.ts";
import { defineList } from "#lib/db/connection/define.ts";
import { type RowOf, statement } from "#lib/db/connection/statement.ts";
import { LedgerEntryKind } from "#lib/db/generated/enums.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import { ledgerEntries, ledgerEntryRow } from "./wallet.ts";

const startRow = {
  resellerName: text,
  /** Name and address of who sells, in lines; empty: not set. */
  issuer: text,
  currency: as<Currency>(text),
  openingBalance: bigint,
  /** First entry of the period. */
  firstEntryId: nullable(bigint),
  /** Last committed entry of the period; null without entries. */
  lastEntryId: nullable(bigint),
  /** Null: the period has no entries. */
  kind: nullable(oneOf(LedgerEntryKind)),
  count: nullable(int),
  amount: nullable(bigint),
};

export interface StatementTotal {
  readonly kind: LedgerEntryKind;
  readonly count: number;
  readonly amount: bigint;
}

/** The opening data of a statement of `[from, to)`, read in one snapshot. Minor units of `currency`. */
export interface StatementStart extends Omit<RowOf<typeof startRow>, keyof StatementTotal> {
  readonly totals: readonly StatementTotal[];
}

const getStatementStartStatement = statement("get_statement_start", startRow)`
      with wallet as (
        select w.currency, w.posted, r.name, coalesce(p.issuer, '') as issuer
          from wallets w join resellers r on r.id = w.reseller_id left join payment_settings p on p.currency = w.currency
         where w.reseller_id = $1
      ), since as (
        select kind, created_at < $3 as inside, count(*)::int as count, sum(amount)::bigint as amount,
               min(id) as first_id, max(id) as last_id
          from ledger_entries where reseller_id = $1 and created_at >= $2
         group by kind, inside
      )
      select w.name as "resellerName", w.issuer, w.currency,
             (w.posted - (select coalesce(sum(amount), 0) from since))::bigint as "openingBalance",
             (select min(first_id) from since where inside) as "firstEntryId",
             (select max(last_id) from since where inside) as "lastEntryId",
             s.kind, s.count, s.amount
        from wallet w left join since s on s.inside order by s.kind`;

/**
 * Derives the opening balance from the current one, so newer periods read less.
 * @throws DomainError `not_found`: no such reseller.
 */
export async function getStatementStart(
  db: Database,
  resellerId: ResellerId,
  period: { readonly from: Date; readonly to: Date },
): Promise<StatementStart> {
  const rows = await db.query(getStatementStartStatement, [resellerId, period.from, period.to]);
  const [row] = rows;
  if (!row) throw new DomainError("not_found", "There is no such reseller.");
  const { resellerName, issuer, currency, openingBalance, firstEntryId, lastEntryId } = row;
  const totals = rows.flatMap(({ kind, count, amount }) =>
    kind === null || count === null || amount === null ? [] : [{ kind, count, amount }],
  );
  return { resellerName, issuer, currency, openingBalance, firstEntryId, lastEntryId, totals };
}

/** The entries from `fromId` to `toId`, both included, in order. */
export const listStatementEntries = defineList("list_statement_entries", ledgerEntryRow).values(
  (
    resellerId: ResellerId,
    page: {
      readonly from: Date;
      readonly to: Date;
      readonly fromId: bigint;
      readonly toId: bigint;
      readonly limit: number;
    },
  ) => [resellerId, page.fromId, page.toId, page.from, page.to, page.limit],
)`
      select ${ledgerEntries.columns}
        from ${ledgerEntries.tables}
       where e.reseller_id = $1 and e.id between $2 and $3 and e.created_at >= $4 and e.created_at < $5
       order by e.id limit $6`;
