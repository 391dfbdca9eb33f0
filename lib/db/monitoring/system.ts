import { bigint, boolean, float, int, json, list, nullable, text, timestamp } from "#lib/db/connection/columns.ts";
import { defineGet } from "#lib/db/connection/define.ts";
import type { RowOf } from "#lib/db/connection/statement.ts";
import { isLate } from "#lib/db/job/run.ts";

const MAX_TABLES = 10;

const systemRow = {
  now: timestamp,
  /** Of PostgreSQL. */
  serverVersion: text,
  databaseBytes: bigint,
  /** The largest, with their indexes and partitions; rows as of the last vacuum or analyze. */
  tables: list(json({ name: text, bytes: text, rows: int })),
  /** Live ones, the oldest first. */
  processes: list(json({ host: text, pid: int, startedAt: text, isWorker: boolean })),
  /** The last run of each scheduled job, by name; without a time if none has ended. `late`: due, but no process runs it. */
  jobs: list(
    json({ name: text, startedAt: nullable(text), seconds: nullable(float), error: nullable(text), late: boolean }),
  ),
  migration: text,
  migratedAt: timestamp,
  /** The last attempt; without an end while it runs, and if its process died. */
  backup: nullable(json({ startedAt: text, endedAt: nullable(text), bytes: nullable(text), error: nullable(text) })),
};
export type SystemRow = RowOf<typeof systemRow>;

export const readSystem = defineGet("read_system", systemRow)`
      select clock_timestamp() as now, current_setting('server_version') as "serverVersion",
             pg_database_size(current_database()) as "databaseBytes",
             (select jsonb_agg(jsonb_build_object('name', t.name, 'bytes', t.bytes::text, 'rows', t.rows) order by t.bytes desc) from (
                select coalesce(pg_partition_root(c.oid), c.oid)::regclass::text as name,
                       sum(pg_total_relation_size(c.oid)) as bytes, sum(greatest(c.reltuples, 0))::int as rows
                  from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
                 group by 1 order by bytes desc limit ${String(MAX_TABLES)}) t) as tables,
             (select coalesce(jsonb_agg(jsonb_build_object('host', p.host, 'pid', p.pid, 'startedAt', p.started_at,
                                                           'isWorker', cardinality(p.job_workers) > 0) order by p.started_at), '[]')
                from processes p where p.lease_until > clock_timestamp()) as processes,
             (select coalesce(jsonb_agg(jsonb_build_object('name', j.name, 'startedAt', j.started_at, 'error', j.error,
                                                           'late', ${isLate},
                                                           'seconds', extract(epoch from j.ended_at - j.started_at)) order by j.name), '[]')
                from job_runs j) as jobs,
             m.migration_name as migration, m.finished_at as "migratedAt",
             (select jsonb_build_object('startedAt', b.started_at, 'endedAt', b.ended_at, 'bytes', b.bytes::text, 'error', b.error)
                from backups b order by b.id desc limit 1) as backup
        from _prisma_migrations m where m.finished_at is not null and m.rolled_back_at is null
       order by m.migration_name desc limit 1`;
