import type { Socket } from "node:net";
import type pg from "pg";

const SILENCE = "Query read timeout";

/**
 * Closes connections whose query receives no byte within the timeout, so the query fails and the pool reconnects. Idle
 * connections have no timeout, but are closed with it: their next query would wait as long for the same server. Those
 * that listen for notifications have none either.
 * `query_timeout` of `pg` is no alternative: its timer per query keeps the query's rows in memory.
 */
export function applySocketTimeout(pool: pg.Pool, timeoutMs: number): void {
  const idle = new Set<pg.PoolClient>();
  pool.on("acquire", (client) => idle.delete(client));
  pool.on("release", (_error, client) => idle.add(client));
  pool.on("remove", (client) => idle.delete(client));
  pool.on("connect", (client) => {
    const stream = streamOf(client);
    // Restarts with every byte written or read, also after it has passed on an idle connection.
    stream.setTimeout(timeoutMs);
    stream.on("timeout", () => {
      if (hasAnswered(client)) return;
      for (const silent of [client, ...idle]) endSilent(silent);
    });
  });
}

export const streamOf = (client: pg.Client | pg.PoolClient) => client.connection.stream as Socket;

/** Its query fails with an error that `isSilence` knows. */
export const endSilent = (client: pg.Client | pg.PoolClient) => streamOf(client).destroy(new Error(SILENCE));

/** Not in the types of `pg`. */
const hasAnswered = (client: pg.PoolClient) => (client as unknown as { readonly readyForQuery: boolean }).readyForQuery;

/** Whether the query was ended here: the server may yet carry it out. */
export const isSilence = (error: unknown) => error instanceof Error && error.message === SILENCE;
