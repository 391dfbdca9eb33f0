import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backupCheckFolder } from "#lib/embedded/data-dir.ts";
import { findRunningPostgres } from "#lib/embedded/postgres.ts";
import { isProcessAlive } from "#lib/embedded/process-identity.ts";
import { runSql } from "#tests/support/database-contents.ts";
import { expect, test } from "../support/test.ts";

const root = join(import.meta.dirname, "..", "..");

test("a server that ends while it checks a backup ends the database of the check, too", async () => {
  test.setTimeout(120_000);
  const folder = mkdtempSync(join(tmpdir(), "license-desk-end-"));
  const dataDir = join(folder, "data");
  const checkIn = backupCheckFolder(dataDir);
  const own = { DATA_DIR: dataDir, BACKUP_DIR: join(folder, "backups"), DATABASE_URL: "", PORT: "0", DEMO: "off" };
  const env = { ...process.env, ...own, HOST: "127.0.0.1", NODE_ENV: "production" } as const;
  const child = spawn(process.execPath, ["server.ts"], { cwd: root, stdio: "ignore", env });
  try {
    const makeDue = () =>
      runSql(
        findRunningPostgres(dataDir)?.url ?? "",
        "update job_runs set next_at = now() where name = 'back_up' returning 1",
      ).catch(() => []);
    await expect.poll(makeDue, { timeout: 40_000 }).toHaveLength(1);
    const readPid = () => {
      try {
        return Number.parseInt(readFileSync(join(checkIn, "postgres", "postmaster.pid"), "utf8"), 10);
      } catch {
        return 0;
      }
    };
    await expect.poll(readPid, { timeout: 40_000, intervals: [5] }).toBeGreaterThan(0);
    const pid = readPid();
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
    expect(isProcessAlive(pid)).toBe(false);
  } finally {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
});
