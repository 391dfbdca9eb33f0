import type { Database } from "#lib/db/connection/client.ts";
import { sql } from "#tests/sql.ts";

/** Makes a scheduled job due now. */
export async function makeJobDue(db: Database, name: string): Promise<void> {
  const text = `insert into job_runs (name, next_at) values ($1, clock_timestamp())
                on conflict (name) do update set next_at = excluded.next_at`;
  await db.query(sql(text), [name]);
}

/** Stores the last run of a scheduled job. */
export async function storeJobRun(
  db: Database,
  run: { readonly name: string; readonly startedAt: Date; readonly endedAt: Date; readonly error: string | null },
): Promise<void> {
  const text = `insert into job_runs (name, next_at, started_at, ended_at, error) values ($1, now() + interval '1 hour', $2, $3, $4)
                on conflict (name) do update set started_at = excluded.started_at, ended_at = excluded.ended_at, error = excluded.error`;
  await db.query(sql(text), [run.name, run.startedAt, run.endedAt, run.error]);
}
