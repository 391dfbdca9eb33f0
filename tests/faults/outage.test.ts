import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { applyMigrations } from "#lib/db/schema/migrate.ts";
import { openDataDir } from "#lib/embedded/data-dir.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "#lib/embedded/postgres.ts";
import { sql } from "#tests/sql.ts";
import { findDifferences } from "./books.ts";
import { get } from "./client.ts";
import { type DatabaseProxy, startDatabaseProxy } from "./database-proxy.ts";
import { type Desk, openDesk } from "./desk.ts";
import { isLong } from "./form.ts";
import { type CallerResult, describeUnclean, startLoad } from "./load.ts";
import { type ServerProcess, startServer } from "./server-process.ts";

/** Generous for a busy machine: response times are asserted separately. */
const TIMEOUT_MS = 180_000;

const CALLERS = 8;
/** Connecting times out after 5 s; the rest is for a busy machine. */
const SLOWEST_MS = 15_000;
/** A silent server times out after 17 s; recording that takes up to two connections of 5 s, and releasing a key 1 s. */
const SLOWEST_FROZEN_MS = 32_000;

const dataDir = openDataDir(mkdtempSync(join(tmpdir(), "license-desk-outage-")));
let postgres: EmbeddedPostgres;
let proxy: DatabaseProxy;
let desk: Desk;
let server: ServerProcess;

function startPostgres(): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDir, log: () => undefined, durable: false });
}

beforeAll(async () => {
  postgres = await startPostgres();
  postgres.completeFirstStart();
  const migrationsDir = join(import.meta.dirname, "..", "..", "prisma", "migrations");
  await applyMigrations({ databaseUrl: postgres.url, migrationsDir });
  proxy = await startDatabaseProxy(postgres.url);
  desk = await openDesk(proxy.url);
  server = await startServer({ databaseUrl: proxy.url });
}, TIMEOUT_MS);
afterAll(async () => {
  await server?.kill();
  await desk?.close();
  await proxy?.close();
  await postgres?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function expectBooksToAgree(results: ReadonlyMap<string, CallerResult>): Promise<void> {
  await desk.reconcile();
  expect(await findDifferences(desk.db)).toEqual([]);
  for (const [actor, { done, pending }] of results) {
    const text = "select from operations where actor = $1 and state = 'succeeded'";
    const successes = (await desk.db.query(sql(text), [actor])).length;
    expect(successes).toBeGreaterThanOrEqual(done);
    expect(successes).toBeLessThanOrEqual(done + pending);
  }
}

test(
  "PostgreSQL stopped and started under load: 503 with Retry-After, then recovery with exact books",
  async () => {
    const load = await startLoad(desk, server.url, CALLERS);
    await load.answered(4 * CALLERS);
    await postgres.stop();
    await sleep(1_500);
    postgres = await startPostgres();
    proxy.pointTo(postgres.url);
    await sleep(1_500);
    const results = await load.stop();

    expect(describeUnclean(load.answers, SLOWEST_MS)).toEqual([]);
    expect(load.answers.filter((answer) => answer?.code === "UNAVAILABLE").length).toBeGreaterThan(0);
    expect(load.answers.at(-1)?.status).toBeLessThan(300);
    expect(server.hasEnded()).toBe(false);
    await expectBooksToAgree(results);
  },
  TIMEOUT_MS,
);

test.runIf(isLong)(
  "a database that says nothing any more: 503 when its time is over, then all goes on",
  async () => {
    const load = await startLoad(desk, server.url, CALLERS);
    await load.answered(4 * CALLERS);
    proxy.freeze();
    await sleep(30_000);
    proxy.thaw();
    await sleep(1_000);
    const results = await load.stop();

    expect(describeUnclean(load.answers, SLOWEST_FROZEN_MS)).toEqual([]);
    expect(load.answers.filter((answer) => answer?.code === "UNAVAILABLE").length).toBeGreaterThan(0);
    expect(server.hasEnded()).toBe(false);
    await expectBooksToAgree(results);
  },
  TIMEOUT_MS,
);

test("the server responded to the end, without uncaught errors", async () => {
  const buyer = await desk.newBuyer("1");
  const { apiKey } = await desk.newKey(buyer.resellerId);
  expect(await get(server.url, apiKey, "balance")).toMatchObject({ status: 200 });
  expect(server.errorOutput()).not.toMatch(/Unhandled|Uncaught|request failed/);
});
