import { endBackup, insertBackup, listUnverifiedBackups } from "#lib/db/backup/record.ts";
import { openDatabase } from "#lib/db/connection/client.ts";
import type { BackupResult } from "./create.ts";

export type BackupOutcome = Omit<BackupResult, "problems">;

/** Makes a backup and records it in the database, or why it failed. A backup does not fail because it cannot be recorded. */
export async function recordBackup(databaseUrl: string, create: () => Promise<BackupResult>): Promise<BackupResult> {
  const db = openDatabase({ url: databaseUrl, poolSize: 1, applicationName: "license-desk backup" });
  try {
    const id = await insertBackup(db).catch(() => null);
    const end = async (result: Parameters<typeof endBackup>[2]) => {
      if (id !== null) await endBackup(db, id, result).catch(() => undefined);
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
  } finally {
    await db.close();
  }
}

/** Files recorded as not verified. One that is not recorded here, as after a restore, counts as verified. */
export async function readUnverified(databaseUrl: string): Promise<Set<string>> {
  const db = openDatabase({ url: databaseUrl, poolSize: 1, applicationName: "license-desk backup" });
  try {
    return await listUnverifiedBackups(db);
  } finally {
    await db.close();
  }
}
