import type { Socket } from "node:net";
import type pg from "pg";

/**
 * Closes connections whose query receives no byte within the timeout, so the query fails and the pool reconnects. Idle
 * connections have no timeout.
 * `query_timeout` of `pg` is no alternative: its timer per query keeps the query's rows in memory.
 */
export function applySocketTimeout(pool: pg.Pool, timeoutMs: number): void {
  const inUse = new WeakSet<pg.PoolClient>();
  pool.on("acquire", (client) => inUse.add(client));
  pool.on("release", (_error, client) => inUse.delete(client));
  pool.on("connect", (client) => {
    const stream = client.connection.stream as Socket;
    // Restarts with every byte written or read, also after it has passed on an idle connection.
    stream.setTimeout(timeoutMs);
    stream.on("timeout", () => {
      if (inUse.has(client)) stream.destroy(new Error("Query read timeout"));
    });
  });
}
