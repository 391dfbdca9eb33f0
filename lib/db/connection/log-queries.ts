import type pg from "pg";

/** Logs every statement of a pool with its duration, for development (LOG_QUERIES=1). */
export function logQueries(pool: pg.Pool, log: (line: string) => void): void {
  pool.on("connect", (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    Object.assign(client, {
      query: (...args: unknown[]) => {
        const startedAt = performance.now();
        const result = query(...args);
        const report = () => log(`${(performance.now() - startedAt).toFixed(1)} ms  ${describe(args[0])}`);
        if (result instanceof Promise) result.then(report, report);
        return result;
      },
    });
  });
}

function describe(config: unknown): string {
  const { name, text } = typeof config === "string" ? { name: undefined, text: config } : (config as pg.QueryConfig);
  return name ?? text.replaceAll(/\s+/g, " ").trim();
}
