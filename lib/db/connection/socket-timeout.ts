import type { Socket } from "node:net";
import type pg from "pg";

/**
 * Closes connections whose query receives no byte within the timeout, so the query fails and the pool reconnects. Idle
 * connections have no timeout, but are closed with it: their next query would wait as long for the same server.
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
      if (idle.has(client)) return;
      for (const silent of [client, ...idle]) streamOf(silent).destroy(new Error("Query read timeout"));
    });
  });
}

const streamOf = (client: pg.PoolClient) => client.connection.stream as Socket;
