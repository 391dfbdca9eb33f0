import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "#tests/database.ts";
import type { TestDatabase } from "#tests/database-copy.ts";
import { sql } from "#tests/sql.ts";
import { type PgBouncer, startPgBouncer } from "#tests/support/pgbouncer.ts";
import { type Database, openDatabase } from "./client.ts";
import { requireDirectDatabase, requirePooler } from "./pooler.ts";
import { statementOf } from "./statement.ts";

const INSTALL_TIMEOUT_MS = 120_000;

let database: TestDatabase;
let other: TestDatabase;
let pooler: PgBouncer | null;
const opened: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  other = await createTestDatabase();
  pooler = await startPgBouncer(database.url);
}, INSTALL_TIMEOUT_MS);
afterEach(() => Promise.all(opened.splice(0).map((one) => one.close())));
afterAll(async () => {
  await pooler?.close();
  await database.drop();
  await other.drop();
});

function requirePgBouncer(skip: (note: string) => never): PgBouncer {
  return pooler ?? skip("PgBouncer cannot be installed here");
}

const open = (url: string): Database => {
  const db = openDatabase({ url, poolSize: 10, isPooled: true });
  opened.push(db);
  return db;
};

test("named statements, failed ones and transactions work over connections that belong to nobody", async ({ skip }) => {
  const { url } = requirePgBouncer(skip);
  const [one, two] = [open(url), open(url)];
  await one.query(sql("create table counters (id int primary key, count int not null)"), []);
  await one.query(sql("insert into counters values (1, 0)"), []);
  const add = statementOf(undefined)("update counters set count = count + $1 where id = 1", { name: "add" });
  const addTwice = async (db: Database) => {
    const transaction = await db.begin();
    try {
      await transaction.query(add, [1]);
      await transaction.query(add, [1]);
      await transaction.commit();
    } finally {
      await transaction.rollback();
    }
  };
  const failing = statementOf(undefined)("select 1 / $1::int", { name: "failing" });
  await Promise.all(
    Array.from({ length: 60 }, async (_, index) => {
      const db = index % 2 === 0 ? one : two;
      await db.query(add, [1]);
      await addTwice(db);
      await expect(db.query(failing, [0])).rejects.toThrow("division by zero");
    }),
  );
  expect(await one.query(sql("select count from counters"), [])).toEqual([{ count: 180 }]);
  expect(await one.query(sql("select count(*)::int from pg_prepared_statements"), [])).toEqual([{ count: 0 }]);
});

test("a pooler that sets our timeouts in front of our database is accepted, and the database itself as DATABASE_URL", async ({
  skip,
}) => {
  const { url } = requirePgBouncer(skip);
  await requireDirectDatabase(database.url);
  await requirePooler(url, database.url);
});

test("the start refuses a pooler as DATABASE_URL, one in front of another database, one without our timeouts, and one that is away", async ({
  skip,
}) => {
  const { url } = requirePgBouncer(skip);
  await expect(requireDirectDatabase(url)).rejects.toThrow(
    /^DATABASE_URL leads to a connection pooler .+ DATABASE_POOLER_URL/,
  );
  await expect(requirePooler(url, other.url)).rejects.toThrow(/leads to another database than DATABASE_URL/);
  const careless = await startPgBouncer(database.url, "");
  if (careless) opened.push(careless);
  await expect(requirePooler(careless?.url ?? "", database.url)).rejects.toThrow(
    /connect_query='set statement_timeout = 15000; set lock_timeout = 5000; set idle_in_transaction_session_timeout = 15000'/,
  );
  const documented = readFileSync(join(import.meta.dirname, "../../../docs/operating.md"), "utf8");
  expect(documented).toContain(
    "connect_query='set statement_timeout = 15000; set lock_timeout = 5000; set idle_in_transaction_session_timeout = 15000'",
  );
  await expect(requirePooler("postgresql://x@127.0.0.1:1/x", database.url)).rejects.toThrow(
    /^The pooler at 127\.0\.0\.1:1 refuses the connection: /,
  );
});
