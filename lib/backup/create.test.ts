import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { migrationsDir } from "#lib/server/prepare-database.ts";
import { createTestDatabase } from "#tests/database.ts";
import { runSql } from "#tests/support/database-contents.ts";
import { createBackup } from "./create.ts";

vi.setConfig({ testTimeout: 60_000 });

test("while a backup is checked, it keeps no transaction open, and another one is still refused", async () => {
  const folder = mkdtempSync(join(tmpdir(), "license-desk-create-"));
  const database = await createTestDatabase();
  const options = { databaseUrl: database.url, passphrase: null, secrets: null, migrationsDir };
  const checkIn = join(folder, "check");
  try {
    const making = createBackup({ ...options, file: join(folder, "first.tar.gz"), checkIn });
    await vi.waitFor(() => expect(existsSync(join(checkIn, "postgres"))).toBe(true), { timeout: 30_000, interval: 5 });
    const sessions = await runSql(
      database.url,
      "select xact_start, backend_xmin from pg_stat_activity where application_name = 'license-desk backup' and datname = current_database()",
    );
    const second = createBackup({ ...options, file: join(folder, "second.tar.gz"), checkIn: null });
    await expect(second).rejects.toThrow("Another backup of this database is running.");
    expect(sessions).toEqual([{ xact_start: null, backend_xmin: null }]);
    expect(await making).toMatchObject({ verified: true });
  } finally {
    await database.drop();
    rmSync(folder, { recursive: true });
  }
});
