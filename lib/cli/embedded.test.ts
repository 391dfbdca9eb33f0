import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { lockDataDir, openDataDir } from "#lib/embedded/data-dir.ts";
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
  "--password",
  "a long one 71",
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
  expect(results.map(({ code, stderr }) => ({ code, stderr }))).toEqual(Array(2).fill({ code: 0, stderr: "" }));
  expect(JSON.parse((await admin("reseller", "list")).stdout)).toHaveLength(2);
});

test.each(["SIGINT", "SIGHUP"] as const)("ended by %s, the command leaves no database running", async (signal) => {
  const folder = mkdtempSync(join(tmpdir(), "license-desk-cli-"));
  const env = { ...compiledCode, PATH: process.env.PATH, NODE_ENV: "test" as const, DATA_DIR: dataDir };
  const script = join(import.meta.dirname, "../../scripts/admin.ts");
  const command = spawn(process.execPath, [script, "backup", "--to", folder, "--no-verify"], { env, stdio: "ignore" });
  const ended = once(command, "exit");
  await expect.poll(() => findRunningPostgres(dataDir), { timeout: 20_000, interval: 5 }).not.toBeNull();
  command.kill(signal);
  expect(await ended).toEqual([1, null]);
  expect(findRunningPostgres(dataDir)).toBeNull();
  expect(existsSync(join(dataDir, "license-desk.lock"))).toBe(false);
  rmSync(folder, { recursive: true });
});

test("next to a running server, the command uses its database and leaves it running", async () => {
  const lock = lockDataDir(dataDir);
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
