/** Where each table and statement would be if the database were distributed by reseller (docs/scale.md). */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ResellerId } from "#lib/domain/ids.ts";
import { createTestDatabase } from "#tests/database.ts";
import type { TestDatabase } from "#tests/database-copy.ts";
import { loadStatements } from "#tests/support/all-statements.ts";
import { type Distribution, findUnrouted, findUnroutedInFunction } from "#tests/support/shard-routes.ts";
import { asksOthers, crossing, localTables, referenceTables, undistributed } from "#tests/support/shards.ts";
import type { Database } from "./connection/client.ts";
import type { Statement } from "./connection/statement.ts";
import { countMatchingLicenses, listLicensePage } from "./license/list.ts";
import { listLedgerEntries } from "./wallet/wallet.ts";

interface Table {
  readonly name: string;
  readonly hasReseller: boolean;
  /** Every row has a reseller. */
  readonly requiresReseller: boolean;
  /** Unique indexes and exclusion constraints without the reseller. */
  readonly keysWithout: readonly string[];
  readonly foreignKeys: readonly { readonly to: string; readonly required: boolean; readonly withReseller: boolean }[];
}

const tablesQuery = `
  select c.relname as name, r.attnum is not null as "hasReseller", coalesce(r.attnotnull, false) as "requiresReseller",
         array(select i.indexrelid::regclass::text from pg_index i
                where i.indrelid = c.oid and (i.indisunique or i.indisexclusion) and r.attnum <> all (i.indkey)) as "keysWithout",
         (select coalesce(jsonb_agg(jsonb_build_object('to', f.confrelid::regclass::text,
                   'required', (select bool_and(a.attnotnull) from pg_attribute a where a.attrelid = c.oid and a.attnum = any (f.conkey)),
                   'withReseller', exists (select from unnest(f.conkey, f.confkey) k (own, other)
                                             join pg_attribute o on o.attrelid = f.confrelid and o.attnum = k.other
                                            where k.own = r.attnum and o.attname = 'reseller_id'))), '[]')
            from pg_constraint f where f.conrelid = c.oid and f.contype = 'f' and f.conparentid = 0) as "foreignKeys"
    from pg_class c left join pg_attribute r on r.attrelid = c.oid and r.attname = 'reseller_id'
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     and c.relname <> '_prisma_migrations'
   order by 1`;

interface SqlFunction {
  readonly name: string;
  readonly body: string;
  readonly definition: string;
  readonly language: string;
  readonly isTrigger: boolean;
  /** The place of the argument that names the reseller. */
  readonly place: number | null;
  readonly rows: readonly string[];
}

const functionsQuery = `
  select p.proname as name, p.prosrc as body, pg_get_functiondef(p.oid) as definition, l.lanname as language, p.prorettype = 'trigger'::regtype as "isTrigger",
         array_position(p.proargnames, 'p_reseller_id') - 1 as place,
         array(select c.relname::text from unnest(p.proargtypes) a (type) join pg_type t on t.oid = a.type
                                                            join pg_class c on c.oid = t.typrelid) as rows
    from pg_proc p join pg_language l on l.oid = p.prolang
   where p.pronamespace = 'public'::regnamespace and l.lanname in ('sql', 'plpgsql')`;

let database: TestDatabase;
let tables: readonly Table[];
let owned: ReadonlySet<string>;
let functions: readonly SqlFunction[];
beforeAll(async () => {
  database = await createTestDatabase();
  const client = new pg.Client(database.url);
  await client.connect();
  ({ rows: tables } = await client.query<Table>(tablesQuery));
  ({ rows: functions } = await client.query<SqlFunction>(functionsQuery));
  await client.end();
  owned = grow(
    new Set(tables.filter(({ requiresReseller }) => requiresReseller).map(({ name }) => name)),
    tables.map(({ name, foreignKeys }) => [name, foreignKeys.filter(({ required }) => required).map(({ to }) => to)]),
  );
});
afterAll(() => database.drop());

/** Adds everything that depends on a member. */
function grow(members: Set<string>, all: readonly (readonly [string, readonly string[]])[]): ReadonlySet<string> {
  for (let size = -1; size !== members.size; ) {
    size = members.size;
    for (const [name, needs] of all) if (needs.some((need) => members.has(need))) members.add(name);
  }
  return members;
}

/** Functions that use owned tables. */
function ownedFunctions(): Distribution["functions"] {
  const bodies = functions.map(({ name, body, isTrigger }) => {
    const text = body.replaceAll(/--.*/g, "");
    const used = [...text.matchAll(/\b(?:from|join|update|into|using) +([a-z_]+)/g)].map(([, table = ""]) => table);
    const called = [...text.matchAll(/\b([a-z_]+) *\(/g)].map(([, called = ""]) => `${called}()`);
    return [`${name}()`, isTrigger ? [] : [...used, ...called]] as const;
  });
  const users = grow(new Set(owned), bodies);
  const used = functions.filter(({ name }) => users.has(`${name}()`));
  return new Map(
    used.map(({ name, place, rows }) => [name, place ?? (rows.some((row) => owned.has(row)) ? "row" : null)]),
  );
}

function distributed(): Distribution {
  const named = tables.filter(({ hasReseller }) => hasReseller).map(({ name }) => [name, "reseller_id"] as const);
  const routed = new Set([...owned, "resellers"]);
  return { routed, functions: ownedFunctions(), resellerColumns: new Map([...named, ["resellers", "id"]]) };
}

const placeOf = (table: string) => {
  if (owned.has(table)) return "owned";
  return referenceTables.some((name) => name === table) ? "reference" : "local";
};

describe("a table", () => {
  test("belongs to resellers, or is listed as a reference or local", () => {
    const listed = tables.filter(({ name }) => !owned.has(name)).map(({ name }) => name);
    expect(listed).toEqual([...referenceTables, ...localTables].toSorted());
  });

  test("of resellers has the reseller in every key, in foreign keys to their tables, and none to local ones", () => {
    const found = tables.filter(
      ({ name, hasReseller, keysWithout, foreignKeys }) =>
        owned.has(name) &&
        (!hasReseller ||
          keysWithout.length > 0 ||
          foreignKeys.some(
            ({ to, withReseller }) => placeOf(to) === "local" || (placeOf(to) === "owned" && !withReseller),
          )),
    );
    expect(found.map(({ name }) => name)).toEqual(Object.keys(undistributed).toSorted());
  });

  test("that is not of resellers has no foreign key to one of theirs", () => {
    const found = tables.filter(
      ({ name, foreignKeys }) => !owned.has(name) && foreignKeys.some(({ to }) => placeOf(to) === "owned"),
    );
    expect(found).toEqual([]);
  });
});

describe("a statement", () => {
  test("on tables of resellers names one, or is listed with its reason", async () => {
    const distribution = distributed();
    const found = (await loadStatements()).filter(({ text }) => findUnrouted(text, distribution).length > 0);
    expect(found.map(({ name }) => name).toSorted()).toEqual(Object.values(crossing).flat().toSorted());
  });

  test("of a reseller's list names the reseller, whatever the filter", async () => {
    const texts: string[] = [];
    const db = { query: async ({ text }: Statement<unknown>) => texts.push(text) && [] } as unknown as Database;
    const resellerId = 1 as ResellerId;
    const page = { after: null, limit: 10, now: new Date() };
    for (const filter of [{}, { text: "web" }, { bundleId: 1 }, { status: "active" as const }]) {
      for (const order of ["newest", "ends_first"] as const)
        await listLicensePage(db, resellerId, { ...page, filter, order });
      await countMatchingLicenses(db, resellerId, { filter, now: page.now, atMost: 10 });
    }
    await listLedgerEntries(db, resellerId, { before: null, limit: 10 });
    expect(texts).toHaveLength(16);
    for (const text of texts) expect(findUnrouted(text, distributed()), text).toEqual([]);
  });
});

describe("the comparison of statements", () => {
  test.each<[string, readonly string[]]>([
    ["select from licenses where reseller_id = $1", []],
    ["select from licenses where id = $1", ["licenses"]],
    ["select from licenses where reseller_id = $1 or id = $2", ["licenses"]],
    ["select from licenses where $1::int is null or reseller_id = $1", ["licenses"]],
    ["select from licenses l join operations o on o.id = l.open_operation_id where l.reseller_id = $1", ["operations"]],
    ["select from licenses l join operations o on o.reseller_id = l.reseller_id where l.reseller_id = $1", []],
    ["select from licenses l join resellers r on r.id = l.reseller_id where r.id = $1", []],
    ["select from licenses l, unnest($1::int[]) u (reseller_id) where l.reseller_id = u.reseller_id", ["licenses"]],
    ["select from wallets w where reseller_id = $1 and exists (select from licenses l where l.id = $2)", ["licenses"]],
    [
      "select from wallets w where reseller_id = $1 and exists (select from licenses l where l.reseller_id = w.reseller_id)",
      [],
    ],
    ["with l as (select * from licenses) select from l where l.reseller_id = $1", []],
    [
      "select from (select reseller_id from licenses union all select reseller_id from wallets) x where reseller_id = $1",
      [],
    ],
    [
      "select from (select reseller_id from licenses where reseller_id = $1 union all select reseller_id from wallets) x",
      ["wallets"],
    ],
    ["select from resellers", ["resellers"]],
    ["select from resellers where sandbox_of is null", ["resellers"]],
    ["select from resellers where id = $1", []],
    [
      "with r as (select * from resellers where id = $1) update resellers set name = $2 from r where resellers.id = r.id",
      [],
    ],
    [
      "select from licenses l left join wallets w on w.reseller_id = l.reseller_id and l.reseller_id = $1",
      ["licenses", "wallets"],
    ],
    ["select from licenses l left join wallets w on w.reseller_id = l.reseller_id where l.reseller_id = $1", []],
    [
      "select from licenses l where l.id = $2 or exists (select from wallets w where w.reseller_id = $1 and w.reseller_id = l.reseller_id)",
      ["licenses"],
    ],
    [
      "select (select w.posted from wallets w where w.reseller_id = $1 and w.reseller_id = l.reseller_id) from licenses l",
      ["licenses"],
    ],
    ["with licenses as (select * from licenses) select from licenses", ["licenses"]],
    ["insert into top_up_requests (amount, reseller_id) values ($1, $2)", []],
    [
      "insert into top_up_requests (amount, reseller_id) select 1, reseller_id from wallets",
      ["top_up_requests", "wallets"],
    ],
    ["delete from licenses using wallets w where w.reseller_id = $1", ["licenses"]],
    ["select post_ledger_entry($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)", []],
    ["select charge_left($1, $2)", []],
    ["select core_lot_use($1)", ["core_lot_use()"]],
  ])("%s", (text, unrouted) => {
    expect(findUnrouted(text, distributed())).toEqual(unrouted);
  });
});

test("a function that has a reseller's id or row asks only for that reseller's rows, or is listed with its reason", () => {
  const distribution = distributed();
  const found = functions
    .filter(
      ({ name, language, isTrigger }) =>
        language === "plpgsql" && (isTrigger || (distribution.functions.get(name) ?? null) !== null),
    )
    .filter(({ definition }) => findUnroutedInFunction(definition, distribution).length > 0);
  expect(found.map(({ name }) => name).toSorted()).toEqual(Object.keys(asksOthers));
});

test("docs/scale.md has the tables in the order in which they can be distributed", () => {
  const text = readFileSync(join(import.meta.dirname, "../../docs/scale.md"), "utf8");
  const [, block] = /```sql\n(.*?)```/s.exec(text) ?? [];
  const rest = tables
    .filter(({ name }) => placeOf(name) !== "local" && !(name in undistributed))
    .toSorted((a, b) => placeOf(b.name).localeCompare(placeOf(a.name)));
  const ordered: string[] = [];
  while (rest.length > 0) {
    const next = rest.findIndex(({ name, foreignKeys }) =>
      foreignKeys.every(({ to }) => to === name || ordered.includes(to)),
    );
    ordered.push(...rest.splice(next, 1).map(({ name }) => name));
  }
  const lines = ordered.map((name) =>
    placeOf(name) === "reference"
      ? `select create_reference_table('${name}');`
      : `select create_distributed_table('${name}', 'reseller_id');`,
  );
  expect(block?.trim().split("\n")).toEqual(lines);
});
