import { endBackup, insertBackup, listUnverifiedBackups } from "#lib/db/backup/record.ts";
import { type Database, openDatabase } from "#lib/db/connection/client.ts";
import type { BackupResult } from "./create.ts";

export type BackupOutcome = Omit<BackupResult, "problems">;

/** Makes a backup and records it in the database, or why it failed. A backup does not fail because it cannot be recorded. */
export async function recordBackup(databaseUrl: string, create: () => Promise<BackupResult>): Promise<BackupResult> {
  const id = await withRecords(databaseUrl, insertBackup).catch(() => null);
  const end = async (result: Parameters<typeof endBackup>[2]) => {
    if (id !== null) await withRecords(databaseUrl, (db) => endBackup(db, id, result)).catch(() => undefined);
  };
  try {
    const made = await create();
    const { file, bytes, verified, problems } = made;
    await end({ file, bytes, verified, error: problems.join(" ") || null });
    return made;
  } catch (error) {
    await end({ file: null, bytes: null, verified: false, error: (error as Error).message });
    throw error;
  }
}

/** Files recorded as not verified. One that is not recorded here, as after a restore, counts as verified. */
export const readUnverified = (databaseUrl: string): Promise<Set<string>> =>
  withRecords(databaseUrl, listUnverifiedBackups);

/** Connects for each use: a server that has fallen silent meanwhile is noticed sooner than by a statement. */
async function withRecords<Result>(databaseUrl: string, use: (db: Database) => Promise<Result>): Promise<Result> {
  const db = openDatabase({ url: databaseUrl, poolSize: 1, applicationName: "license-desk backup" });
  try {
    return await use(db);
  } finally {
    await db.close();
  }
}
