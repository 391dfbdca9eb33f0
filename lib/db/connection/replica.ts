import { setTimeout as sleep } from "node:timers/promises";
import { isDomainError } from "#lib/domain/errors.ts";
import type { FailureWatch } from "#lib/domain/failure-watch.ts";
import type { Database } from "./client.ts";
import { boolean, int, text } from "./columns.ts";
import { outageKindOf } from "./errors.ts";
import { getRow, statement } from "./statement.ts";
import { withQuery } from "./with-query.ts";

/** How long a read waits for the replica to catch up. */
const CAUGHT_UP_WITHIN_MS = 100;
const ANSWERS_WITHIN_MS = 2 * CAUGHT_UP_WITHIN_MS;
const POLL_MS = 5;
/** How long reads stay on the primary after the replica has failed. */
const PAUSE_MS = 1_000;

const readPosition = statement("read_wal_position", { position: text, system: text, timeline: int })`
  select pg_current_wal_lsn()::text as position, concat_ws(' ', current_database(), system_identifier) as system,
         current_timeline() as timeline
    from pg_control_system()`;

/** False on another database, and on a server that was promoted. */
const hasReplayed = statement("has_replayed_wal", { reached: boolean })`
  select pg_is_in_recovery() and concat_ws(' ', current_database(), system_identifier) = $2
           and coalesce(pg_last_wal_replay_lsn() >= $1::text::pg_lsn, false) as reached
  from pg_control_system()`;

/**
 * False on a replica that a failover left behind. It may have replayed more than the new primary has written, but not
 * the row of its timeline. Another database may not have the table.
 */
const hasFollowed = statement("has_followed_timeline", { followed: boolean })`
  select exists (select from deployment where timeline = $1) as followed`;

/**
 * Adds a streaming replica for `reads`. A read there sees everything that was committed before it began, as on the
 * primary. If the replica lags, is away or fails, the primary answers.
 */
export function withReplica(primary: Database, replica: Database, watch: FailureWatch): Database {
  let pausedUntilMs = 0;

  const query: Database["query"] = async (statement, values) => {
    try {
      return await replica.query(statement, values);
    } catch (error) {
      // Canceled, because it would delay the replica, or away.
      fail(error);
      return primary.query(statement, values);
    }
  };
  const reads = withQuery(primary, query);

  function fail(error: unknown): void {
    watch.failed(outageKindOf(isDomainError(error) ? error.cause : error) ?? "unclear");
    pausedUntilMs = performance.now() + PAUSE_MS;
  }

  async function catchesUp(position: string, system: string, timeline: number): Promise<boolean> {
    for (const endsAtMs = performance.now() + CAUGHT_UP_WITHIN_MS; performance.now() < endsAtMs; await sleep(POLL_MS)) {
      const { reached } = await getRow(replica, hasReplayed, [position, system]);
      if (reached) return (await getRow(replica, hasFollowed, [timeline])).followed;
    }
    return false;
  }

  const database: Database = {
    ...primary,
    async reads() {
      if (performance.now() < pausedUntilMs) return primary;
      const { position, system, timeline } = await getRow(primary, readPosition, []);
      const answer = catchesUp(position, system, timeline);
      answer.catch(() => {});
      try {
        // A replica may accept connections and answer nothing.
        const reached = await Promise.race([answer, sleep(ANSWERS_WITHIN_MS, null, { ref: false })]);
        if (reached === null) throw new Error("timeout");
        watch.succeeded();
        if (reached) return reads;
        pausedUntilMs = performance.now() + PAUSE_MS;
      } catch (error) {
        fail(error);
      }
      return primary;
    },
    async close() {
      await Promise.all([primary.close(), replica.close()]);
    },
  };
  return database;
}
