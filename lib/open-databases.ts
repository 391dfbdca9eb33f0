import type { Logger } from "pino";
import { type Database, openDatabase } from "#lib/db/connection/client.ts";
import { withReplica } from "#lib/db/connection/replica.ts";
import type { QueryWatch } from "#lib/db/connection/watch-queries.ts";
import type { Env } from "#lib/env.ts";
import type { OutageWatches } from "./watch-outages.ts";

export interface Databases {
  readonly db: Database;
  readonly pools: { readonly requests: Database; readonly replica?: Database };
}

/** The database of this process: through the pooler and with the replica that the environment names. */
export function openDatabases(env: Env & { DATABASE_URL: string }, log: Logger, outages: OutageWatches): Databases {
  const safeMode = env.SAFE_MODE === "on";
  const queryWatch: QueryWatch =
    env.LOG_QUERIES === "1"
      ? { fromMs: 0, report: (statement, durationMs) => log.info({ statement, durationMs }, "statement") }
      : {
          fromMs: env.SLOW_QUERY_MS,
          report: (statement, durationMs) => log.warn({ statement, durationMs }, "slow statement"),
        };
  const pool = { poolSize: env.DATABASE_POOL_SIZE, queryWatch };
  const primary = openDatabase({
    ...pool,
    // Safe mode is a setting of the session, which a pooler does not keep.
    ...(env.DATABASE_POOLER_URL && !safeMode
      ? { url: env.DATABASE_POOLER_URL, isPooled: true }
      : { url: env.DATABASE_URL, readOnly: safeMode }),
    watch: outages.statements,
  });
  if (!env.DATABASE_REPLICA_URL) return { db: primary, pools: { requests: primary } };
  const replica = openDatabase({ ...pool, url: env.DATABASE_REPLICA_URL, readOnly: true });
  return { db: withReplica(primary, replica, outages.replica), pools: { requests: primary, replica } };
}
