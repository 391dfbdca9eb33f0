import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase } from "#tests/database.ts";
import type { TestDatabase } from "#tests/database-copy.ts";
import { loadStatements } from "#tests/support/all-statements.ts";
import { compareColumns, compareResult } from "#tests/support/compare-rows.ts";
import {
  bigint,
  boolean,
  int,
  json,
  jsonBigint,
  jsonTimestamp,
  list,
  nullable,
  oneOf,
  text,
  timestamp,
} from "./columns.ts";
import { type RowShape, readRows, type Statement, statementOf } from "./statement.ts";

const statements = await loadStatements();

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client(database.url);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

function describeColumns(statementText: string): Promise<readonly pg.FieldDef[]> {
  return new Promise((resolve, reject) => {
    let fields: readonly pg.FieldDef[] = [];
    const submittable = {
      submit(connection: pg.Connection & { describe(what: object): void }) {
        connection.parse({ name: "", text: statementText, types: [] }, true);
        connection.describe({ type: "S", name: "" });
        connection.sync();
      },
      handleRowDescription(message: { fields: readonly pg.FieldDef[] }) {
        fields = message.fields;
      },
      handleReadyForQuery: () => resolve(fields),
      handleError: reject,
    };
    client.query(submittable as unknown as pg.Submittable);
  });
}

test("the statements of the program are found", () => {
  expect(statements.length).toBeGreaterThan(240);
});

test("statement names are unique", () => {
  const names = statements.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

describe("PostgreSQL returns the columns that a statement declares", () => {
  test.each(statements.map((one) => [one.name ?? "", one] as const))("%s", async (_, { text, row }) => {
    const fields = await describeColumns(text);
    if (row) expect(compareColumns(row, fields)).toEqual([]);
  });
});

/** Functions in a plan's `from` that write for each row of another one: the planner chooses the rows. */
const listPlannedWrites = `
  select f.call #>> '{}' as call
    from jsonb_path_query($1::jsonb, 'strict $.**."Function Call"') as f (call) join pg_proc p on f.call #>> '{}' like p.proname || '(%'
   where p.pronamespace = 'public'::regnamespace and p.provolatile = 'v' and f.call #>> '{}' ~ '[(,] *"?[a-z_]+"?\\.'`;

async function findPlannedWrites(text: string): Promise<string[]> {
  const plan = await client.query(`explain (generic_plan, verbose, format json) ${text}`);
  const { rows } = await client.query<{ call: string }>(listPlannedWrites, [
    JSON.stringify(plan.rows[0]["QUERY PLAN"]),
  ]);
  return rows.map(({ call }) => call);
}

describe("what a statement calls to write for a row, it calls as a column of the row", () => {
  test.each(statements.map((one) => [one.name ?? "", one] as const))("%s", async (_, { text }) => {
    expect(await findPlannedWrites(text)).toEqual([]);
  });

  test("what it calls in its `from` is found", async () => {
    const text = "select from users u, lateral end_sessions(u.id, null, now()) where u.role = 'owner'";
    expect(await findPlannedWrites(text)).toEqual(["end_sessions(u.id, NULL::text, now())"]);
  });
});

describe("a deviation from the declaration is detected", () => {
  const run = async (row: RowShape, sql: string) =>
    compareResult(statementOf(row)(sql) as Statement<unknown>, await client.query(sql));

  test.each<[string, RowShape, string, string[]]>([
    ["nothing", { a: int, b: nullable(text) }, "select 1 as a, null::text as b", []],
    ["a column too few", { a: int, b: text }, "select 1 as a", ["b: is not returned"]],
    ["a column too many", { a: int }, "select 1 as a, 2 as b", ["b: is not declared"]],
    ["a number that comes as a bigint", { a: int }, "select 1::bigint as a", ["a: has type 20"]],
    ["a sum that comes as text", { a: bigint }, "select sum(1::bigint) as a", ["a: has type 1700"]],
    ["a time without a zone", { a: timestamp }, "select now()::timestamp as a", ["a: has type 1114"]],
    ["an array that is not read", { a: list(text) }, "select array[now()] as a", ["a: has type 1185"]],
    ["null", { a: boolean }, "select null::boolean as a", ["row 0.a: Invalid input: expected boolean, received null"]],
    ["an unknown word", { a: oneOf(["x"]) }, "select 'y'::text as a", ['row 0.a: Invalid input: expected "x"']],
  ])("%s", async (_, row, sql, differences) => {
    expect(await run(row, sql)).toEqual(differences);
  });
});

test("money and times within JSON arrive as what they are, and other columns as they come", async () => {
  const row = {
    id: int,
    price: nullable(json({ minor: jsonBigint })),
    lots: list(json({ at: nullable(jsonTimestamp), amount: jsonBigint })),
    none: nullable(json({ minor: jsonBigint })),
  };
  const read = statementOf(row)(`
    select 1 as id, '{"minor": "9007199254740993"}'::jsonb as price, null::jsonb as none,
           '[{"at": "2026-11-27T06:00:00+00:00", "amount": "-1"}, {"at": null, "amount": "0"}]'::jsonb as lots`);
  expect(readRows(read, await client.query(read.text))).toEqual([
    {
      id: 1,
      price: { minor: 9_007_199_254_740_993n },
      lots: [
        { at: new Date("2026-11-27T06:00:00Z"), amount: -1n },
        { at: null, amount: 0n },
      ],
      none: null,
    },
  ]);
});
