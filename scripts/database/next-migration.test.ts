import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, inject, test } from "vitest";
import { type NextMigration, planNextMigration } from "./next-migration.ts";
import { type DatabaseSources, migrationsDir, readSources } from "./sources.ts";

let sources: DatabaseSources;
let migrations: string;

beforeAll(async () => {
  sources = await readSources(inject("templateDatabaseUrl"));
});

beforeEach(() => {
  migrations = mkdtempSync(join(tmpdir(), "migrations-"));
  cpSync(migrationsDir, migrations, { recursive: true });
  return () => rmSync(migrations, { recursive: true });
});

/** Plans the next migration of a database that a previous one has changed. */
async function planAfter(lastMigration: string, changed: Partial<DatabaseSources> = {}): Promise<NextMigration> {
  mkdirSync(join(migrations, "20990101000000_last"));
  writeFileSync(join(migrations, "20990101000000_last", "migration.sql"), lastMigration);
  return planNextMigration(inject("templateDatabaseUrl"), { ...sources, ...changed }, migrations);
}

function withFunction(name: string, from: string, to: string): Partial<DatabaseSources> {
  const text = sources.functions.get(name) ?? "";
  expect(text).toContain(from);
  return { functions: new Map([...sources.functions, [name, text.replaceAll(from, to)]]) };
}

test("migrations that lead to the sources need no further one", async () => {
  expect(await planAfter("select 1;")).toEqual({ script: "", remaining: [] });
});

test("every kind of object is created, redefined and dropped to match the sources", async () => {
  const { script, remaining } = await planAfter(`
    create or replace function to_major(p_minor bigint, p_digits int) returns numeric language sql immutable as 'select 1.0';
    drop function close_case;
    create function further() returns int language sql as 'select 1';
    drop function paid_for_term;
    create function paid_for_term(p_license_id bigint) returns int language sql as 'select 1';
    drop trigger ledger_entries_append_only on ledger_entries;
    create or replace trigger audit_entries_append_only before update on audit_entries
      for each row execute function refuse_change();
    create trigger further before update on audit_entries for each row execute function refuse_change();
    alter table wallets drop constraint wallets_spendable_never_negative, drop constraint wallets_held_never_negative,
      add constraint wallets_held_never_negative check (held >= -1), add constraint further check (posted > -100),
      drop constraint wallets_reseller_id_fkey;
    drop index operations_open;
    drop index operations_by_bundle_instance;
    create index operations_by_bundle_instance on operations (bundle_instance_id);
    create index further_index on operations (state) where state = 'held';
    drop index audit_entries_actor_id_idx;
    alter table licenses alter column search_words set expression as (hostname);
    alter table licenses add column further text generated always as (lower(notes)) stored;
    alter table licenses alter column notes set default 'none';
    alter table users add column further int;
    alter table users drop column last_signed_in_at;
    create table further (id int primary key);
    create type further_type as enum ('one');
    create extension citext;`);
  expect(remaining).toEqual([]);
  expect(script).toContain(sources.functions.get("to_major"));
  expect(script).not.toContain("settle_operations");
});

test("a partitioned table is created as one, and so are its indexes", async () => {
  const table = await planAfter("drop table verifications; drop index api_requests_errors;");
  expect(table.remaining).toEqual([]);
  expect(table.script).toContain('PARTITION BY RANGE ("checked_at")');
});

test("columns and indexes computed by a changed function are recomputed", async () => {
  const { script, remaining } = await planAfter("", withFunction("license_search_words", "lower(", "upper("));
  expect(remaining).toEqual([]);
  expect(script.match(/^(drop|alter|create) (or replace )?\w+ \w+( \w+ column \w+)?/gim)).toEqual([
    "drop index licenses_search",
    "alter table licenses drop column search_words",
    "create or replace function license_search_words",
    "alter table licenses add column search_words",
    "CREATE INDEX licenses_search",
  ]);
});

test("constraints that were added as not valid are validated", async () => {
  const { script, remaining } = await planAfter(`
    alter table wallets drop constraint wallets_held_never_negative, drop constraint wallets_reseller_id_fkey,
      add constraint wallets_held_never_negative check (held >= 0) not valid,
      add constraint wallets_reseller_id_fkey foreign key (reseller_id) references resellers (id)
        on update cascade on delete restrict not valid;`);
  expect(remaining).toEqual([]);
  expect(script.trim().split("\n\n").toSorted()).toEqual([
    "alter table wallets validate constraint wallets_held_never_negative;",
    "alter table wallets validate constraint wallets_reseller_id_fkey;",
  ]);
});

test("a function with another signature is dropped first, a changed body is replaced in place", async () => {
  const renamed = await planAfter("", withFunction("to_major", "p_digits", "p_minor_digits"));
  expect(renamed.remaining).toEqual([]);
  expect(renamed.script).toMatch(/^drop function to_major;\n\nset local check_function_bodies = off;\n\n-- .*/);
});

test("a column changes its type although a generated column uses it", async () => {
  const { script, remaining } = await planAfter(`
    drop index licenses_search;
    alter table licenses drop column search_words;
    alter table licenses alter column hostname type varchar(253);
    alter table licenses add column search_words text generated always as (
      license_search_words(hostname, notes, variadic array[customer_name, customer_email, customer_reference] || tags)) stored;
    create index licenses_search on licenses
      using gin (license_search_tokens(reseller_id, id, key, ip_address, search_words, product_id, coalesce(bundle_instance_id, 0), coalesce(external_id, ''),
        array[customer_name, customer_email, customer_reference], tags))
      with (fastupdate = off);`);
  expect(remaining).toEqual([]);
  expect(script).toMatch(/drop column search_words;.*"hostname" SET DATA TYPE TEXT.*add column search_words/s);
});

test("what needs a person is listed: rows, and statements that the database rejects", async () => {
  expect((await planAfter("delete from providers")).remaining).toEqual([
    "rows of providers of prisma/sql/rules.sql is missing in the database",
  ]);
  rmSync(join(migrations, "20990101000000_last"), { recursive: true });
  // Prisma replaces the type. The check on users compares the column with the old one.
  expect((await planAfter("alter type user_role add value 'guest'")).remaining).toEqual([
    "the database rejects it: operator does not exist: user_role_new = user_role",
  ]);
});
