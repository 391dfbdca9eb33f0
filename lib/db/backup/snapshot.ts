import type { Readable } from "node:stream";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { CONTENT_TABLES, connectForBackup } from "./session.ts";

/** Held while a database is backed up. */
const BACKUP_LOCK_ID = 5_207_316_442;

class BackupRunningError extends Error {
  override readonly name = "BackupRunningError";
}

/** What a restored database needs besides the rows. */
export interface SnapshotContents {
  /** Of the server, such as `18.4`. */
  readonly postgres: string;
  /** Applied migrations, in order. */
  readonly migrations: readonly { readonly name: string; readonly checksum: string }[];
  readonly tables: readonly { readonly name: string; readonly columns: readonly string[] }[];
  /** Last value of each sequence; null: never used. */
  readonly sequences: readonly { readonly name: string; readonly value: string | null }[];
}

/** The database at one instant, while others go on writing. */
export interface Snapshot {
  readonly contents: SnapshotContents;
  readonly databaseBytes: number;
  readonly takenAt: Date;
  /** Rows in PostgreSQL's text format. One table at a time. */
  copyOut(table: SnapshotContents["tables"][number]): Readable;
  /** Ends the transaction, which would delay vacuum and migrations. Other backups are refused until `close`. */
  release(): Promise<void>;
  close(): Promise<void>;
}

/** @throws BackupRunningError while another backup of this database runs */
export async function openSnapshot(databaseUrl: string): Promise<Snapshot> {
  const client = await connectForBackup(databaseUrl);
  try {
    const lock = await client.query<{ locked: boolean }>("select pg_try_advisory_lock($1) as locked", [BACKUP_LOCK_ID]);
    if (!lock.rows[0]?.locked) throw new BackupRunningError("Another backup of this database is running.");
    await client.query("begin isolation level repeatable read read only");
    const { rows } = await client.query<{ bytes: string; taken_at: Date; migrated: boolean }>(
      `select pg_database_size(current_database()) as bytes, now() as taken_at,
              to_regclass('_prisma_migrations') is not null as migrated`,
    );
    const [found] = rows;
    if (!found?.migrated) throw new Error("This database has no data of License Desk.");
    return {
      contents: await readContents(client),
      databaseBytes: Number(found.bytes),
      takenAt: found.taken_at,
      copyOut: ({ name, columns }) =>
        client.query(
          // A query, because a partitioned table cannot be copied.
          copyTo(
            `copy (select ${columns.map(pg.escapeIdentifier).join(", ")} from ${pg.escapeIdentifier(name)}) to stdout`,
          ),
        ),
      release: async () => void (await client.query("commit")),
      close: () => client.end(),
    };
  } catch (error) {
    await client.end();
    throw error;
  }
}

async function readContents(client: pg.Client): Promise<SnapshotContents> {
  // A sequence is outside of transactions: read after the snapshot was taken, it is past every id in it.
  const { rows } = await client.query<SnapshotContents>(`
    select current_setting('server_version') as postgres,
      (select coalesce(json_agg(json_build_object('name', migration_name, 'checksum', checksum)
                                order by started_at, migration_name), '[]')
         from _prisma_migrations where finished_at is not null and rolled_back_at is null) as migrations,
      (select coalesce(json_agg(json_build_object('name', t.name, 'columns', (
                select json_agg(a.attname order by a.attnum) from pg_attribute a
                 where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
              )) order by t.name), '[]')
         from (${CONTENT_TABLES}) t) as tables,
      (select coalesce(json_agg(json_build_object('name', sequencename, 'value', last_value::text) order by sequencename), '[]')
         from pg_sequences where schemaname = 'public' and sequencename <> 'backups_id_seq') as sequences`);
  const [contents] = rows;
  if (!contents) throw new Error("The database does not describe itself.");
  return contents;
}
