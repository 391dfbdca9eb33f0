import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { applyMigrations } from "#lib/db/schema/migrate.ts";
import { openDataDir } from "#lib/embedded/data-dir.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "#lib/embedded/postgres.ts";
import { createProvider } from "#lib/services/provider/create.ts";
import { sql } from "#tests/sql.ts";
import { makeJobDue } from "#tests/support/job.ts";
import { get, post } from "./client.ts";
import { type DatabaseProxy, startDatabaseProxy } from "./database-proxy.ts";
import { type Desk, openDesk } from "./desk.ts";
import { type LogLine, type ServerProcess, secrets, startServer } from "./server-process.ts";
import { faults, verbs } from "./verbs.ts";

const TIMEOUT_MS = 180_000;
const REQUESTS = 108;
const PROVIDER_KEY = "lk_live_the_key_that_we_have_there";
const ERROR_LEVEL = 50;

const dataDir = openDataDir(mkdtempSync(join(tmpdir(), "license-desk-outage-log-")));
let postgres: EmbeddedPostgres;
let proxy: DatabaseProxy;
let desk: Desk;
let server: ServerProcess;
let apiKey: string;
let resellerId: number;

const startPostgres = () => startEmbeddedPostgres({ dataDir, log: () => undefined, durable: false });

beforeAll(async () => {
  postgres = await startPostgres();
  postgres.completeFirstStart();
  const migrationsDir = join(import.meta.dirname, "..", "..", "prisma", "migrations");
  await applyMigrations({ databaseUrl: postgres.url, migrationsDir });
  proxy = await startDatabaseProxy(postgres.url);
  process.env.PROVIDER_ALLOW_HTTP = "1";
  desk = await openDesk(proxy.url);
  const env = { LOG_LEVEL: "info", WORKER: "off", PROVIDER_ALLOW_HTTP: "1", PROVIDER_TIMEOUT_MS: "2000" };
  server = await startServer({ databaseUrl: proxy.url, env });
  const buyer = await desk.newBuyer("100000");
  ({ resellerId } = buyer);
  ({ apiKey } = await desk.newKey(buyer.resellerId));
  await get(server.url, apiKey, "balance");
}, TIMEOUT_MS);
afterAll(async () => {
  await server?.kill();
  await desk?.close();
  await proxy?.close();
  await postgres?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

let read = 0;
function newLines(): LogLine[] {
  const lines = server.logLines().slice(read);
  read += lines.length;
  return lines;
}

function expectNoSecrets(lines: readonly object[]): void {
  const text = JSON.stringify(lines);
  for (const secret of [apiKey, new URL(postgres.url).password, ...Object.values(secrets)]) {
    expect(text).not.toContain(secret);
  }
}

async function whileStopped(work: () => Promise<unknown>): Promise<void> {
  await postgres.stop();
  await work();
  postgres = await startPostgres();
  proxy.pointTo(postgres.url);
}

test(
  "a stopped PostgreSQL, without a worker: one line when it stops, one when it is back, with counts",
  async () => {
    newLines();
    await whileStopped(async () => {
      const answers = await Promise.all(
        Array.from({ length: REQUESTS }, () => get(server.url, apiKey, "license.info&license_id=1")),
      );
      expect(answers.filter((answer) => answer?.status === 503)).toHaveLength(REQUESTS);
      await sleep(1_000);
    });
    await vi.waitFor(
      async () => expect(await get(server.url, apiKey, "balance")).toMatchObject({ status: 200 }),
      20_000,
    );
    const contact = () => server.logLines().filter(({ msg }) => /database is/.test(msg));
    await vi.waitFor(() => expect(contact().at(-1)?.msg).toBe("the database is reachable again"), 20_000);
    const lines = newLines();
    const textOf = lines.map(({ msg }) => msg);
    expect(textOf).toContain("the database is unreachable");
    expect(lines.find(({ msg }) => msg === "the database is reachable again")).toMatchObject({
      failures: expect.any(Number),
      lastKind: expect.stringMatching(/^[A-Z0-9_]+$/i),
      seconds: expect.any(Number),
    });
    const statements = lines.find(({ msg }) => msg === "database statements succeed again");
    // Requests that arrive together share statements, more of them on a busy machine (lib/db/connection/batch.ts).
    expect(statements?.failures).toBeGreaterThan(1);
    expect(lines.length).toBeLessThanOrEqual(8);
    expectNoSecrets(lines);
  },
  TIMEOUT_MS,
);

test(
  "a provider that fails many orders: one line at the start and one at the end, not one per order",
  async () => {
    const buyer = { resellerId: resellerId as never, ctx: desk.operator };
    const order = async (address: string | null) =>
      post(server.url, { apiKey }, await verbs.register.prepare(desk, buyer, address));
    await order(null);
    newLines();
    for (let i = 0; i < REQUESTS; i++) expect((await order(faults.refusesConnection))?.status).toBe(503);
    expect((await order(null))?.status).toBe(200);
    // The log arrives on its own way.
    await vi.waitFor(() => expect(server.logLines().length - read).toBeGreaterThanOrEqual(2));
    const lines = newLines();
    expect(lines).toMatchObject([
      { msg: "the provider gives no clear answer to requests", provider: "sandbox", failures: 1 },
      { msg: "the provider answers requests again", provider: "sandbox", failures: REQUESTS },
    ]);
    expectNoSecrets(lines);
  },
  TIMEOUT_MS,
);

test(
  "a provider that responds with 500, then not at all: one line for each, none with its key",
  async () => {
    const upstream = createServer((_, response) => response.writeHead(500).end("<h1>Internal Server Error</h1>"));
    await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
    const { port } = upstream.address() as AddressInfo;
    await createProvider(desk.operator, {
      name: "upstream",
      baseUrl: `http://127.0.0.1:${port}/api/v1/`,
      apiKey: PROVIDER_KEY,
    });
    await desk.db.query(
      sql("update products set provider = 'upstream', provider_sku = '1' where slug = 'control_panel'"),
      [],
    );
    await desk.db.query(sql("update billing_cycles set provider_cycle = '1'"), []);
    const buyer = { resellerId: resellerId as never, ctx: desk.operator };
    const order = async () =>
      (await post(server.url, { apiKey }, await verbs.register.prepare(desk, buyer, null, "control_panel")))?.status;
    newLines();
    for (let i = 0; i < REQUESTS; i++) expect(await order()).toBe(202);
    expect(newLines()).toMatchObject([{ msg: "the provider gives no clear answer to requests", provider: "upstream" }]);
    upstream.closeAllConnections();
    await new Promise((resolve) => upstream.close(resolve));
    for (let i = 0; i < REQUESTS; i++) expect(await order()).toBe(503);
    const lines = newLines();
    expect(lines).toMatchObject([
      {
        msg: expect.stringContaining("circuit breaker opened"),
        provider: "upstream",
        failures: 5,
        lastKind: "connection",
      },
    ]);
    expect(JSON.stringify(server.logLines())).not.toContain(PROVIDER_KEY);
  },
  TIMEOUT_MS,
);

async function whileReadOnly(work: () => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  const set = async (on: boolean) => {
    await client.query(`set default_transaction_read_only = off`);
    await client.query(`alter database license_desk set default_transaction_read_only = ${on ? "on" : "off"}`);
    await client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = 'license_desk' and pid <> pg_backend_pid()",
    );
  };
  await set(true);
  await work();
  await set(false);
  await client.end();
}

test.each([
  ["a stopped database", whileStopped, "the database is unreachable", "the database is reachable again"],
  ["a read-only database", whileReadOnly, "the database is read-only", "the database is writable again"],
])(
  "with a worker, %s logs no other errors, and the worker continues afterwards",
  async (_, during, began, ended) => {
    const working = await startServer({ databaseUrl: proxy.url, env: { LOG_LEVEL: "info", WORKER: "on" } });
    const text = "select from graphile_worker.jobs where key = $1";
    const isPruned = sql("select from job_runs where name = 'prune' and process_id is null and next_at > now()");
    const doJob = async (key: string) => {
      await desk.db.query(sql("select graphile_worker.add_job('deliver_webhooks', job_key => $1)"), [key]);
      await makeJobDue(desk.db, "prune");
      await vi.waitFor(async () => expect(await desk.db.query(sql(text), [key])).toEqual([]), 40_000);
      await vi.waitFor(async () => expect(await desk.db.query(isPruned, [])).toHaveLength(1), 40_000);
    };
    try {
      await vi.waitFor(() => doJob("before"), 60_000);
      const before = working.logLines().length;
      await during(() => sleep(12_000));
      await vi.waitFor(() => doJob("after"), 60_000);
      const lines = working.logLines().slice(before);
      expect(lines.filter(({ level }) => Number(level) >= ERROR_LEVEL)).toEqual([]);
      expect(lines.map(({ msg }) => msg)).toEqual(expect.arrayContaining([began, ended]));
      expect(lines.length).toBeLessThanOrEqual(10);
      expectNoSecrets(lines);
    } finally {
      await working.kill();
    }
  },
  TIMEOUT_MS,
);
