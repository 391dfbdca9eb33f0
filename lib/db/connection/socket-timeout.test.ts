import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "#tests/database.ts";
import type { TestDatabase } from "#tests/database-copy.ts";
import { startDatabaseProxy } from "#tests/faults/database-proxy.ts";
import { applySocketTimeout } from "./socket-timeout.ts";

const TIMEOUT_MS = 1_000;
let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 1 });
  pool.on("error", () => {});
  applySocketTimeout(pool, TIMEOUT_MS);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const backend = async () => (await pool.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]?.pid;

test("an unanswered query fails, and the next one has a working connection", async () => {
  const before = await backend();
  await expect(pool.query("select pg_sleep(20)")).rejects.toThrow("Query read timeout");
  expect(await backend()).not.toBe(before);
});

test("an unanswered query fails also on a connection that has been idle for longer than the timeout", async () => {
  const before = await backend();
  await sleep(2 * TIMEOUT_MS);
  await expect(pool.query("select pg_sleep(20)")).rejects.toThrow("Query read timeout");
  expect(await backend()).not.toBe(before);
});

test("an idle connection has no timeout", async () => {
  const before = await backend();
  await sleep(3 * TIMEOUT_MS);
  expect(await backend()).toBe(before);
});

test("idle connections are closed with an unanswered one, so that no further query waits for the same server", async () => {
  const proxy = await startDatabaseProxy(database.url);
  const several = new pg.Pool({ connectionString: proxy.url, max: 3, idleTimeoutMillis: 0 });
  several.on("error", () => {});
  applySocketTimeout(several, TIMEOUT_MS);
  const connections = await Promise.all([several.connect(), several.connect(), several.connect()]);
  for (const connection of connections) connection.release();
  proxy.freeze();
  await expect(several.query("select 1")).rejects.toThrow("Query read timeout");
  await expect.poll(() => several.totalCount).toBe(0);
  await proxy.close();
  await several.end();
});
