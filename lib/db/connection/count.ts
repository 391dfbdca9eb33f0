import { COUNTED_AT_MOST } from "#lib/domain/page-total.ts";
import type { Database } from "./client.ts";
import { int } from "./columns.ts";
import { getRow, type Statement, statementOf } from "./statement.ts";

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
