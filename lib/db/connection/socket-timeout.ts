import type { Socket } from "node:net";
import type pg from "pg";

/**
 * Closes connections whose query gets no byte from the database within the timeout: the query fails, and the pool opens
 * another connection. Idle connections have no timeout.
 *
 * `query_timeout` of `pg` sets a timer per query, and the timer references the query's rows. Cleared timers form chains
 * of garbage that promote those rows to the old generation: 150,000 rows read in pages cost 100 MB, and nothing with one
 * timer per connection.
 */
export function applySocketTimeout(pool: pg.Pool, timeoutMs: number): void {
  const inUse = new WeakSet<pg.PoolClient>();
  pool.on("acquire", (client) => inUse.add(client));
  pool.on("release", (_error, client) => inUse.delete(client));
  pool.on("connect", (client) => {
    const stream = client.connection.stream as Socket;
    // Restarts with each byte written or read.
    stream.setTimeout(timeoutMs, () => {
      if (inUse.has(client)) stream.destroy(new Error("Query read timeout"));
    });
  });
}
