import { boolean, json, list, nullable, partialRecord, text } from "#lib/db/connection/columns.ts";
import { defineGet } from "#lib/db/connection/define.ts";
import type { RowOf } from "#lib/db/connection/statement.ts";
import { lateJobNames } from "#lib/db/job/run.ts";

const readinessRow = {
  writable: boolean,
  /** Checksums of the applied migrations, by name. */
  migrations: partialRecord(text, text),
  /** Null: the database belongs to no deployment yet. */
  fingerprints: nullable(json({ API_KEY_PEPPER: text, NEXTAUTH_SECRET: text, ENCRYPTION_KEY: text })),
  /** Whether any instance runs a worker. */
  hasWorker: boolean,
  lateJobs: list(text),
};
export type ReadinessRow = RowOf<typeof readinessRow>;

export const readReadiness = defineGet("read_readiness", readinessRow)`
      select not (pg_is_in_recovery() or current_setting('transaction_read_only')::boolean) as writable,
             (select coalesce(jsonb_object_agg(migration_name, checksum), '{}') from _prisma_migrations
               where finished_at is not null and rolled_back_at is null) as migrations,
             (select jsonb_build_object('API_KEY_PEPPER', pepper_fingerprint, 'NEXTAUTH_SECRET', auth_fingerprint,
                                        'ENCRYPTION_KEY', encryption_fingerprint) from deployment) as fingerprints,
             exists (select from processes where lease_until > clock_timestamp() and cardinality(job_workers) > 0) as "hasWorker",
             ${lateJobNames} as "lateJobs"`;
