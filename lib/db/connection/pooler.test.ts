import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "#tests/database.ts";
import type { TestDatabase } from "#tests/database-copy.ts";
import { sql } from "#tests/sql.ts";
import { type PgBouncer, startPgBouncer } from "#tests/support/pgbouncer.ts";
import { type Database, openDatabase, SESSION_TIMEOUTS } from "./client.ts";
import { requireDirectDatabase, requirePooler } from "./pooler.ts";
import { statementOf } from "./statement.ts";
import { withConnection } from "./with-connection.ts";

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

function requirePgBouncer(skip: (note: string) => never, one = pooler): PgBouncer {
  return one ?? skip("PgBouncer cannot be installed here");
}

/** Replaces bytes of what a client sends; both texts have the same length. */
async function startChangingProxy(targetUrl: string, from: string, to: string) {
  const target = new URL(targetUrl);
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) socket.on("error", () => undefined);
    client.on("data", (bytes) => upstream.write(bytes.toString("latin1").replace(from, to), "latin1"));
    client.on("end", () => upstream.end());
    upstream.pipe(client);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = Object.assign(new URL(targetUrl), { port: String((server.address() as AddressInfo).port) }).href;
  return { url, close: async () => void server.close() };
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

test("each transaction is in UTC, whatever the pooler, the database and its other clients set", async ({ skip }) => {
  requirePgBouncer(skip);
  const name = new URL(other.url).pathname.slice(1);
  await withConnection(other.url, (client) => client.query(`alter database ${name} set timezone = 'Asia/Kathmandu'`));
  const timeouts = Object.entries(SESSION_TIMEOUTS).map(([setting, ms]) => `set ${setting} = ${ms}`);
  const zoned = await startPgBouncer(other.url, [...timeouts, "set timezone = 5"].join("; "));
  if (zoned) opened.push(zoned);
  const { url } = requirePgBouncer(skip, zoned);
  await requirePooler(url, other.url);
  const neighbor = new pg.Client(url);
  await neighbor.connect();
  opened.push({ close: () => neighbor.end() });
  const db = open(url);
  for (let round = 0; round < 10; round++) {
    const others = neighbor.query("set timezone = 'America/New_York'; select pg_sleep(0.01)");
    const zones = await Promise.all(Array.from({ length: 6 }, () => db.query(sql("show timezone"), [])));
    expect(zones.flat()).toEqual(Array(6).fill({ TimeZone: "UTC" }));
    await others;
  }
});

test("a pooler that drops the time zone of its clients is refused", async ({ skip }) => {
  const { url } = requirePgBouncer(skip);
  const dropping = await startChangingProxy(url, "TimeZone\0UTC\0", "TimeZone\0EST\0");
  opened.push(dropping);
  await expect(requirePooler(dropping.url, database.url)).rejects.toThrow(
    /^The pooler at 127\.0\.0\.1:\d{1,5} ignores the time zone of its clients\. Run: alter database … set timezone = 'UTC'$/,
  );
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
