import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { openDataDir } from "#lib/embedded/data-dir.ts";
import { lockDataDir } from "#lib/embedded/data-dir-lock.ts";
import { migrationsDir } from "#lib/server/prepare-database.ts";
import { createTestDatabase } from "#tests/database.ts";
import { runSql } from "#tests/support/database-contents.ts";
import { writeArchive } from "./archive.ts";
import { createBackup } from "./create.ts";

vi.mock("node:fs/promises", async (importOriginal) => {
  const original = await importOriginal<typeof import("node:fs/promises")>();
  return { ...original, rm: vi.fn(original.rm), statfs: vi.fn(original.statfs) };
});
vi.mock("./archive.ts", async (importOriginal) => {
  const original = await importOriginal<typeof import("./archive.ts")>();
  return { ...original, writeArchive: vi.fn(original.writeArchive) };
});
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

test.each([
  ["uses", (begin: () => void) => begin()],
  [
    "has begun in the meantime in",
    (begin: () => void) =>
      vi.mocked(statfs).mockImplementationOnce(async () => {
        begin();
        return { bavail: 2 ** 40, bsize: 1 } as Awaited<ReturnType<typeof statfs>>;
      }),
  ],
])("a backup is kept unverified while another check %s its folder", async (_, when) => {
  const folder = mkdtempSync(join(tmpdir(), "license-desk-create-"));
  const database = await createTestDatabase();
  const [checkIn, file] = [join(folder, "check"), join(folder, "backup.tar.gz")];
  when(() => lockDataDir(openDataDir(checkIn)));
  try {
    const options = { databaseUrl: database.url, file, passphrase: null, secrets: null, checkIn, migrationsDir };
    const problems = [`The backup was not checked: another check uses ${checkIn}.`];
    expect(await createBackup(options)).toMatchObject({ verified: false, problems });
    expect({ file: existsSync(file), check: existsSync(checkIn) }).toEqual({ file: true, check: true });
  } finally {
    await database.drop();
    rmSync(folder, { recursive: true });
  }
});

test("a backup is kept unverified if its check would fill the disk, which may be the database's own", async () => {
  const folder = mkdtempSync(join(tmpdir(), "license-desk-create-"));
  const database = await createTestDatabase();
  const [checkIn, file] = [join(folder, "check"), join(folder, "backup.tar.gz")];
  const free = (bytes: number) =>
    vi.mocked(statfs).mockResolvedValueOnce({ bavail: bytes, bsize: 1 } as Awaited<ReturnType<typeof statfs>>);
  const make = () =>
    createBackup({ databaseUrl: database.url, file, passphrase: null, secrets: null, checkIn, migrationsDir });
  try {
    free(2 * 2 ** 30);
    const { verified, problems, databaseBytes } = await make();
    expect({ verified, problems }).toEqual({
      verified: false,
      problems: [`The backup was not checked: that needs 2.1 GiB in ${folder}, and 2 GiB are free.`],
    });
    expect({ file: existsSync(file), check: existsSync(checkIn) }).toEqual({ file: true, check: false });
    rmSync(file);
    free(2 * 2 ** 30 + databaseBytes + 2 ** 20);
    expect(await make()).toMatchObject({ verified: true, problems: [] });
  } finally {
    await database.drop();
    rmSync(folder, { recursive: true });
  }
});

test("a backup that fills its disk says how much is free without it, and leaves nothing", async () => {
  const folder = mkdtempSync(join(tmpdir(), "license-desk-create-"));
  const database = await createTestDatabase();
  vi.mocked(writeArchive).mockImplementationOnce(async (partial) => {
    writeFileSync(partial, "the start of a backup");
    throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  });
  vi.mocked(statfs).mockImplementationOnce(async () => {
    const bavail = readdirSync(folder).length === 0 ? 700 * 2 ** 20 : 0;
    return { bavail, bsize: 1 } as Awaited<ReturnType<typeof statfs>>;
  });
  const options = { databaseUrl: database.url, passphrase: null, secrets: null, checkIn: null, migrationsDir };
  try {
    await expect(createBackup({ ...options, file: join(folder, "backup.tar.gz") })).rejects.toThrow(
      `could not be written to ${folder}: ENOSPC: no space left on device, write. Its unfinished file is removed; it needs more than the 700 MiB that are free now.`,
    );
  } finally {
    await database.drop();
    rmSync(folder, { recursive: true });
  }
});

test.each([
  [
    "its unfinished file cannot be removed",
    () => vi.mocked(rm).mockRejectedValueOnce(new Error("EIO")).mockRejectedValueOnce(new Error("EIO")),
  ],
  ["the space of its disk cannot be read", () => vi.mocked(statfs).mockRejectedValueOnce(new Error("EIO"))],
])("a backup that cannot be written says why, also if %s", async (_, fail) => {
  const folder = mkdtempSync(join(tmpdir(), "license-desk-create-"));
  const database = await createTestDatabase();
  vi.mocked(writeArchive).mockImplementationOnce(async () => {
    fail();
    throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  });
  const options = { databaseUrl: database.url, passphrase: null, secrets: null, checkIn: null, migrationsDir };
  try {
    await expect(createBackup({ ...options, file: join(folder, "backup.tar.gz") })).rejects.toThrow(
      `The backup could not be written to ${folder}: ENOSPC: no space left on device, write.`,
    );
  } finally {
    await database.drop();
    rmSync(folder, { recursive: true });
  }
});
