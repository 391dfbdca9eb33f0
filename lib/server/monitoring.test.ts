import type { Server } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { fingerprintSecret } from "#lib/domain/deployment.ts";
import { readEnv } from "#lib/env.ts";
import { closeRuntime, getRuntime } from "#lib/runtime.ts";
import { sql } from "#tests/sql.ts";
import { exchange, readAnswer } from "#tests/support/raw-http.ts";
import { newWorld, PEPPER, type World } from "#tests/support/world.ts";
import { closeGracefully, createHttpServer, listen } from "./http-server.ts";
import { protectionFromEnv } from "./protection.ts";
import { MAX_WAIT_MS } from "./readiness.ts";

const TOKEN = "a-token-for-scraping-long-enough-for-one";
/** Twice, nothing. */
const CHANGE_CHECKSUMS = "update _prisma_migrations set checksum = reverse(checksum)";
let world: World;
let server: Server | undefined;
let shutdown: AbortController;
let port: number;

beforeAll(async () => {
  world = await newWorld();
  await run(
    `insert into deployment (single, deployment_id, place, pepper_fingerprint, auth_fingerprint, encryption_fingerprint, resumed_at, timeline)
     values (true, gen_random_uuid(), 'here', '${fingerprintSecret(PEPPER)}', '', '', now(), 1)`,
  );
});
afterAll(() => world.close());
beforeEach(() => {
  shutdown = new AbortController();
});
afterEach(async () => {
  vi.restoreAllMocks();
  if (server) await closeGracefully(server, 0);
  await closeRuntime();
});

const run = (text: string) => world.db.query(sql(text), []);

/** A process on the database, whose answers do not depend on earlier tests. */
async function serve(env: Readonly<Record<string, string>> = {}): Promise<void> {
  const own = { DATABASE_URL: world.url, API_KEY_PEPPER: PEPPER, LOG_LEVEL: "silent", METRICS_TOKEN: "", ...env };
  Object.assign(process.env, own);
  server = createHttpServer((_, response) => response.end("page"), protectionFromEnv(readEnv(), shutdown.signal));
  await listen(server, "127.0.0.1", 0);
  port = (server.address() as AddressInfo).port;
}

async function ask(path: string, headers: Readonly<Record<string, string>> = {}, method = "GET") {
  const lines = Object.entries({ Host: `127.0.0.1:${port}`, Connection: "close", ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return readAnswer(await exchange(port, `${method} ${path} HTTP/1.1\r\n${head}\r\n`));
}

async function askReady() {
  const { status, body } = await ask("/readyz");
  const { status: word, checks } = JSON.parse(body) as { status: string; checks: { check: string; status: string }[] };
  return { status, word, failed: checks.filter((one) => one.status === "failed"), checks };
}

describe("/healthz", () => {
  test("answers while the process lives, also without a database", async () => {
    await serve({ DATABASE_URL: "postgresql://nobody@127.0.0.1:1/none" });
    expect(await ask("/healthz")).toMatchObject({ status: 200, body: '{"status":"ok"}\n' });
  });

  test.each(["POST", "PUT", "DELETE", "OPTIONS"])("refuses %s", async (method) => {
    await serve();
    expect(await ask("/healthz", { "Content-Length": "0" }, method)).toMatchObject({
      status: 405,
      headers: { Allow: "GET, HEAD" },
    });
  });

  test("is one address: what lies beside it is a page", async () => {
    await serve();
    for (const path of ["/healthz/", "/healthz/x", "/healthzz", "/constructor"]) {
      expect(await ask(path), path).toMatchObject({ body: "page" });
    }
  });
});

describe("/readyz", () => {
  test("lists every check; that no worker lives anywhere is a warning", async () => {
    await serve();
    const ok = ["database", "schema", "secrets", "shutdown"].map((check) => ({ check, status: "ok" }));
    const answer = await askReady();
    expect(answer).toMatchObject({ status: 200, word: "ready", failed: [] });
    expect(answer.checks).toEqual(
      expect.arrayContaining([...ok, { check: "worker", status: "warning", reason: "no live worker" }]),
    );
  });

  test("another instance's worker is enough", async () => {
    await run(`insert into processes (id, host, pid, job_workers, started_at, lease_until)
               values (gen_random_uuid(), 'elsewhere', 1, '{w1}', now(), now() + interval '1 hour')`);
    await serve();
    expect((await askReady()).checks).toContainEqual({ check: "worker", status: "ok" });
    await run("delete from processes where host = 'elsewhere'");
  });

  test("that no process runs a scheduled job is a warning, though a worker lives", async () => {
    await run(`insert into processes (id, host, pid, job_workers, started_at, lease_until)
               values (gen_random_uuid(), 'elsewhere', 1, '{w1}', now() - interval '1 hour', now() + interval '1 hour')`);
    await run("insert into job_runs (name, next_at) values ('renew_due', now() - interval '16 minutes')");
    await serve();
    const late = { check: "worker", status: "warning", reason: "late: “Renew licenses”" };
    expect(await askReady()).toMatchObject({ status: 200, checks: expect.arrayContaining([late]) });
    await run("delete from processes where host = 'elsewhere'");
    await run("delete from job_runs");
  });

  test("is 503 on a database of another schema version, and 200 on that of a newer one", async () => {
    await run(CHANGE_CHECKSUMS);
    await serve();
    expect(await askReady()).toMatchObject({
      status: 503,
      word: "not_ready",
      failed: [{ check: "schema", reason: "not the schema of this version" }],
    });
    await run(CHANGE_CHECKSUMS);
    await run(
      `insert into _prisma_migrations (id, checksum, migration_name, finished_at) values ('n', 'n', '99990101000000_newer', now())`,
    );
    await expect.poll(async () => (await askReady()).status, { timeout: 10_000 }).toBe(200);
    await run("delete from _prisma_migrations where id = 'n'");
  });

  test("is 503 with other secrets than the database's", async () => {
    await serve({ API_KEY_PEPPER: "another pepper, also long enough for one" });
    expect((await askReady()).failed).toEqual([
      { check: "secrets", status: "failed", reason: "not the secrets of this database" },
    ]);
  });

  test("is 503 while the database is read-only", async () => {
    const url = new URL(world.url);
    url.searchParams.set("options", "-c default_transaction_read_only=on");
    await serve({ DATABASE_URL: url.href });
    expect((await askReady()).failed).toEqual([{ check: "database", status: "failed", reason: "read-only" }]);
  });

  test("is 503 without a database, without delay", async () => {
    await serve({ DATABASE_URL: "postgresql://nobody@127.0.0.1:1/none" });
    expect(await askReady()).toMatchObject({ status: 503, failed: [{ check: "database", reason: "unreachable" }] });
  });

  test("is 503 before probes give up if the database accepts connections and never answers", async () => {
    const silent = createServer(() => undefined).listen(0, "127.0.0.1");
    const { port: silentPort } = await new Promise<AddressInfo>((resolve) =>
      silent.once("listening", () => resolve(silent.address() as AddressInfo)),
    );
    await serve({ DATABASE_URL: `postgresql://nobody@127.0.0.1:${silentPort}/none` });
    const answers = await Promise.all([askReady(), askReady(), askReady()]);
    expect(MAX_WAIT_MS).toBeLessThan(1_000);
    for (const { failed } of answers) expect(failed).toMatchObject([{ reason: "does not answer in time" }]);
    silent.close();
  });

  test("is 503 once the process shuts down, while it still answers", async () => {
    await serve();
    expect((await askReady()).status).toBe(200);
    shutdown.abort();
    expect(await askReady()).toMatchObject({ status: 503, checks: [{ check: "shutdown", reason: "shutting down" }] });
    expect(await ask("/healthz")).toMatchObject({ status: 200 });
  });

  test("a flood of probes costs the database one statement a second", async () => {
    await serve();
    await getRuntime().processLease.ready();
    let statements = 0;
    const query = pg.Client.prototype.query;
    vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (this: pg.Client, ...args: unknown[]) {
      if ((args[0] as { name?: string }).name === "read_readiness") statements += 1;
      return Reflect.apply(query, this, args);
    });
    const startMs = performance.now();
    const answers = await Promise.all(Array.from({ length: 90 }, askReady));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(statements).toBeGreaterThan(0);
    expect(statements).toBeLessThanOrEqual(1 + Math.floor((performance.now() - startMs) / 1_000));
  });
});

describe("/metrics", () => {
  test("are for this machine", async () => {
    await serve();
    const answer = await ask("/metrics");
    expect(answer).toMatchObject({ status: 200, headers: { "Content-Type": expect.stringMatching(/^text\/plain/) } });
    expect(answer.body).toMatch(/^process_cpu_seconds_total \d/m);
  });

  test.each([
    ["through a proxy", { "X-Forwarded-For": "127.0.0.1" }],
    ["through a proxy that follows RFC 7239", { Forwarded: "for=127.0.0.1" }],
    ["through a proxy that passes on the host", { Host: "desk.example.com" }],
    ["by a page of another site whose name leads here", { Host: "attacker.example:80" }],
  ])("do not exist %s", async (_, headers) => {
    await serve();
    expect(await ask("/metrics", headers)).toMatchObject({ status: 404, body: '{"status":"not_found"}\n' });
  });

  const forwarded = { "X-Forwarded-For": "203.0.113.7" };
  test.each([
    ["no token", {}],
    ["a wrong token", { Authorization: `Bearer ${TOKEN}x` }],
    ["the beginning of the token", { Authorization: `Bearer ${TOKEN.slice(0, -1)}` }],
    ["an empty token", { Authorization: "Bearer " }],
    ["another scheme", { Authorization: `Basic ${TOKEN}` }],
  ])("ask other machines with %s for the token, if there is one", async (_, headers) => {
    await serve({ METRICS_TOKEN: TOKEN });
    const answer = await ask("/metrics", { ...forwarded, ...headers });
    expect(answer).toMatchObject({ status: 401, headers: { "WWW-Authenticate": "Bearer" } });
    expect(answer.body).not.toContain("process_");
  });

  test("are served to any machine that sends the token", async () => {
    await serve({ METRICS_TOKEN: TOKEN });
    const answer = await ask("/metrics", { ...forwarded, Authorization: `Bearer ${TOKEN}` });
    expect(answer).toMatchObject({ status: 200, body: expect.stringContaining("process_cpu_seconds_total") });
  });
});
