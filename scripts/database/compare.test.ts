import { beforeAll, beforeEach, expect, inject, test } from "vitest";
import { withConnection } from "#lib/db/connection/with-connection.ts";
import { createTestDatabase } from "#tests/database.ts";
import type { TestDatabase } from "#tests/database-copy.ts";
import { type BuiltDatabase, buildFromSources } from "./build.ts";
import { readCatalog } from "./catalog.ts";
import { listDifferences } from "./compare.ts";
import { withScratchDatabase } from "./scratch.ts";
import { readSources } from "./sources.ts";

let built: BuiltDatabase;
let database: TestDatabase;

/** The differences between the sources and a migrated database after a manual change. */
async function differencesAfter(change: string): Promise<string[]> {
  return withConnection(database.url, async (client) => {
    await client.query("begin");
    await client.query(change);
    const differences = listDifferences(await readCatalog(client), built);
    await client.query("rollback");
    return differences;
  });
}

beforeAll(async () => {
  built = await withScratchDatabase(inject("templateDatabaseUrl"), async (url) =>
    buildFromSources(url, await readSources(url)),
  );
});

beforeEach(async () => {
  database = await createTestDatabase();
  return () => database.drop();
});

test("a migrated database matches prisma/schema and prisma/sql (else: npm run db:migration)", async () => {
  expect(await differencesAfter("select")).toEqual([]);
});

test("partitions are no difference: the worker creates and drops them", async () => {
  const create = "select create_partition('verifications', '2027-03-08Z', '2027-03-15Z')";
  expect(await differencesAfter(create)).toEqual([]);
});

test.each([
  [
    "a changed function",
    "create or replace function to_major(p_minor bigint, p_digits int) returns numeric language sql immutable as 'select 1.0'",
    ["function to_major differs from prisma/sql/functions/to_major.sql"],
  ],
  [
    "a removed function",
    "drop function close_case",
    ["function close_case of prisma/sql/functions/close_case.sql is missing in the database"],
  ],
  [
    "a further function",
    "create function further() returns int language sql as 'select 1'",
    ["function further in the database has no source"],
  ],
  [
    "a second function of the same name",
    "create function to_major(p_minor int) returns int language sql as 'select 1'",
    ["function to_major differs from prisma/sql/functions/to_major.sql"],
  ],
  [
    "a removed trigger",
    "drop trigger ledger_entries_append_only on ledger_entries",
    ["trigger ledger_entries.ledger_entries_append_only of prisma/sql/triggers.sql is missing in the database"],
  ],
  [
    "a trigger on another event",
    "create or replace trigger ledger_entries_append_only before update on ledger_entries for each row execute function refuse_change()",
    ["trigger ledger_entries.ledger_entries_append_only differs from prisma/sql/triggers.sql"],
  ],
  [
    "a disabled trigger",
    "alter table ledger_entries disable trigger ledger_entries_append_only",
    ["trigger ledger_entries.ledger_entries_append_only differs from prisma/sql/triggers.sql"],
  ],
  [
    "a removed check",
    "alter table wallets drop constraint wallets_spendable_never_negative",
    ["constraint wallets.wallets_spendable_never_negative of prisma/sql/rules.sql is missing in the database"],
  ],
  [
    "a loosened check",
    "alter table wallets drop constraint wallets_held_never_negative, add constraint wallets_held_never_negative check (held >= -1)",
    ["constraint wallets.wallets_held_never_negative differs from prisma/sql/rules.sql"],
  ],
  [
    "a check that existing rows need not meet",
    "alter table wallets drop constraint wallets_held_never_negative, add constraint wallets_held_never_negative check (held >= 0) not valid",
    ["constraint wallets.wallets_held_never_negative differs from prisma/sql/rules.sql"],
  ],
  [
    "a removed foreign key",
    "alter table wallets drop constraint wallets_reseller_id_fkey",
    ["constraint wallets.wallets_reseller_id_fkey of prisma/schema is missing in the database"],
  ],
  [
    "a removed index",
    "drop index operations_open",
    ["index operations.operations_open of prisma/sql/rules.sql is missing in the database"],
  ],
  [
    "an index with another condition",
    "drop index operations_open; create index operations_open on operations (reseller_id, ask_at)",
    ["index operations.operations_open differs from prisma/sql/rules.sql"],
  ],
  [
    "a further index",
    "create index further on wallets (posted)",
    ["index wallets.further in the database has no source"],
  ],
  [
    "a generated column with another expression",
    "alter table licenses alter column search_words set expression as (hostname)",
    ["column licenses.search_words differs from prisma/sql/rules.sql"],
  ],
  [
    "another default",
    "alter table licenses alter column notes set default 'none'",
    ["column licenses.notes differs from prisma/schema"],
  ],
  [
    "a removed default partition",
    "drop table verifications_default",
    ["table verifications differs from prisma/schema"],
  ],
  [
    "an index of a partitioned table with another condition",
    "drop index api_requests_errors; create index api_requests_errors on api_requests (api_key_id) where status >= 500",
    ["index api_requests.api_requests_errors differs from prisma/sql/rules.sql"],
  ],
  ["a further table", "create table further ()", ["table further in the database has no source"]],
  ["a further enum value", "alter type user_role add value 'guest'", ["enum user_role differs from prisma/schema"]],
  [
    "a removed seed row",
    "delete from providers",
    ["rows of providers of prisma/sql/rules.sql is missing in the database"],
  ],
])("%s is named", async (_what, change, differences) => {
  expect(await differencesAfter(change)).toEqual(differences);
});
