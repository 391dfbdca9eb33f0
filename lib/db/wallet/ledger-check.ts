import type { Database } from "#lib/db/connection/client.ts";
import { statement } from "#lib/db/connection/statement.ts";

const storeLedgerCheckStatement = statement("store_ledger_check")`
      insert into ledger_checks (single, differences, checked_at) values (true, $1, clock_timestamp())
      on conflict (single) do update set differences = excluded.differences, checked_at = excluded.checked_at`;

export async function storeLedgerCheck(db: Database, differences: number): Promise<void> {
  await db.query(storeLedgerCheckStatement, [differences]);
}
