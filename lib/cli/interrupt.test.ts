import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compiledCode } from "#tests/compiled-code.ts";
import { sql } from "#tests/sql.ts";
import { newWorld, PEPPER, type World } from "#tests/support/world.ts";

const script = join(import.meta.dirname, "..", "..", "scripts", "admin.ts");

let world: World;
let dataDir: string;
beforeAll(async () => {
  world = await newWorld();
  dataDir = mkdtempSync(join(tmpdir(), "license-desk-interrupt-"));
});
afterAll(async () => {
  rmSync(dataDir, { recursive: true });
  await world.close();
});

function start(args: readonly string[]) {
  const env = {
    ...compiledCode,
    NODE_ENV: "test" as const,
    PATH: process.env.PATH,
    DATA_DIR: dataDir,
    DATABASE_URL: world.url,
    API_KEY_PEPPER: PEPPER,
  };
  return spawn(process.execPath, [script, ...args], { env });
}

test("Ctrl+C during a change says what may have happened, and what to do", async () => {
  const { id } = await world.reseller();
  const other = new pg.Client({ connectionString: world.url });
  await other.connect();
  await other.query("begin; lock table api_keys");
  const command = start(["api-key", "create", "--reseller", String(id), "--name", "shop", "--scopes", "all"]);
  const stderr = text(command.stderr);
  const waiting = sql<{ count: number }>(
    "select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  await expect.poll(() => world.db.query(waiting, []), { timeout: 20_000 }).toEqual([{ count: 1 }]);
  command.kill("SIGINT");
  await other.query("rollback");
  expect(await once(command, "exit")).toEqual([1, null]);
  expect(await stderr).toMatch(/^Interrupted\. .*audit log.*revoke it and create another\.\n$/);
  await other.end();
});
