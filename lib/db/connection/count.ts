import { COUNTED_AT_MOST } from "#lib/domain/page-total.ts";
import type { Database } from "./client.ts";
import { int } from "./columns.ts";
import { getRow, type Statement, statement } from "./statement.ts";

/** Counts the rows of a list by its own statement, whose columns PostgreSQL then does not compute. */
export function countOf(list: Statement<unknown>) {
  return statement(`count_of_${list.name}`, { count: int })`select count(*)::int as count from (${list.text}) listed`;
}

/** A list's first rows: as many as are counted, and one more. */
export const countedPage = { before: null, limit: COUNTED_AT_MOST + 1 } as const;

export async function countRows(
  db: Database,
  counting: ReturnType<typeof countOf>,
  values: readonly unknown[],
): Promise<number> {
  return (await getRow(db, counting, values)).count;
}
