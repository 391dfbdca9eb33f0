import type { Database } from "#lib/db/connection/client.ts";
import { statement } from "#lib/db/connection/statement.ts";

const recordRun = statement("record_job_run")`
      insert into job_runs (name, started_at, ended_at, error) values ($1, $2, $3, $4)
      on conflict (name) do update set started_at = excluded.started_at, ended_at = excluded.ended_at, error = excluded.error
       where job_runs.started_at <= excluded.started_at`;

export interface JobRun {
  readonly name: string;
  readonly startedAt: Date;
  readonly endedAt: Date;
  /** Null: it succeeded. */
  readonly error: string | null;
}

/** Keeps the latest run of each job. */
export async function recordJobRun(db: Database, { name, startedAt, endedAt, error }: JobRun): Promise<void> {
  await db.query(recordRun, [name, startedAt, endedAt, error]);
}
