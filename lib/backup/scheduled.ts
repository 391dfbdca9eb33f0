import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { isBackupDue, selectKeptBackups } from "#lib/domain/backup-rotation.ts";
import { type BackupOptions, type BackupResult, createBackup, nameBackup } from "./create.ts";
import { recordBackup } from "./record.ts";

export interface ScheduledBackup extends Omit<BackupOptions, "file"> {
  readonly folder: string;
  /** After which it is made, once a day (UTC). */
  readonly hour: number;
  readonly now: Date;
}

const NAME = /^license-desk-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.tar\.gz(?:\.age)?$/;
const PARTIAL = /^license-desk-.*\.partial$/;
const DAY_MS = 24 * 3_600_000;

/** Backs up if today's is due, then deletes what the rotation does not keep. Null: it is not due. */
export async function backUpWhenDue(options: ScheduledBackup): Promise<BackupResult | null> {
  const { folder, hour, now, passphrase } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const times = listBackups(folder).map(({ at }) => at);
  if (!isBackupDue(times, now, hour)) return null;
  const file = join(folder, nameBackup(now, passphrase !== null));
  const made = await recordBackup(options.databaseUrl, () => createBackup({ ...options, file }));
  rotate(folder, now);
  return made;
}

function listBackups(folder: string): { readonly name: string; readonly at: Date }[] {
  return readdirSync(folder).flatMap((name) => {
    const found = NAME.exec(name);
    if (!found) return [];
    const [, year, month, day, hours, minutes, seconds] = found;
    return [{ name, at: new Date(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`) }];
  });
}

/** Also deletes what interrupted backups left. */
function rotate(folder: string, now: Date): void {
  const backups = listBackups(folder);
  const kept = selectKeptBackups(backups.map(({ at }) => at));
  for (const { name, at } of backups) if (!kept.has(at)) rmSync(join(folder, name));
  for (const name of readdirSync(folder).filter((file) => PARTIAL.test(file))) {
    if (statSync(join(folder, name)).mtimeMs < now.getTime() - DAY_MS) rmSync(join(folder, name));
  }
}
