import { int, text } from "#lib/db/connection/columns.ts";
import { defineList } from "#lib/db/connection/define.ts";
import { getRow, type RowOf, statement } from "#lib/db/connection/statement.ts";
/** A provider's books, stored in a table during a comparison because they may not fit into memory. */

import type { Database } from "#lib/db/connection/client.ts";
import { type ComparedFact, comparedFacts } from "#lib/domain/reconciliation.ts";
import type { Comparison } from "./comparison.ts";
import { isReported } from "./facts.ts";

/** An entry of a provider's books; null: not reported. */
export interface BookEntryRow {
  /** Our reference; without one, the provider's own name. */
  readonly reference: string;
  readonly provider_reference: string | null;
  readonly product: string | null;
  readonly ip_address: string | null;
  readonly cores: number | null;
  /** Whether `cores` was reported, even as null. */
  readonly cores_known: boolean;
  readonly state: string | null;
  /** UTC timestamp. */
  readonly expires_at: string | null;
  readonly expires_on: string | null;
  /** The license's own record, not read yet, may have our reference. */
  readonly unread: boolean;
}

/** What a license's own record at the provider adds to an entry. */
export interface BookDetailRow
  extends Omit<BookEntryRow, "provider_reference" | "product" | "expires_on" | "cores_known" | "unread"> {
  /** Our reference in the record, if any. */
  readonly own_reference: string | null;
}

const wantedDetail = { reference: text, name: text };
/** The provider's own name of a license whose record is wanted. */
export type WantedDetail = RowOf<typeof wantedDetail>;

const keepBookPageStatement = statement("keep_book_page")`
      with mine as (
        select c.id from provider_comparisons c where c.id = $1 and c.lease_token = $3 and c.finished_at is null for update
      ), kept as (
        insert into compared_book_entries (comparison_id, reference, provider_reference, product, ip_address, cores, cores_known, state, expires_at, expires_on, unread)
        select mine.id, e.reference, e.provider_reference, e.product, e.ip_address, e.cores, e.cores_known, e.state, e.expires_at, e.expires_on, e.unread
          from mine, jsonb_populate_recordset(null::compared_book_entries, $2::jsonb) e
        on conflict do nothing returning 1
      )
      update provider_comparisons c set held_count = held_count + (select count(*) from kept)
        from mine where c.id = mine.id returning c.id`;

/**
 * Stores a page of the books. A reference reported twice counts once.
 * @throws Error if another process has ended the comparison
 */
export async function storeBookPage(
  db: Database,
  { id, lease }: Comparison,
  entries: readonly BookEntryRow[],
): Promise<void> {
  const rows = await db.query(keepBookPageStatement, [id, JSON.stringify(entries), lease.token]);
  requireLease(rows);
}

const keepBookDetailsStatement = statement("keep_book_details")`
      with mine as (
        select c.id from provider_comparisons c where c.id = $1 and c.lease_token = $3 and c.finished_at is null for update
      ), details as (
        select d.*, row_number() over (partition by d.own_reference order by d.reference) as claim
          from jsonb_to_recordset($2::jsonb) as d (
                 reference text, own_reference text, ip_address text, cores int, state text, expires_at timestamptz)
      ), kept as (
        update compared_book_entries e set
            reference = case when d.own_reference is not null and d.claim = 1 and e.reference = 'provider:' || e.provider_reference
                              and not exists (select from compared_book_entries o where o.comparison_id = $1 and o.reference = d.own_reference)
                             then d.own_reference else e.reference end,
            ip_address = d.ip_address, cores = d.cores, cores_known = true, state = d.state, expires_at = d.expires_at, unread = false
          from details d, mine
         where e.comparison_id = mine.id and e.reference = d.reference
      )
      select id from mine`;

/**
 * Completes entries from the licenses' own records. Stores our reference from a record, unless another entry has it.
 * @throws Error if another process has ended the comparison
 */
export async function storeBookDetails(
  db: Database,
  { id, lease }: Comparison,
  details: readonly BookDetailRow[],
): Promise<void> {
  const rows = await db.query(keepBookDetailsStatement, [id, JSON.stringify(details), lease.token]);
  requireLease(rows);
}

function requireLease(rows: readonly unknown[]): void {
  if (rows.length === 0) throw new Error("another process has ended the comparison");
}

const unreported = comparedFacts.map((fact) => `not (${isReported[fact]})`).join(" or ");

/**
 * Entries whose records are wanted, the most informative first: unknown ones, those with a hidden address, those of an
 * open case, then a random choice.
 */
export const listWantedDetails = defineList("list_wanted_details", wantedDetail).values(
  ({ id, provider }: Comparison, limit: number | null) => [id, provider, limit],
)`
      select e.reference, e.provider_reference as name from compared_book_entries e
       where e.comparison_id = $1 and e.provider_reference is not null
         and coalesce(e.state <> 'terminated', true) and (e.reference = 'provider:' || e.provider_reference or ${unreported})
       order by e.reference <> 'provider:' || e.provider_reference, e.ip_address is not null,
                e.reference not in (select c.reference from reconciliation_cases c where c.provider = $2 and c.resolved_at is null),
                hashtextextended(e.reference, $1)
       limit $3`;

const countUnreportedStatement = statement("count_unreported", {
  product: int,
  address: int,
  cores: int,
  state: int,
  term: int,
} satisfies Record<
  ComparedFact,
  unknown
>)`select ${comparedFacts.map((fact) => `count(*) filter (where not (${isReported[fact]}))::int as "${fact}"`).join(", ")}
           from compared_book_entries e where e.comparison_id = $1 and coalesce(e.state <> 'terminated', true)`;

/** Number of licenses whose entry lacks a fact, by fact; without zero counts. */
export async function countUnreported(
  db: Database,
  { id }: Comparison,
): Promise<Readonly<Partial<Record<ComparedFact, number>>>> {
  const counts = await getRow(db, countUnreportedStatement, [id]);
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}
