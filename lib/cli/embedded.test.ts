import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { lockDataDir, openDataDir } from "#lib/embedded/data-dir.ts";
import { findRunningPostgres, startEmbeddedPostgres } from "#lib/embedded/postgres.ts";
import { runAlone, runHere } from "#tests/support/command-line.ts";

// Creates databases and starts processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const dataDir = openDataDir(mkdtempSync(join(tmpdir(), "license-desk-cli-")));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const environment = { DATA_DIR: dataDir };
const admin = (...args: string[]) => runHere(args, environment);

test("without a server, the command starts DATA_DIR's database, sets it up the first time, and stops it", async () => {
  const first = await admin("reseller", "list");
  expect(first.stderr).toMatch(/demo\.json/);
  expect(JSON.parse(first.stdout)).toMatchObject([{ name: "Northwind Hosting" }]);
  expect(existsSync(join(dataDir, "demo.json"))).toBe(true);
  expect(findRunningPostgres(dataDir)).toBeNull();
  expect(existsSync(join(dataDir, "license-desk.lock"))).toBe(false);
});

test("concurrent commands run one at a time and see each other's writes", async () => {
  const create = (name: string) =>
    runAlone(
      ["reseller", "create", "--name", name, "--email", `${name}@example.com`, "--currency", "USD"],
      environment,
    );
  const results = await Promise.all(["a", "b"].map(create));
  expect(results.map(({ code, stderr }) => ({ code, stderr }))).toEqual(Array(2).fill({ code: 0, stderr: "" }));
  expect(JSON.parse((await admin("reseller", "list")).stdout)).toHaveLength(3);
});

test("next to a running server, the command uses its database and leaves it running", async () => {
  const lock = lockDataDir(dataDir);
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined });
  try {
    // The server publishes its URL once it listens; until then a command waits.
    const early = admin("reseller", "list");
    setTimeout(() => lock.publishUrl("http://127.0.0.1:3000"), 1_000);
    expect(JSON.parse((await early).stdout)).toHaveLength(3);
    expect((await admin("database", "url")).stdout).toBe(`${postgres.url}\n`);
    const key = await admin("api-key", "create", "--reseller", "1", "--name", "n", "--scopes", "all");
    expect(JSON.parse(key.stdout).api_key).toMatch(/^lk_live_/);
    expect(findRunningPostgres(dataDir)).not.toBeNull();
  } finally {
    await postgres.stop();
    lock.release();
  }
});

test.each([
  ["is reachable from other machines", { HOST: "0.0.0.0" }],
  ["runs with DEMO=off", { DEMO: "off" }],
] as const)("a database whose server %s starts without demonstration, users and keys", async (_, variables) => {
  const emptyDir = openDataDir(mkdtempSync(join(tmpdir(), "license-desk-cli-")));
  try {
    const run = (...args: string[]) => runHere(args, { DATA_DIR: emptyDir, ...variables });
    const first = await run("reseller", "list");
    expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining("user create-admin") });
    expect(JSON.parse(first.stdout)).toEqual([]);
    expect(existsSync(join(emptyDir, "demo.json"))).toBe(false);
    const admin = ["--email", "ops@example.com", "--name", "Ops", "--password", "quiet meadow 71 lanterns"];
    expect(JSON.parse((await run("user", "create-admin", ...admin)).stdout)).toEqual({ user_id: 1 });
  } finally {
    rmSync(emptyDir, { recursive: true, force: true });
  }
});
