import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { readBackup } from "#lib/backup/restore.ts";
import { createTestDatabase } from "#tests/database.ts";
import type { TestDatabase } from "#tests/database-copy.ts";
import { runSql } from "#tests/support/database-contents.ts";
import { runScheduledBackup } from "./scheduled-backup.ts";

vi.mock("node:fs/promises", async (importOriginal) => {
  const original = await importOriginal<typeof import("node:fs/promises")>();
  return { ...original, statfs: vi.fn(original.statfs) };
});
vi.setConfig({ testTimeout: 60_000 });

const PASSPHRASE = "correct horse battery staple";
const PEPPER = "a pepper of tests, long enough for one";
let database: TestDatabase;
let folder: string;
let backups: string;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), "license-desk-scheduled-"));
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  backups = mkdtempSync(join(folder, "backups-"));
  vi.stubEnv("DATA_DIR", join(folder, "data"));
  vi.stubEnv("BACKUP_DIR", backups);
});
afterEach(() => void vi.unstubAllEnvs());

const run = (now: string) => runScheduledBackup(database.url, new Date(now));
const touch = (name: string) => writeFileSync(join(backups, name), "");

test("without BACKUP_DIR nothing is done", async () => {
  vi.stubEnv("BACKUP_DIR", undefined);
  expect(await run("2027-03-10T02:05:00Z")).toBeNull();
});

test("a day has one backup, verified and recorded, and the rotation deletes only older ones", async () => {
  for (let day = 10; day <= 20; day += 1) touch(`license-desk-202701${day}T020500Z.tar.gz`);
  touch("license-desk-20270120T020500Z.tar.gz.partial");
  utimesSync(join(backups, "license-desk-20270120T020500Z.tar.gz.partial"), 0, 0);
  touch("notes.txt");
  const file = join(backups, "license-desk-20270121T020500Z.tar.gz");
  expect(await run("2027-01-21T01:05:00Z")).toBeNull();
  expect(await run("2027-01-21T02:05:00Z")).toEqual({ file, bytes: expect.any(Number), verified: true });
  expect(await run("2027-01-21T03:05:00Z")).toBeNull();
  expect(await runSql(database.url, "select file, verified, error from backups")).toEqual([
    { file, verified: true, error: null },
  ]);
  // The last seven days, and the newest of an earlier week.
  const kept = [10, 15, 16, 17, 18, 19, 20, 21].map((day) => `license-desk-202701${day}T020500Z.tar.gz`);
  expect(readdirSync(backups).toSorted()).toEqual([...kept, "notes.txt"]);
});

test("a backup that could not be checked is made again every hour, and replaces no verified one", async () => {
  expect(await run("2027-01-21T02:05:00Z")).toMatchObject({ verified: true });
  const free = { bavail: 0, bsize: 1 } as Awaited<ReturnType<typeof statfs>>;
  for (const hour of [2, 3]) {
    vi.mocked(statfs).mockResolvedValueOnce(free);
    await expect(run(`2027-01-22T0${hour}:05:00Z`)).rejects.toThrow(/ was made\. The backup was not checked: /);
  }
  const daysOf = () => readdirSync(backups).map((name) => name.slice("license-desk-".length, -".tar.gz".length));
  expect(daysOf().toSorted()).toEqual(["20270121T020500Z", "20270122T030500Z"]);
  expect(await run("2027-01-22T04:05:00Z")).toMatchObject({ verified: true });
  expect(daysOf().toSorted()).toEqual(["20270121T020500Z", "20270122T040500Z"]);
  expect(await run("2027-01-22T05:05:00Z")).toBeNull();
});

test("a backup that was recorded as unverified under another path of the folder does not stand in for the day's", async () => {
  const name = "license-desk-20270205T023000Z.tar.gz";
  touch(name);
  await runSql(
    database.url,
    `insert into backups (started_at, ended_at, file, bytes, verified) values (now(), now(), '/elsewhere/${name}', 1, false)`,
  );
  expect(await run("2027-02-05T03:05:00Z")).toMatchObject({ verified: true });
});

test("with a passphrase it is encrypted and has the secrets", async () => {
  vi.stubEnv("BACKUP_PASSPHRASE", PASSPHRASE);
  vi.stubEnv("BACKUP_HOUR", "14");
  vi.stubEnv("API_KEY_PEPPER", PEPPER);
  expect(await run("2027-03-10T15:05:00Z")).toMatchObject({ verified: true });
  const [name = ""] = readdirSync(backups);
  expect(name).toBe("license-desk-20270310T150500Z.tar.gz.age");
  const file = join(backups, name);
  expect(readFileSync(file).includes(PEPPER)).toBe(false);
  const { secrets } = await readBackup({ file, passphrase: PASSPHRASE });
  expect(JSON.parse(String(secrets))).toMatchObject({ apiKeyPepper: PEPPER });
});

test("a failed backup deletes none, and the next hour tries again", async () => {
  touch("license-desk-20200101T020500Z.tar.gz");
  vi.stubEnv("DATA_DIR", "/dev/null/nowhere");
  await expect(run("2027-03-10T02:05:00Z")).rejects.toThrow(/ENOTDIR/);
  expect(readdirSync(backups)).toEqual(["license-desk-20200101T020500Z.tar.gz"]);
  const [newest] = await runSql(database.url, "select file, error from backups order by id desc limit 1");
  expect(newest).toEqual({ file: null, error: expect.stringContaining("ENOTDIR") });
  vi.stubEnv("DATA_DIR", join(folder, "data"));
  expect(await run("2027-03-10T03:05:00Z")).toMatchObject({ verified: true });
});

test("while a backup hangs on its folder, the next run fails instead of waiting beside it", async () => {
  const first = run("2027-03-10T02:05:00Z");
  await expect(run("2027-03-10T03:05:00Z")).rejects.toThrow(
    `The previous backup into ${backups} has not ended: the folder may not answer.`,
  );
  expect(await first).toMatchObject({ verified: true });
});
