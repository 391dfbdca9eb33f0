import { defineRun } from "#lib/db/connection/define.ts";

export const storeLedgerCheck = defineRun("store_ledger_check")<[differences: number]>`
      insert into ledger_checks (single, differences, checked_at) values (true, $1, clock_timestamp())
      on conflict (single) do update set differences = excluded.differences, checked_at = excluded.checked_at`;
