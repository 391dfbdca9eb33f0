import { backUpWhenDue } from "#lib/backup/scheduled.ts";
import { backupCheckFolder } from "#lib/embedded/data-dir.ts";
import { readEnv, secretsOf } from "#lib/env.ts";
import { migrationsDir } from "#lib/server/prepare-database.ts";

/** Runs the daily backup of BACKUP_DIR if it is due. Returns what to log, or null. */
export async function runScheduledBackup(databaseUrl: string, now: Date): Promise<object | null> {
  const env = readEnv();
  if (env.BACKUP_DIR === undefined) return null;
  const passphrase = env.BACKUP_PASSPHRASE ?? null;
  const made = await backUpWhenDue({
    databaseUrl,
    folder: env.BACKUP_DIR,
    hour: env.BACKUP_HOUR,
    now,
    passphrase,
    // Never in the clear.
    secrets: passphrase === null ? null : `${JSON.stringify(secretsOf(env), null, 2)}\n`,
    checkIn: backupCheckFolder(env.DATA_DIR),
    migrationsDir,
  });
  if (made === null) return null;
  if (made.problems.length > 0) throw new Error(`${made.file} was made. ${made.problems.join(" ")}`);
  return { file: made.file, bytes: made.bytes, verified: made.verified };
}
