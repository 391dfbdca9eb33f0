import type pg from "pg";
import { SESSION_TIMEOUTS } from "./client.ts";
import { withConnection } from "./with-connection.ts";

interface Place {
  readonly cluster: string;
  readonly hasOwnSession: boolean;
  readonly settings: Readonly<Record<string, string>>;
}

/** Poolers give clients process ids of their own. */
const readPlace = `
  select pg_backend_pid() as pid,
         concat_ws(' ', current_database(), pg_postmaster_start_time()::text) as cluster,
         (select json_object_agg(name, setting) from pg_settings where name = any ($1)) as settings`;

/** @throws Error of one line if DATABASE_URL leads to a connection pooler, which has no sessions */
export async function requireDirectDatabase(databaseUrl: string): Promise<void> {
  const { hasOwnSession } = await visit(databaseUrl);
  if (hasOwnSession) return;
  throw new Error(
    "DATABASE_URL leads to a connection pooler such as PgBouncer: set it to the database itself, which the worker and " +
      "the leases of processes need, and DATABASE_POOLER_URL to the pooler.",
  );
}

/** @throws Error of one line if statements through the pooler would reach another database, or wait without limits */
export async function requirePooler(poolerUrl: string, databaseUrl: string): Promise<void> {
  const { host } = new URL(poolerUrl);
  const pooled = await visit(poolerUrl).catch((error: Error) => {
    throw new Error(`The pooler at ${host} refuses the connection: ${error.message}.`, { cause: error });
  });
  if (pooled.settings.TimeZone !== "UTC") {
    throw new Error(
      `The pooler at ${host} ignores the time zone of its clients. Run: alter database … set timezone = 'UTC'`,
    );
  }
  const { cluster } = await visit(databaseUrl);
  if (pooled.cluster !== cluster) {
    throw new Error(`The pooler at ${host} leads to another database than DATABASE_URL: correct one of the two.`);
  }
  const wrong = Object.entries(SESSION_TIMEOUTS).some(([name, ms]) => pooled.settings[name] !== String(ms));
  if (!wrong) return;
  const commands = Object.entries(SESSION_TIMEOUTS).map(([name, ms]) => `set ${name} = ${ms}`);
  throw new Error(
    `The pooler at ${host} opens connections without our timeouts. In pgbouncer.ini, add to the database: ` +
      `connect_query='${commands.join("; ")}'`,
  );
}

/**
 * What the server of DATABASE_REPLICA_URL is. `unknown`: no process has begun the primary's timeline yet
 * (begin_timeline.sql). @throws if it does not answer
 */
export async function readReplicaState(
  replicaUrl: string,
  databaseUrl: string,
): Promise<"replica" | "primary" | "another database" | "left behind" | "unknown"> {
  const [replica, primary] = await Promise.all([
    withConnection(replicaUrl, readServer),
    withConnection(databaseUrl, readServer),
  ]);
  if (replica.system !== primary.system) return "another database";
  if (!replica.isInRecovery) return "primary";
  const [followed, begun] = await Promise.all(
    [replicaUrl, databaseUrl].map((url) => withConnection(url, readTimeline)),
  );
  if (begun !== primary.timeline) return "unknown";
  return followed === begun ? "replica" : "left behind";
}

interface Server {
  readonly system: string;
  readonly isInRecovery: boolean;
  /** Null on a replica. */
  readonly timeline: number | null;
}

/** Without current_timeline(), which another database may not have. */
async function readServer(client: pg.Client): Promise<Server> {
  const { rows } = await client.query(
    `select concat_ws(' ', current_database(), system_identifier) as system, pg_is_in_recovery() as "isInRecovery",
            case when not pg_is_in_recovery()
              then ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int end as timeline
       from pg_control_system()`,
  );
  return rows[0];
}

/** The last one that a process has begun; on a replica, of those that it has followed. */
async function readTimeline(client: pg.Client): Promise<number | null> {
  const { rows } = await client.query("select timeline from deployment");
  return rows[0]?.timeline ?? null;
}

const visit = (url: string): Promise<Place> =>
  withConnection(url, async (client) => {
    const { rows } = await client.query(readPlace, [[...Object.keys(SESSION_TIMEOUTS), "TimeZone"]]);
    const [{ pid, ...place }] = rows as [Omit<Place, "hasOwnSession"> & { readonly pid: number }];
    return { ...place, hasOwnSession: pid === (client as unknown as { processID: number }).processID };
  });
