import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase } from "#tests/database.ts";
import type { TestDatabase } from "#tests/database-copy.ts";
import { toArrayText } from "./array-text.ts";

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

const read = async (type: string, value: unknown) =>
  (await client.query(`select $1::${type}[]::text as list`, [value])).rows[0].list;

/** PostgreSQL stores neither NUL nor half of a pair. */
const text = fc.oneof(
  fc.string({ unit: "binary" }).map((value) => value.toWellFormed().replaceAll("\0", "")),
  fc.constantFrom(
    "",
    "null",
    "NULL",
    "nullable",
    " ",
    "a b",
    "{}",
    ",",
    '"',
    "\\",
    '\\"',
    "192.0.2.1",
    "2001:db8::1",
    "\n",
  ),
);

describe("PostgreSQL reads a list as it reads it from pg", () => {
  it.each([
    ["text", text],
    ["int", fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })],
    ["bigint", fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })],
    ["float8", fc.double()],
    ["boolean", fc.boolean()],
    ["timestamptz", fc.date({ min: new Date("0001-01-01"), max: new Date("20000-01-01"), noInvalidDate: true })],
  ])("of %s", async (type, element: fc.Arbitrary<unknown>) => {
    const lists = fc.array(fc.option(element), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(lists, async (values) => {
        expect(await read(type, toArrayText(values))).toBe(await read(type, values));
      }),
      { numRuns: 200 },
    );
  });
});

it("leaves lists of other lists, bytes and objects to pg", () => {
  for (const values of [[[1]], [Buffer.from("a")], [{ a: 1 }], [undefined]]) expect(toArrayText(values)).toBe(values);
});
