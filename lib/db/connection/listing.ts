import { COUNTED_AT_MOST } from "#lib/domain/paging.ts";
import type { Database } from "./client.ts";
import { int } from "./columns.ts";
import { getRow, type Statement, statementOf } from "./statement.ts";

export interface PageInput<Place> {
  /** The previous page's `next`; null for the first page. */
  readonly before: Place | null;
  readonly limit: number;
}

/** A list with its filters, to be read by pages and counted. */
export interface Listing<Row, Place> {
  readonly list: (page: PageInput<Place>) => Promise<readonly Row[]>;
  /** Up to one more than `COUNTED_AT_MOST`. Null: these filters would read too many rows. */
  readonly count: (() => Promise<number>) | null;
}

/** `select`: the statement of a page, and its values. */
export function listing<Row, Place>(
  db: Database,
  select: (page: PageInput<Place>) => readonly [list: Statement<Row>, values: readonly unknown[]],
) {
  return {
    list: (page: PageInput<Place>) => db.query(...select(page)),
    count: () => countListed(db, ...select(countedPage)),
  } satisfies Listing<Row, Place>;
}

/** A list's first rows: as many as are counted, and one more. */
export const countedPage = { before: null, limit: COUNTED_AT_MOST + 1 } as const;

/**
 * Counts the rows of a list by its own statement, whose columns PostgreSQL then does not compute. Unnamed: planned for
 * the filters of each call. Up to the limit in `values`, that of `countedPage`.
 */
export async function countListed(
  db: Database,
  list: Pick<Statement<unknown>, "text">,
  values: readonly unknown[],
): Promise<number> {
  const counting = statementOf({ count: int })(`select count(*)::int as count from (${list.text}) listed`);
  return (await getRow(db, counting, values)).count;
}
