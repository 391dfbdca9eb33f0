import type { Database } from "#lib/db/connection/client.ts";
import { int } from "#lib/db/connection/columns.ts";
import { getRow, statement } from "#lib/db/connection/statement.ts";

const endFalseWaitsStatement = statement("end_false_waits", { ended: int })`select end_false_waits($1) as ended`;

/** `prisma/sql/functions/end_false_waits.sql`. */
export async function endFalseWaitRows(db: Database, now: Date): Promise<number> {
  return (await getRow(db, endFalseWaitsStatement, [now])).ended;
}
