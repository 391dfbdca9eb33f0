import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "#tests/database.ts";
import type { TestDatabase } from "#tests/database-copy.ts";
import { sql } from "#tests/sql.ts";
import { type Database, openDatabase } from "./client.ts";
import { statementOf } from "./statement.ts";

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  // One connection, which has prepared the repeated statement.
  db = openDatabase({ url: database.url, poolSize: 1 });
  await run("create table growing (id int)");
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const run = (text: string) => db.query(sql(text), []);
const everything = statementOf(undefined)("select * from growing", { name: "everything" });

test("a prepared statement survives a new column of its table", async () => {
  await db.query(everything, []);
  for (const column of ["a", "b", "c"]) {
    await run(`alter table growing add column ${column} int`);
    expect(await db.query(everything, [])).toEqual([]);
  }
});

test("a transaction that meets such a statement is unavailable once, and the next one succeeds", async () => {
  const inTransaction = async () => {
    const transaction = await db.begin();
    try {
      await transaction.query(everything, []);
      await transaction.commit();
    } finally {
      await transaction.rollback();
    }
  };
  await inTransaction();
  await run("alter table growing add column d int");
  await expect(inTransaction()).rejects.toMatchObject({ code: "unavailable" });
  await inTransaction();
});
