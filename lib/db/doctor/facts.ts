import type pg from "pg";
import { archiveState } from "#lib/db/archive/state.ts";
import { withConnection } from "#lib/db/connection/with-connection.ts";
import { lateJobNames } from "#lib/db/job/run.ts";
import { partitionStates } from "#lib/db/partition/states.ts";
import type { ArchiveState } from "#lib/domain/figures.ts";
import type { PartitionState } from "#lib/domain/partitions.ts";

/** What an operator may have set wrong at the database. */
export interface DatabaseFacts {
  /** Such as 180004. */
  readonly version: number;
  /** By name, as PostgreSQL prints them. */
  readonly settings: Readonly<Record<string, string>>;
  readonly encoding: string;
  readonly extensions: readonly string[];
  readonly encrypted: boolean;
  /** The log that the archive has not copied yet, in bytes; null: it is lost, or there is no archive. */
  readonly archiveLag: number | null;
  /** Null: License Desk was never started on it. */
  readonly used: UsedDatabaseFacts | null;
}

interface UsedDatabaseFacts {
  readonly instances: number;
  readonly workers: number;
  readonly lateJobs: readonly string[];
  /** Null: no backup was made. */
  readonly lastBackup: { readonly at: Date; readonly verified: boolean } | null;
  readonly archive: ArchiveState | null;
  readonly partitions: readonly PartitionState[];
}

const SETTINGS = [
  ...["fsync", "full_page_writes", "synchronous_commit", "autovacuum"],
  ...["max_connections", "superuser_reserved_connections", "reserved_connections"],
];

export function readDatabaseFacts(databaseUrl: string): Promise<DatabaseFacts> {
  return withConnection(databaseUrl, readFacts, { name: "license-desk doctor" });
}

async function readFacts(client: pg.Client): Promise<DatabaseFacts> {
  const { rows } = await client.query<Omit<DatabaseFacts, "used"> & { readonly used: boolean }>(
    `select current_setting('server_version_num')::int as version,
            (select json_object_agg(name, setting) from pg_settings where name = any ($1)) as settings,
            (select pg_encoding_to_char(encoding) from pg_database where datname = current_database()) as encoding,
            (select coalesce(json_agg(extname), '[]') from pg_extension) as extensions,
            coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as encrypted,
            (select pg_wal_lsn_diff(pg_current_wal_flush_lsn(), restart_lsn)::float8 from pg_replication_slots
              where slot_name = 'license_desk_archive' and not pg_is_in_recovery()) as "archiveLag",
            to_regclass('processes') is not null and to_regclass('backups') is not null as used`,
    [SETTINGS],
  );
  const [facts] = rows;
  if (!facts) throw new Error("The database does not describe itself.");
  return { ...facts, used: facts.used ? await readUse(client) : null };
}

async function readUse(client: pg.Client): Promise<UsedDatabaseFacts | null> {
  const { rows } = await client.query<UsedDatabaseFacts>(
    `select count(*)::int as instances, count(*) filter (where job_workers <> '{}')::int as workers,
            ${lateJobNames} as "lateJobs",
            ${archiveState} as archive,
            ${partitionStates} as partitions
       from processes where lease_until > clock_timestamp()`,
  );
  const { rows: backups } = await client.query<{ at: Date; verified: boolean }>(
    "select started_at as at, verified from backups where file is not null order by id desc limit 1",
  );
  return rows[0] ? { ...rows[0], lastBackup: backups[0] ?? null } : null;
}
