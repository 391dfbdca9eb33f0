import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type MigrationFile, readMigrationFiles } from "#lib/db/schema/migration-files.ts";
import { checkMigrations } from "./check-migrations.ts";
import { findChangedReleases, listReleased, RELEASED_FILE } from "./released.ts";
import { migrationsDir } from "./sources.ts";

const check = (...scripts: string[]) =>
  checkMigrations(
    ["create table licenses (id int primary key, note text);", ...scripts].map((script, index) => ({
      name: `2026120${index}000000_${script.includes("-- contract of") ? "contract" : "step"}_${index}`,
      script,
      checksum: "",
    })),
  );
const EXPANSION = "20261201000000_step_1";
const contract = (sql: string) =>
  check("alter table licenses add column other text;", `-- contract of ${EXPANSION}\n${sql}`);

test("the migrations of this repository leave the previous version running", async () => {
  expect(await checkMigrations(await readMigrationFiles(migrationsDir))).toEqual([]);
});

test("released migrations of this repository are as they were, and new ones come after them", async () => {
  const file = join(migrationsDir, RELEASED_FILE);
  const released = existsSync(file) ? readFileSync(file, "utf8") : "";
  expect(findChangedReleases(released, await readMigrationFiles(migrationsDir))).toEqual([]);
});

test("a released migration that is edited or deleted is named, and a new one that comes before it", () => {
  const files = ["1_baseline", "3_notes", "5_contract_notes"].map((name) => ({
    name,
    script: "",
    checksum: `c${name}`,
  }));
  const [baseline, notes, contract] = files as [MigrationFile, MigrationFile, MigrationFile];
  const find = (...now: MigrationFile[]) => findChangedReleases(listReleased(files), now);
  expect(find(...files, { ...contract, name: "6_later" })).toEqual([]);
  expect(find(baseline, { ...notes, checksum: "other" }, contract)).toEqual([
    expect.stringMatching(/^3_notes .* undo/),
  ]);
  expect(find(baseline, contract)).toEqual([expect.stringMatching(/^3_notes .* would not start without it/)]);
  expect(find(...files, { ...notes, name: "4_between" })).toEqual([
    expect.stringMatching(/^4_between sorts before 5_/),
  ]);
});

test.each([
  "alter table licenses add column other text;",
  "alter table licenses add column other text not null default 'x';",
  "alter table licenses add column at timestamptz not null default now();",
  "alter table licenses add column at timestamptz not null default current_timestamp;",
  "create table notes (id int primary key, license_id int not null references licenses (id)); create index on notes (license_id);",
  "create table notes (id int); alter table notes add constraint positive check (id > 0);",
  "create index concurrently if not exists licenses_note on licenses (note);",
  "drop index concurrently if exists licenses_note;",
  "create index api_requests_status on only api_requests (status);",
  "alter table licenses add constraint short check (length(note) < 100) not valid;",
  "alter table licenses add constraint f foreign key (id) references licenses (id) not valid;",
  "alter table licenses drop constraint short;",
  "alter table licenses alter column note set default 'x';",
  "alter table licenses alter column note drop not null;",
  "alter type kind add value 'x';",
  "create or replace function f() returns int language plpgsql as $$ begin drop table licenses; return 1; end $$;",
  "drop trigger t on licenses; create trigger t after update on licenses for each row execute function f();",
  "update licenses set note = '' where note is null;",
])("an expansion may: %s", async (script) => {
  expect(await check(script)).toEqual([]);
});

const BREAKING = [
  "alter table licenses drop column note;",
  "drop table licenses;",
  "drop function f(int);",
  "drop type kind;",
  "drop view v;",
  "alter table licenses rename column note to notes;",
  "alter table licenses rename to entitlements;",
  "alter type kind rename value 'x' to 'y';",
  "alter table licenses alter column note drop default;",
  "alter table licenses add column other text not null;",
  "truncate licenses;",
  "delete from licenses;",
];

test.each(BREAKING)("what breaks the previous version waits for a contract step: %s", async (sql) => {
  expect(await check(sql)).toEqual([expect.stringMatching(/^20261201000000_step_1:1 .* Do it in a contract step/)]);
  expect(await contract(sql)).toEqual([]);
});

test.each([
  "create index licenses_note on licenses (note);",
  "create unique index concurrently licenses_note on licenses (note);",
  "create index concurrently if not exists a on licenses (note); select 1;",
  "create index concurrently if not exists api_requests_status on api_requests (status);",
  "create index api_requests_status on api_requests (status);",
  "drop index licenses_note;",
  "alter table licenses alter column note set not null;",
  "alter table licenses alter column note type varchar(10);",
  "alter table licenses add constraint f foreign key (id) references licenses (id);",
  "alter table licenses add constraint c check (id > 0);",
  "alter table licenses add constraint u unique (note);",
  "alter table licenses add constraint e exclude using gist (note with =);",
  "alter table licenses add column parent int references licenses (id);",
  "alter table licenses add column at timestamptz default clock_timestamp();",
  "alter table licenses add column upper text generated always as (upper(note)) stored;",
  "alter table licenses add column n int generated by default as identity;",
  "alter table licenses set unlogged;",
  "alter table licenses add constraint c check (id > 0) not valid; alter table licenses validate constraint c;",
  "update licenses set note = '';",
  "lock table licenses;",
  "reindex table licenses;",
  "set local lock_timeout = 0;",
])("what locks for long is rejected, also in a contract step: %s", async (sql) => {
  expect(await check(sql)).toHaveLength(1);
  expect(await contract(sql)).toHaveLength(1);
});

test("NOT NULL is set once an earlier migration has validated a check", async () => {
  const steps = [
    "alter table licenses add constraint note_required check (note is not null) not valid;",
    "alter table licenses validate constraint note_required;",
    "alter table licenses alter column note set not null;",
  ] as const;
  expect(await check(...steps)).toEqual([]);
  expect(await check(steps[0], steps[2])).toHaveLength(1);
  expect(await check(...steps.slice(0, 2), "alter table licenses alter column id set not null;")).toHaveLength(1);
});

test("a unique constraint uses an index that was created concurrently", async () => {
  expect(
    await check(
      "create unique index concurrently if not exists u on licenses (note);",
      "alter table licenses add constraint u unique using index u;",
    ),
  ).toEqual([]);
});

test("a contract step names an earlier expansion: not the baseline, itself, a later one or another contract step", async () => {
  const drop = "alter table licenses drop column note;";
  for (const name of ["20261200000000_step_0", "20261202000000_contract_2", "20261203000000_step_3", "nonsense"]) {
    expect(await check("select 1;", `-- contract of ${name}\n${drop}`)).toEqual([
      expect.stringContaining("which is no earlier expansion"),
    ]);
  }
  const second = `-- contract of ${EXPANSION}\n${drop}`;
  expect(await check("select 1;", second, "-- contract of 20261202000000_contract_2\nselect 1;")).toHaveLength(1);
  expect(await check("select 1;", `\n${second}`)).toHaveLength(1);
});

test("a contract step is named as one, by which an earlier version knows that it cannot run", async () => {
  const baseline = { name: "20261200000000_baseline", script: "create table licenses (note text);", checksum: "" };
  const expansion = { name: EXPANSION, script: "select 1;", checksum: "" };
  const contracted = (name: string) => ({ name, script: `-- contract of ${EXPANSION}\nselect 1;`, checksum: "" });
  expect(await checkMigrations([baseline, expansion, contracted("20261202000000_contract_notes")])).toEqual([]);
  expect(await checkMigrations([baseline, expansion, contracted("20261202000000_notes")])).toEqual([
    expect.stringMatching(/^20261202000000_notes:1 .* has to begin with "contract_"/),
  ]);
});

test("a finding has its statement's line, whatever precedes it", async () => {
  expect(await check("-- é\nselect 1;\n\n-- why\ndrop table licenses;")).toEqual([
    expect.stringMatching(/^20261201000000_step_1:5 drops a table/),
  ]);
});
