import type { QueryResultRow } from "pg";
import { type Statement, statementOf } from "#lib/db/connection/statement.ts";

/** A statement of a test, whose rows are not compared with `Row`. */
export function sql<Row = QueryResultRow>(text: string): Statement<Row> {
  return statementOf(undefined)(text) as Statement<unknown> as Statement<Row>;
}
