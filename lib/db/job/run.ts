import { columnsOf } from "#lib/db/connection/collected-rows.ts";
import { text, timestamp } from "#lib/db/connection/columns.ts";
import { defineFind, defineRun } from "#lib/db/connection/define.ts";
import type { RowOf } from "#lib/db/connection/statement.ts";
import type { Interval } from "#lib/domain/interval.ts";

const claimedRun = { name: text, startedAt: timestamp, nextAt: timestamp };
export type ClaimedRun = RowOf<typeof claimedRun>;

/** After it was interrupted. */
const AGAIN_AFTER = "interval '15 minutes'";
/** After it failed. */
const RETRY_AFTER = "interval '1 hour'";
const LATE_AFTER = "interval '15 minutes'";

/** Whether the job `j` should have run long ago, and no live process runs it. After a start there may be much to make up for. */
export const isLate = `(
  j.next_at < clock_timestamp() - ${LATE_AFTER}
  and not exists (select from processes p where p.lease_until > clock_timestamp() and p.id = j.process_id)
  and not exists (select from processes p where p.lease_until > clock_timestamp()
                  having min(p.started_at) > clock_timestamp() - ${LATE_AFTER}))`;
export const lateJobNames = `(select coalesce(array_agg(j.name order by j.name), '{}') from job_runs j where ${isLate})`;

/**
 * Claims the scheduled job that has been due for the longest, by the database's clock. A missed run is made up for once. A
 * new job is due at its next time; only new ones are inserted, because a conflict would wait for claims of other jobs, and
 * two processes for each other. A next time further ahead than the schedule has it was written by a wrong clock.
 * @param ownerId this process, which runs none of `jobs` now: what it claimed before has ended
 */
export const claimDueRun = defineFind("claim_due_run", claimedRun).values(
  (ownerId: string, jobs: Readonly<Record<string, Interval>>) => {
    return [ownerId, Object.keys(jobs), ...columnsOf(Object.values(jobs), "everyMs", "offsetMs")];
  },
)`
      with schedule as (
        select s.name, to_timestamp((floor((extract(epoch from clock_timestamp()) * 1000 - s.after_ms) / s.every_ms) + 1)
                                    * s.every_ms / 1000 + s.after_ms / 1000.0) as following
          from unnest($2::text[], $3::int[], $4::int[]) as s (name, every_ms, after_ms)
      ), added as (
        insert into job_runs (name, next_at) select s.name, s.following from schedule s
         where not exists (select from job_runs j where j.name = s.name) on conflict do nothing
      ), due as materialized (
        select j.name, s.following from job_runs j join schedule s on s.name = j.name
         where (j.next_at <= clock_timestamp() or j.next_at > s.following)
           and not exists (select from processes p where p.id = j.process_id and p.id <> $1)
         order by j.next_at limit 1 for update of j skip locked
      )
      update job_runs j set process_id = $1, running_since = clock_timestamp(),
             next_at = least(due.following, clock_timestamp() + ${AGAIN_AFTER})
        from due where j.name = due.name
      returning j.name, j.running_since as "startedAt", due.following as "nextAt"`;

export interface RunFailure {
  readonly message: string;
  /** Within the hour. */
  readonly isRepeated: boolean;
}

/** Does nothing if the run has been claimed again meanwhile. */
export const endRun = defineRun("end_run").values((run: ClaimedRun, failure: RunFailure | null) => {
  const { message = null, isRepeated = false } = failure ?? {};
  return [run.name, run.startedAt, run.nextAt, message, isRepeated];
})`
      update job_runs set process_id = null, running_since = null, started_at = $2, ended_at = clock_timestamp(), error = $4,
             next_at = case when $5 then least($3, clock_timestamp() + ${RETRY_AFTER}) else $3 end
       where name = $1 and running_since = $2`;

/** The run goes on, so no process starts another. Does nothing if it has ended or been claimed again. */
export const storeOverrun = defineRun("store_overrun").values((run: ClaimedRun, message: string) => [
  run.name,
  run.startedAt,
  message,
])`
      update job_runs set started_at = $2, ended_at = clock_timestamp(), error = $3 where name = $1 and running_since = $2`;
