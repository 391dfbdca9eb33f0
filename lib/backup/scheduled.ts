import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { isBackupDue, type StoredBackup, selectKeptBackups } from "#lib/domain/backup-rotation.ts";
import { type BackupOptions, type BackupResult, createBackup, nameBackup } from "./create.ts";
import { readUnverified, recordBackup } from "./record.ts";

export interface ScheduledBackup extends Omit<BackupOptions, "file"> {
  readonly folder: string;
  /** After which it is made, once a day (UTC). */
  readonly hour: number;
  readonly now: Date;
}

const NAME = /^license-desk-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.tar\.gz(?:\.age)?$/;
const PARTIAL = /^license-desk-.*\.partial$/;
const DAY_MS = 24 * 3_600_000;

/** Folders in use. One on a mount that hangs returns no error, and each further call would occupy another thread. */
const busy = new Set<string>();

/**
 * Backs up if today has no verified one, then deletes what the rotation does not keep. Null: it is not due.
 * @throws while the previous run for this folder has not ended
 */
export async function backUpWhenDue(options: ScheduledBackup): Promise<BackupResult | null> {
  const { folder } = options;
  if (busy.has(folder)) throw new Error(`The previous backup into ${folder} has not ended: the folder may not answer.`);
  busy.add(folder);
  try {
    return await backUp(options);
  } finally {
    busy.delete(folder);
  }
}

async function backUp(options: ScheduledBackup): Promise<BackupResult | null> {
  const { databaseUrl, folder, hour, now, passphrase } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (!isBackupDue(await listBackups(databaseUrl, folder), now, hour)) return null;
  const file = join(folder, nameBackup(now, passphrase !== null));
  const made = await recordBackup(databaseUrl, () => createBackup({ ...options, file }));
  await rotate(options);
  return made;
}

interface BackupFile extends StoredBackup {
  readonly file: string;
}

async function listBackups(databaseUrl: string, folder: string): Promise<BackupFile[]> {
  // By name: `backup` stores another path of the folder if BACKUP_DIR is relative or a link.
  const unverified = new Set([...(await readUnverified(databaseUrl))].map((file) => basename(file)));
  return (await readdir(folder)).flatMap((name) => {
    const found = NAME.exec(name);
    if (!found) return [];
    const [, year, month, day, hours, minutes, seconds] = found;
    const file = join(folder, name);
    const at = new Date(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`);
    return [{ file, at, verified: !unverified.has(name) }];
  });
}

/** Also deletes what interrupted backups left. */
async function rotate({ databaseUrl, folder, now }: ScheduledBackup): Promise<void> {
  const backups = await listBackups(databaseUrl, folder);
  const kept = selectKeptBackups(backups);
  for (const backup of backups) if (!kept.has(backup)) await rm(backup.file);
  for (const name of (await readdir(folder)).filter((file) => PARTIAL.test(file))) {
    const { mtimeMs } = await stat(join(folder, name));
    if (mtimeMs < now.getTime() - DAY_MS) await rm(join(folder, name));
  }
}
