import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, expect, test, vi } from "vitest";
import { openDatabase } from "#lib/db/connection/client.ts";
import { readFigures } from "#lib/db/monitoring/figures.ts";
import { judgeSystem } from "#lib/domain/system-health.ts";
import { type Base, listBases } from "#lib/embedded/archive/folder.ts";
import { listLines } from "#lib/embedded/archive/line.ts";
import { openDataDir } from "#lib/embedded/data-dir.ts";
import { startEmbeddedPostgres } from "#lib/embedded/postgres.ts";
import { writePrivateJson } from "#lib/embedded/private-file.ts";
import { startTemporaryPostgres } from "#lib/embedded/temporary-postgres.ts";
import { readEnv } from "#lib/env.ts";
import { runSql } from "#tests/support/database-contents.ts";
import { boot } from "./boot.ts";

vi.setConfig({ testTimeout: 60_000 });

const folder = mkdtempSync(join(tmpdir(), "license-desk-boot-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Starts up to where a server listens, and stops again. */
async function run(
  change: Readonly<Record<string, string>>,
  whileRunning: (databaseUrl: string) => Promise<void>,
): Promise<string[]> {
  const lines: string[] = [];
  const variables = { DATA_DIR: join(folder, "data"), PORT: "0", DEMO: "off", ...change };
  const env = readEnv(variables as NodeJS.ProcessEnv & typeof variables);
  const cleanups: (() => Promise<void> | void)[] = [];
  const stopping = new AbortController();
  try {
    const { databaseUrl } = await boot({
      env,
      log: (line) => lines.push(line),
      signal: stopping.signal,
      addCleanup: (cleanup) => void cleanups.push(cleanup),
      onDatabaseLost: (error) => expect.fail(error.message),
    });
    await whileRunning(databaseUrl);
  } finally {
    stopping.abort();
    for (const cleanup of cleanups.toReversed()) await cleanup();
  }
  return lines;
}

test.each([
  ["is reachable from other machines", { HOST: "0.0.0.0", DEMO: "on" }],
  ["runs with DEMO=off", { DEMO: "off" }],
] as const)("a database whose server %s starts without demonstration, users and keys", async (_, variables) => {
  const DATA_DIR = join(folder, "empty");
  try {
    const lines = await run({ DATA_DIR, ...variables }, async (url) => {
      const rows = await runSql(
        url,
        "select from resellers union all select from users union all select from api_keys",
      );
      expect(rows).toEqual([]);
    });
    expect(lines.join("\n")).toContain("user create-admin");
    expect(existsSync(join(DATA_DIR, "demo.json"))).toBe(false);
  } finally {
    rmSync(DATA_DIR, { recursive: true, force: true });
  }
});

test("a new database on this machine alone gets the demonstration, and its credentials are in demo.json", async () => {
  const DATA_DIR = join(folder, "demonstration");
  try {
    const lines = await run({ DATA_DIR, HOST: "127.0.0.1", DEMO: "on" }, async (url) => {
      expect(await runSql(url, "select name from resellers")).toEqual([{ name: "Northwind Hosting" }]);
    });
    const access = JSON.parse(readFileSync(join(DATA_DIR, "demo.json"), "utf8"));
    expect(access.api_key).toMatch(/^lk_live_/);
    expect(lines.join("\n")).toContain(access.api_key);
  } finally {
    rmSync(DATA_DIR, { recursive: true, force: true });
  }
});

test("what a backup's interrupted check left in DATA_DIR is gone before the database starts", async () => {
  await run({}, async () => undefined);
  const check = join(folder, "data", "backup-check");
  const left = await startEmbeddedPostgres({ dataDir: openDataDir(check), log: () => undefined });
  // Its process has ended, and another one has its id.
  writePrivateJson(join(check, "license-desk.lock"), { pid: process.pid, birth: "earlier", url: null });
  const lines = await run({}, async () => expect(existsSync(check)).toBe(false));
  await left.exited;
  expect(lines).toEqual([]);
});

test("the check of a backup that another process makes is not disturbed by a start", async () => {
  const check = await startTemporaryPostgres(join(folder, "data", "backup-check"));
  await run({}, async () => expect(await runSql(check.url, "select 1 as one")).toEqual([{ one: 1 }]));
  await check.stop();
  expect(existsSync(join(folder, "data", "backup-check"))).toBe(false);
});

async function basesIn(archive: string): Promise<Base[]> {
  const [line] = await listLines(archive);
  return line ? listBases(line.folder) : [];
}

async function readArchiveCheck(url: string): Promise<string> {
  const db = openDatabase({ url, poolSize: 1 });
  const machine = { disks: [], silentFolders: [], clockOffsetMs: 0 };
  const checks = judgeSystem(await readFigures(db).finally(() => db.close()), [], machine, new Date());
  const found = checks.find(({ name }) => name === "archive");
  return found ? `${found.status}: ${found.detail}` : "none";
}

async function countSlots(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rowCount } = await client.query("select from pg_replication_slots").finally(() => client.end());
  return Number(rowCount);
}

test("a start after an interrupted restore ends with what to do, and creates no database", async () => {
  const DATA_DIR = openDataDir(join(folder, "half-restored"));
  writePrivateJson(join(DATA_DIR, "restore.json"), { from: "/backups/yesterday.tar.gz" });
  await expect(run({ DATA_DIR }, async () => undefined)).rejects.toThrow(
    /^The restore of \/backups\/yesterday\.tar\.gz into .* was interrupted, .* Run the restore again, or delete /,
  );
  expect(existsSync(join(DATA_DIR, "postgres"))).toBe(false);
});

test("with ARCHIVE_DIR a start archives the database; without it, the log is no longer kept", async () => {
  const archive = join(folder, "archive");
  await run({ ARCHIVE_DIR: archive }, async (url) => {
    await vi.waitFor(async () => expect(await basesIn(archive)).toHaveLength(1), { timeout: 30_000, interval: 50 });
    expect(await countSlots(url)).toBe(1);
  });
  await run({}, async (url) => expect(await countSlots(url)).toBe(0));
});

test("an archive that stands still is a problem of the installation until it moves again", async () => {
  const archive = join(folder, "still");
  const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 40_000, interval: 200 });
  const DATA_DIR = join(folder, "archived");
  await run({ DATA_DIR, ARCHIVE_DIR: archive }, async (url) => {
    await eventually(async () => expect(await readArchiveCheck(url)).toBe("ok: The archive has every change"));
    const wal = join(String((await listLines(archive))[0]?.folder), "wal");
    renameSync(wal, `${wal}.away`);
    // The segment that is being copied is open, so only the next one is missed.
    await runSql(url, "select pg_logical_emit_message(false, 'fill', repeat('x', 17 * 1024 * 1024))");
    await eventually(async () => {
      await runSql(url, "update archive_states set complete_until = clock_timestamp() - interval '6 minutes'");
      await sleep(1_000);
      expect(await readArchiveCheck(url)).toMatch(/^problem: The archive has stood still for 6 minutes: ENOENT/);
    });
    renameSync(`${wal}.away`, wal);
    await eventually(async () => expect(await readArchiveCheck(url)).toBe("ok: The archive has every change"));
    // As if its begin could not be stored.
    await runSql(url, "delete from archive_states");
    await eventually(async () => expect(await readArchiveCheck(url)).toBe("ok: The archive has every change"));
  });
  await run({ DATA_DIR }, async (url) => expect(await readArchiveCheck(url)).toBe("none"));
});

test("an ARCHIVE_DIR that cannot be used ends the start", async () => {
  await expect(run({ ARCHIVE_DIR: "/dev/null/archive" }, async () => undefined)).rejects.toThrow(
    /ENOTDIR.*\/dev\/null/,
  );
  // Reads like a folder that is still to be created. The superuser may write into any other.
  const unwritable = join(folder, "unwritable");
  symlinkSync(join(folder, "missing", "archive"), unwritable);
  await expect(run({ ARCHIVE_DIR: unwritable }, async () => undefined)).rejects.toThrow(/ENOENT.*mkdir.*unwritable/);
});

test("a copy in safe mode writes nothing into the archive of the original", async () => {
  const archive = join(folder, "originals");
  const readArchive = () =>
    globSync("**", { cwd: archive, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [file, readFileSync(file).toString("base64")]);
  await run({ ARCHIVE_DIR: archive }, async () => {
    await vi.waitFor(async () => expect(await basesIn(archive)).toHaveLength(1), { timeout: 30_000, interval: 50 });
  });
  execFileSync("cp", ["-a", join(folder, "data"), join(folder, "copied")]);
  const before = readArchive();
  await run({ ARCHIVE_DIR: archive, DATA_DIR: join(folder, "copied") }, async () => sleep(2_000));
  expect(process.env.SAFE_MODE).toBe("on");
  vi.stubEnv("SAFE_MODE", undefined);
  await run({ ARCHIVE_DIR: archive, SAFE_MODE: "on" }, async () => sleep(1_000));
  expect(readArchive()).toEqual(before);
});
