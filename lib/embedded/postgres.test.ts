import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { runMigrations } from "graphile-worker";
import pg from "pg";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { applyMigrations } from "#lib/db/schema/migrate.ts";
import { openDataDir } from "./data-dir.ts";
import { findRunningPostgres, startEmbeddedPostgres } from "./postgres.ts";

vi.mock("node:timers/promises", { spy: true });

let dataDir: string;

beforeEach(() => {
  dataDir = openDataDir(mkdtempSync(join(tmpdir(), "embedded-")));
});

afterEach(() => rmSync(dataDir, { recursive: true }));

const start = () => startEmbeddedPostgres({ dataDir, log: () => undefined, durable: false });

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** A process that starts the database and waits to be killed. */
async function startElsewhere(): Promise<ChildProcess> {
  const module = join(import.meta.dirname, "postgres.ts");
  const script = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(module)});
    await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, log() {}, durable: false });
    process.stdout.write("ready");
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise((resolve) => child.stdout?.once("data", resolve));
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await exited;
}

test("data survives a stop and a start, on the same or another port", async () => {
  const first = await start();
  expect(first.firstStart).toBe(true);
  await query(first.url, "create table kept (id int)");
  first.completeFirstStart();
  await first.stop();
  const second = await start();
  expect(second.firstStart).toBe(false);
  expect(await query(second.url, "select * from kept")).toEqual([]);
  await second.stop();
});

test("the log of a crashed server survives the next start", async () => {
  const elsewhere = await startElsewhere();
  await kill(elsewhere);
  const orphan = findRunningPostgres(dataDir);
  process.kill(orphan?.pid ?? 0, "SIGQUIT");
  const readLog = () => readFileSync(join(dataDir, "postgres.log"), "utf8");
  await vi.waitFor(() => expect(readLog()).toMatch(/received immediate shutdown request/), { timeout: 10_000 });
  const postgres = await start();
  expect(readLog()).toMatch(/received immediate shutdown request.*database system is ready to accept connections/s);
  await postgres.stop();
});

test("a database of another major version of PostgreSQL is left as it is, and the error says what to do", async () => {
  const first = await start();
  await query(first.url, "create table kept (id int)");
  first.completeFirstStart();
  await first.stop();
  const versionFile = join(dataDir, "postgres", "PG_VERSION");
  const version = readFileSync(versionFile, "utf8").trim();
  writeFileSync(versionFile, "16\n");
  await expect(start()).rejects.toThrow(
    `The database did not start: PostgreSQL 16 created it, and this version of License Desk has PostgreSQL ${version}. Make a backup`,
  );
  writeFileSync(versionFile, `${version}\n`);
  const second = await start();
  expect(await query(second.url, "select * from kept")).toEqual([]);
  await second.stop();
});

test("an incomplete first start is started over", async () => {
  const first = await start();
  await query(first.url, "create table half_seeded (id int)");
  await first.stop();
  const second = await start();
  expect(second.firstStart).toBe(true);
  expect(await query(second.url, "select to_regclass('half_seeded') as found")).toEqual([{ found: null }]);
  await second.stop();
});

test("the server has checksums, sorts by code point, and requires the password", async () => {
  const postgres = await start();
  const [settings] = await query(
    postgres.url,
    "select current_setting('data_checksums') as checksums, 'Z' < 'a' as by_code_point, lower('Ä') as lowered",
  );
  expect(settings).toEqual({ checksums: "on", by_code_point: true, lowered: "ä" });
  const wrong = new URL(postgres.url);
  wrong.password = "guessed";
  await expect(query(wrong.href, "select 1")).rejects.toThrow(/password authentication failed/);
  await postgres.stop();
});

test("the application is not a superuser: it owns its database and has no other right", async () => {
  const postgres = await start();
  const [role] = await query(
    postgres.url,
    `select rolname, rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls,
            (select count(*)::int from pg_auth_members where member = r.oid) as memberships,
            (select pg_get_userbyid(datdba) from pg_database where datname = current_database()) as owner
       from pg_roles r where rolname = current_user`,
  );
  expect(role).toEqual({
    rolname: "license_desk",
    rolsuper: false,
    rolcreatedb: false,
    rolcreaterole: false,
    rolreplication: false,
    rolbypassrls: false,
    memberships: 0,
    owner: "license_desk",
  });
  for (const sql of [
    "copy (select 1) to program 'cat'",
    "select pg_read_file('postgresql.conf')",
    "select lo_import('/etc/hostname')",
    "create role intruder superuser",
    "create database elsewhere",
    "alter system set log_statement = 'all'",
    "set session_replication_role = 'replica'",
    "select rolpassword from pg_authid",
  ]) {
    await expect(query(postgres.url, sql), sql).rejects.toThrow(/permission denied|must be/);
  }
  await postgres.stop();
});

test("the application's role migrates its database, queues jobs, and is still not a superuser after another start", async () => {
  const first = await start();
  const migrationsDir = join(import.meta.dirname, "..", "..", "prisma", "migrations");
  await applyMigrations({ databaseUrl: first.url, migrationsDir });
  const pool = new pg.Pool({ connectionString: first.url });
  // An ending connection that the server closes first is not a failure.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  await runMigrations({ pgPool: pool });
  await pool.end();
  first.completeFirstStart();
  await first.stop();
  const second = await start();
  const sql = `select usesuper, (select count(*)::int from pg_extension where extname in ('btree_gist', 'pg_trgm')) as extensions,
                      exists (select from pg_namespace where nspname = 'graphile_worker') as queue
                 from pg_user where usename = current_user`;
  expect(await query(second.url, sql)).toEqual([{ usesuper: false, extensions: 2, queue: true }]);
  await second.stop();
});

test("other programs find the running server through a file that only the owner can read", async () => {
  expect(findRunningPostgres(dataDir)).toBeNull();
  const postgres = await start();
  expect(findRunningPostgres(dataDir)?.url).toBe(postgres.url);
  expect(statSync(join(dataDir, "postgres.json")).mode & 0o777).toBe(0o600);
  await postgres.stop();
  expect(findRunningPostgres(dataDir)).toBeNull();
});

test("a server that outlived its killed License Desk is stopped, with its data intact", async () => {
  const elsewhere = await startElsewhere();
  await kill(elsewhere);
  const orphan = findRunningPostgres(dataDir);
  expect(orphan).not.toBeNull();
  const postgres = await start();
  expect(findRunningPostgres(dataDir)?.pid).not.toBe(orphan?.pid);
  await postgres.stop();
});

test("a pid file whose number belongs to an unrelated process does not prevent the start", async () => {
  const first = await start();
  await first.stop();
  const stale = readFileSync(join(dataDir, "postgres", "postmaster.opts"), "utf8");
  writeFileSync(join(dataDir, "postgres", "postmaster.pid"), `${process.pid}\n${stale}`);
  const second = await start();
  await second.stop();
});

test("an interrupted creation is repeated", async () => {
  mkdirSync(join(dataDir, "postgres.new"));
  writeFileSync(join(dataDir, "postgres.new", "PG_VERSION"), "18\n");
  const postgres = await start();
  await postgres.stop();
});

test("a lost password file is an error, not replaced with a new password", async () => {
  const postgres = await start();
  await postgres.stop();
  rmSync(join(dataDir, "postgres.json"));
  await expect(start()).rejects.toThrow(/postgres.json.*is gone/);
});

test("a server that may still run on another machine is fenced off, and waited for, before another is started", async () => {
  const elsewhere = await startElsewhere();
  await kill(elsewhere);
  const orphan = findRunningPostgres(dataDir)?.pid ?? 0;
  const stateFile = join(dataDir, "postgres.json");
  const pidFile = join(dataDir, "postgres", "postmaster.pid");
  writeFileSync(stateFile, JSON.stringify({ ...JSON.parse(readFileSync(stateFile, "utf8")), place: "elsewhere" }));
  const lines: string[] = [];
  const stopping = new AbortController();
  const log = (line: string) => {
    lines.push(line);
    stopping.abort();
  };
  const starting = () => startEmbeddedPostgres({ dataDir, log, durable: false, signal: stopping.signal });
  for (let attempt = 0; attempt < 2; attempt += 1) await expect(starting()).rejects.toThrow(/aborted/);
  expect(lines).toEqual(Array(2).fill(expect.stringMatching(/waiting 2 minutes/)));
  // Which PostgreSQL takes for the end of its right to these files, within two minutes.
  expect(readFileSync(pidFile, "utf8")).toBe("0\n");
  process.kill(orphan, "SIGKILL");
});

test("a wait for a server elsewhere that was interrupted is repeated, also by the machine of that server", async () => {
  const first = await start();
  await first.stop();
  writeFileSync(join(dataDir, "postgres", "postmaster.pid"), "0\n");
  const lines: string[] = [];
  const waiting = vi
    .mocked(sleep)
    .mockClear()
    .mockImplementationOnce(async () => undefined);
  const second = await startEmbeddedPostgres({ dataDir, log: (line) => void lines.push(line), durable: false });
  expect(waiting.mock.calls[0]?.[0]).toBe(125_000);
  expect(lines).toEqual([expect.stringMatching(/waiting 2 minutes/)]);
  await second.stop();
});
