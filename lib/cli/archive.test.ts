import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { toTimestamp } from "#lib/domain/times.ts";
import { type Archive, startArchive } from "#lib/embedded/archive/archive.ts";
import { listBases, listSegments } from "#lib/embedded/archive/folder.ts";
import { listLines } from "#lib/embedded/archive/line.ts";
import { loadSecrets, openDataDir } from "#lib/embedded/data-dir.ts";
import { findRunningPostgres, startEmbeddedPostgres } from "#lib/embedded/postgres.ts";
import { seedCatalog } from "#lib/seed/catalog.ts";
import { checkDeployment } from "#lib/server/deployment.ts";
import { prepareDatabase } from "#lib/server/prepare-database.ts";
import { compiledCode } from "#tests/compiled-code.ts";
import { type Environment, runHere } from "#tests/support/command-line.ts";
import { runSql } from "#tests/support/database-contents.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld } from "#tests/support/world.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** A charge whose answer was given. */
interface Charge {
  readonly license: number;
  readonly at: number;
}

const log = () => undefined;
const folder = mkdtempSync(join(tmpdir(), "license-desk-archive-"));
const archiveDir = join(folder, "archive");
const charges: Charge[] = [];
let secrets: string;
let killedAt: number;

const admin = (args: readonly string[], dataDir: string) => {
  vi.stubEnv("ENCRYPTION_KEY", undefined);
  return runHere(args, { DATA_DIR: dataDir, DEMO: "off" } as Environment);
};

/** Waits until the newest line, of so many, has a copy of the database. */
const hasBase = (count: number) =>
  vi.waitFor(
    async () => {
      const lines = await listLines(archiveDir);
      expect(lines).toHaveLength(count);
      expect(await listBases(String(lines.at(-1)?.folder))).toHaveLength(1);
    },
    { timeout: 30_000, interval: 50 },
  );

async function charge(reseller: ResellerWorld, untilMs: number): Promise<void> {
  while (Date.now() < untilMs) {
    const { licenseId } = await reseller.register({ type: "web_server" });
    charges.push({ license: Number(licenseId), at: Date.now() });
  }
}

/** The machine with DATA_DIR is lost in the middle of its work; the archive was on another one. */
beforeAll(async () => {
  const dataDir = openDataDir(join(folder, "original"));
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  const deployment = { databaseUrl: postgres.url, dataDir, configuredId: undefined, secrets: loadSecrets(dataDir) };
  await prepareDatabase({ ...deployment, safeMode: false, log });
  postgres.completeFirstStart();
  expect(await checkDeployment(deployment)).toEqual({ kind: "own" });
  const world = await newWorld({ database: { url: postgres.url, drop: async () => undefined } });
  await seedCatalog(world.db);
  const reseller = await world.reseller({ funds: "1000000" });
  const archive: Archive = await startArchive({ ...postgres, folder: archiveDir, deployment: "original", log });
  await hasBase(1);
  await sleep(1_000);
  await charge(reseller, Date.now() + 2_000);
  await runSql(postgres.adminUrl, "select pg_switch_wal()");
  await sleep(1_500);
  await charge(reseller, Date.now() + 2_000);
  await world.leave();
  secrets = join(folder, "secrets.json");
  cpSync(join(dataDir, "secrets.json"), secrets);
  process.kill(Number(findRunningPostgres(dataDir)?.pid), "SIGKILL");
  killedAt = Date.now();
  rmSync(dataDir, { recursive: true, force: true });
  await archive.stop();
  await postgres.exited;
  rmSync(dataDir, { recursive: true, force: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Restores into a new DATA_DIR with the old secrets, and returns its licenses. */
async function restore(name: string, ...options: string[]) {
  const dataDir = openDataDir(join(folder, name));
  cpSync(secrets, join(dataDir, "secrets.json"));
  const result = await admin(["restore", "--from", archiveDir, ...options], dataDir);
  expect(result).toMatchObject({ code: 0 });
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  try {
    const rows = await runSql(postgres.url, "select id from licenses");
    return { dataDir, ids: new Set(rows.map(({ id }) => Number(id))) };
  } finally {
    await postgres.stop();
  }
}

test("after the loss of DATA_DIR, everything is there that was charged until a second before", async () => {
  const { dataDir, ids } = await restore("restored");
  const safe = charges.filter(({ at }) => at < killedAt - 1_000);
  expect(safe.length).toBeGreaterThan(10);
  expect(safe.filter(({ license }) => !ids.has(license))).toEqual([]);
  expect(await admin(["wallet", "verify"], dataDir)).toMatchObject({ code: 0 });
  expect(await admin(["audit", "verify"], dataDir)).toMatchObject({ code: 0 });
  const topUp = ["wallet", "top-up", "--reseller", "1", "--amount", "5", "--note", "n"];
  expect(await admin(topUp, dataDir)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/SAFE MODE.*\n.*read-only/),
  });
  expect(await admin(["deployment", "resume"], dataDir)).toMatchObject({ code: 0 });
  expect(await admin(topUp, dataDir)).toMatchObject({ code: 0 });
});

test("it comes back as it was at an instant: with the charges before, without those after", async () => {
  const half = charges.findIndex(({ at }, index) => at - Number(charges[index - 1]?.at) > 1_000);
  const pauseEnds = Number(charges[half]?.at);
  const instant = new Date(Math.floor((pauseEnds - 500) / 1_000) * 1_000).toISOString().replace(".000Z", "Z");
  const { ids } = await restore("earlier", "--at", instant);
  const before = charges.filter(({ at }) => at < Date.parse(instant));
  expect(before.length).toBeGreaterThan(5);
  expect([...ids].toSorted((a, b) => a - b)).toEqual(before.map(({ license }) => license));
});

test("a restore that was killed is recognized by every command, and can be repeated", async () => {
  const dataDir = openDataDir(join(folder, "killed"));
  const script = join(import.meta.dirname, "../../scripts/admin.ts");
  const env = { ...compiledCode, PATH: process.env.PATH, NODE_ENV: "test" as const, DATA_DIR: dataDir };
  const command = spawn(process.execPath, [script, "restore", "--from", archiveDir], { env });
  const ended = once(command, "exit");
  await expect.poll(() => existsSync(join(dataDir, "postgres", "base")), { timeout: 20_000, interval: 2 }).toBe(true);
  command.kill("SIGKILL");
  await ended;
  const says = expect.stringContaining(`The restore of ${archiveDir} into ${dataDir} was interrupted`);
  expect(await admin(["wallet", "verify"], dataDir)).toMatchObject({ code: 1, stderr: says });
  expect(await admin(["doctor"], dataDir)).toMatchObject({ code: 1, stdout: says });
  expect(await admin(["restore", "--from", archiveDir], dataDir)).toMatchObject({ code: 0 });
  // New ones would be refused.
  const withoutSecrets = expect.stringMatching(/^The secrets are neither in the environment nor in /);
  expect(await admin(["wallet", "verify"], dataDir)).toMatchObject({ code: 1, stderr: withoutSecrets });
  expect(existsSync(join(dataDir, "secrets.json"))).toBe(false);
  const { ids } = await restore("killed-again");
  expect(ids.size).toBeGreaterThan(10);
});

test("a time outside of the archive, a used DATA_DIR and a missing segment are refused in one line", async () => {
  const refusal = async (name: string, from: string, ...options: string[]) => {
    const dataDir = join(folder, name);
    const { code, stdout, stderr } = await admin(["restore", "--from", from, ...options], dataDir);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    return stderr;
  };
  expect(await refusal("new", archiveDir, "--at", "2020-01-01T00:00:00Z")).toMatch(
    /^The archive in .* begins at .*\n$/,
  );
  expect(await refusal("new", archiveDir, "--at", "2090-01-01T00:00:00Z")).toMatch(
    /^The line (\S+) ends before that time: restore all of it by --line \1, without --at\.\n$/,
  );
  expect(existsSync(join(folder, "new", "postgres"))).toBe(false);
  expect(await refusal("restored", archiveDir)).toMatch(/has a database already: .* Nothing was changed\.\n$/);
  const damaged = join(folder, "damaged");
  cpSync(archiveDir, damaged, { recursive: true });
  const [line = ""] = (await listLines(damaged)).map((found) => found.folder);
  const [base] = await listBases(line);
  for (const { file, name } of await listSegments(line)) if (name === base?.segment) rmSync(file);
  expect(await refusal("new", damaged)).toMatch(/lacks the segment 0000\w{20}\.\n$/);
  expect(readdirSync(join(folder, "new"))).not.toContain("postgres");
});

/** Runs a restored database with the archive until a change is copied, and loses it. Returns an instant after the change. */
async function runAndLose(dataDir: string, deployment: string, notes: string, lineCount: number): Promise<Date> {
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  const archive = await startArchive({ ...postgres, folder: archiveDir, deployment, log });
  await hasBase(lineCount);
  await runSql(postgres.url, `update resellers set notes = '${notes}'`);
  await sleep(1_500);
  const writtenAt = new Date();
  await sleep(500);
  await runSql(postgres.url, "update resellers set name = name");
  await sleep(1_000);
  process.kill(Number(findRunningPostgres(dataDir)?.pid), "SIGKILL");
  rmSync(dataDir, { recursive: true, force: true });
  await archive.stop();
  await postgres.exited;
  rmSync(dataDir, { recursive: true, force: true });
  return writtenAt;
}

async function readNotes(dataDir: string) {
  const server = await startEmbeddedPostgres({ dataDir, log });
  const rows = await runSql(server.url, "select notes from resellers where sandbox_of is null");
  await server.stop();
  return rows;
}

test("a restored database goes on in the same archive; restored twice, nothing of the first attempt comes back", async () => {
  const first = await runAndLose(join(folder, "restored"), "first attempt", "first", 2);
  const again = await restore("again");
  expect(await readNotes(again.dataDir)).toEqual([{ notes: "first" }]);
  const { dataDir, ids } = await restore("second", "--at", toTimestamp(new Date(killedAt - 1_500)));
  expect(ids.size).toBeGreaterThan(5);
  await runAndLose(dataDir, "second attempt", "second", 3);
  const last = await restore("last");
  expect(await readNotes(last.dataDir)).toEqual([{ notes: "second" }]);
  const rejected = await restore("rejected", "--at", toTimestamp(first));
  expect(await readNotes(rejected.dataDir)).toEqual([{ notes: "first" }]);
});
