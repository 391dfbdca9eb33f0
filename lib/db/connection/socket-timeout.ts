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
    watchSilence(client, timeoutMs, () => {
      for (const silent of [client, ...idle]) endSilent(silent);
    });
  });
}

/** Calls `onSilence` whenever a query, or the end of the connection, has received no byte for so long. */
export function watchSilence(client: Client, timeoutMs: number, onSilence: () => void): void {
  const stream = client.connection.stream as Socket;
  // Restarts with every byte written or read, too.
  stream.setTimeout(timeoutMs);
  stream.on("timeout", () => {
    stream.setTimeout(timeoutMs);
    if (!isIdle(client)) onSilence();
  });
}

/** Its query fails with an error that `isSilence` knows. */
export const endSilent = (client: Client) => void client.connection.stream.destroy(new Error(SILENCE));

type Client = pg.Client | pg.PoolClient;

/** Not in the types of `pg`. */
function isIdle(client: Client): boolean {
  const { readyForQuery, _ending } = client as unknown as Record<"readyForQuery" | "_ending", boolean>;
  return readyForQuery && !_ending;
}

/** Whether the query was ended here: the server may yet carry it out. */
export const isSilence = (error: unknown) => error instanceof Error && error.message === SILENCE;
