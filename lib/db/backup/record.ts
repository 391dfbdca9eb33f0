import type { Database } from "#lib/db/connection/client.ts";
import { int, text } from "#lib/db/connection/columns.ts";
import { defineGetValue, defineRun } from "#lib/db/connection/define.ts";
import { statement } from "#lib/db/connection/statement.ts";

export const insertBackup = defineGetValue("start_backup_record", { id: int })`
      insert into backups (started_at) values (clock_timestamp()) returning id`;

export interface BackupEnd {
  readonly file: string | null;
  readonly bytes: number | null;
  readonly verified: boolean;
  readonly error: string | null;
}

export const endBackup = defineRun("end_backup_record").values(
  (id: number, { file, bytes, verified, error }: BackupEnd) => [id, file, bytes, verified, error],
)`
      update backups set ended_at = clock_timestamp(), file = $2, bytes = $3, verified = $4, error = $5 where id = $1`;

const listUnverifiedStatement = statement("list_unverified_backups", { file: text })`
      select file from backups where file is not null and not verified`;

/** Files that were not checked, or whose books do not agree. */
export async function listUnverifiedBackups(db: Database): Promise<Set<string>> {
  return new Set((await db.query(listUnverifiedStatement, [])).map(({ file }) => file));
}
