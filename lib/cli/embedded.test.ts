import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { backupCheckFolder, openDataDir } from "#lib/embedded/data-dir.ts";
import { lockDataDir } from "#lib/embedded/data-dir-lock.ts";
import { findRunningPostgres, startEmbeddedPostgres } from "#lib/embedded/postgres.ts";
import { compiledCode } from "#tests/compiled-code.ts";
import { runAlone, runHere } from "#tests/support/command-line.ts";
import { createInstallation } from "#tests/support/installation.ts";

// Creates databases and starts processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const dataDir = openDataDir(mkdtempSync(join(tmpdir(), "license-desk-cli-")));
beforeAll(async () => void (await createInstallation(dataDir)), 60_000);
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const environment = { DATA_DIR: dataDir };
const admin = (...args: string[]) => runHere(args, environment);

test("without a server, the command starts DATA_DIR's database, and stops it", async () => {
  expect(await admin("reseller", "list")).toEqual({ code: 0, stdout: "[]\n", stderr: "" });
  expect(findRunningPostgres(dataDir)).toBeNull();
  expect(existsSync(join(dataDir, "license-desk.lock"))).toBe(false);
});

const createAdmin = [
  "user",
  "create-admin",
  "--email",
  "ops@example.com",
  "--name",
  "Ops",
  "--password-file",
  "/dev/null",
];

test.each([createAdmin, ["backup", "--to", tmpdir()], ["deployment", "resume"], ["wallet", "verify"]])(
  "no command creates a database: %s %s",
  async (...args) => {
    const folder = mkdtempSync(join(tmpdir(), "license-desk-cli-"));
    try {
      for (const lost of [folder, join(folder, "missing")]) {
        expect(await runHere(args, { DATA_DIR: lost })).toEqual({
          code: 1,
          stdout: "",
          stderr: expect.stringMatching(`^There is no database in ${lost}, and DATABASE_URL is not set\\. .*\n$`),
        });
      }
      expect(readdirSync(folder)).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

test("nor is one used whose first start was interrupted", async () => {
  const folder = openDataDir(mkdtempSync(join(tmpdir(), "license-desk-cli-")));
  try {
    const postgres = await startEmbeddedPostgres({ dataDir: folder, log: () => undefined });
    await postgres.stop();
    const { code, stderr } = await runHere(createAdmin, { DATA_DIR: folder });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^There is no database in /) });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("concurrent commands run one at a time and see each other's writes", async () => {
  const create = (name: string) =>
    runAlone(
      ["reseller", "create", "--name", name, "--email", `${name}@example.com`, "--currency", "USD"],
      environment,
    );
  const results = await Promise.all(["a", "b"].map(create));
  // On a slow machine, one of them says that it waits.
  const finished = { code: 0, stderr: expect.stringMatching(/^(?:Waiting up to 3 minutes .*\n)?$/) };
  expect(results.map(({ code, stderr }) => ({ code, stderr }))).toEqual([finished, finished]);
  expect(JSON.parse((await admin("reseller", "list")).stdout)).toHaveLength(2);
});

test("a command says what it waits for", async () => {
  const lock = await lockDataDir(dataDir);
  setTimeout(() => lock.release(), 6_000);
  expect(await admin("reseller", "list")).toMatchObject({
    code: 0,
    stderr: "Waiting up to 3 minutes for a License Desk that is starting on this DATA_DIR, or for another command.\n",
  });
});

describe("ended by a signal, a command leaves no database running", () => {
  const isRunning = (dir: string) => existsSync(join(dir, "postgres", "postmaster.pid"));
  const checkIn = backupCheckFolder(dataDir);
  let folder: string;
  beforeEach(() => {
    folder = openDataDir(mkdtempSync(join(tmpdir(), "license-desk-cli-")));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Sends the signal once `isTime`, and again, as npm does. Returns what the command has printed. */
  async function interrupt(args: readonly string[], dir: string, signal: NodeJS.Signals, isTime: () => boolean) {
    const env = { ...compiledCode, PATH: process.env.PATH, NODE_ENV: "test" as const, DATA_DIR: dir };
    const script = join(import.meta.dirname, "../../scripts/admin.ts");
    const command = spawn(process.execPath, [script, ...args], { env });
    const ended = once(command, "exit");
    const printed = Promise.all([text(command.stdout), text(command.stderr)]);
    await expect.poll(isTime, { timeout: 20_000, interval: 2 }).toBe(true);
    command.stderr.once("data", () => command.kill(signal));
    command.kill(signal);
    expect(await ended).toEqual([1, null]);
    expect(isRunning(dir)).toBe(false);
    expect(existsSync(join(dir, "license-desk.lock"))).toBe(false);
    return printed;
  }

  test.each([
    ["SIGINT", "while it starts", () => isRunning(dataDir)],
    ["SIGHUP", "once it has started", () => findRunningPostgres(dataDir) !== null],
  ] as const)("%s %s", async (signal, _, isTime) => {
    const args = ["backup", "--to", folder, "--no-verify"];
    expect(await interrupt(args, dataDir, signal, isTime)).toEqual(["", "Interrupted.\n"]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each([
    ["is created", () => existsSync(join(checkIn, "postgres.new"))],
    ["starts", () => isRunning(checkIn)],
    ["is filled", () => findRunningPostgres(checkIn) !== null],
  ])("while the temporary one of a backup %s, which is removed", async (_, isTime) => {
    const printed = await interrupt(["backup", "--to", folder], dataDir, "SIGTERM", isTime);
    expect(printed).toEqual(["", "Interrupted.\n"]);
    expect(existsSync(checkIn)).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("while a backup is restored, which can be repeated", async () => {
    const file = join(folder, "backup.tar.gz");
    expect(await admin("backup", "--to", file, "--no-verify")).toMatchObject({ code: 0 });
    const restored = join(folder, "restored");
    const isTime = () => existsSync(restored) && findRunningPostgres(restored) !== null;
    const [stdout, stderr] = await interrupt(["restore", "--from", file], restored, "SIGINT", isTime);
    expect({ stdout, stderr }).toEqual({ stdout: "", stderr: expect.stringMatching(/\nInterrupted\.\n$/) });
    expect(await runHere(["restore", "--from", file], { DATA_DIR: restored })).toMatchObject({ code: 0 });
  });
});

test("next to a running server, the command uses its database and leaves it running", async () => {
  const lock = await lockDataDir(dataDir);
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined });
  try {
    // The server publishes its URL once it listens; until then a command waits.
    const early = admin("reseller", "list");
    setTimeout(() => lock.publishUrl("http://127.0.0.1:3000"), 1_000);
    expect(JSON.parse((await early).stdout)).toHaveLength(2);
    expect((await admin("database", "url")).stdout).toBe(`${postgres.url}\n`);
    const key = await admin("api-key", "create", "--reseller", "1", "--name", "n", "--scopes", "all");
    expect(JSON.parse(key.stdout).api_key).toMatch(/^lk_live_/);
    expect(findRunningPostgres(dataDir)).not.toBeNull();
  } finally {
    await postgres.stop();
    lock.release();
  }
});
