import type pg from "pg";

const MAX_TEXT_LENGTH = 200;

export interface QueryWatch {
  /** Shorter statements are not reported. */
  readonly fromMs: number;
  /** Called with the statement's name, or its text without values. */
  report(statement: string, durationMs: number): void;
}

/** Reports the statements of a pool that take long, without their values. */
export function watchQueries(pool: pg.Pool, { fromMs, report }: QueryWatch): void {
  pool.on("connect", (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const watch = (...args: unknown[]) => {
      const startMs = performance.now();
      const done = () => {
        const durationMs = performance.now() - startMs;
        if (durationMs >= fromMs) report(describe(args[0]), durationMs);
      };
      const last = args.at(-1);
      // The pool passes a callback.
      if (typeof last === "function") {
        const callback = (...results: unknown[]) => {
          done();
          Reflect.apply(last, undefined, results);
        };
        return query(...args.slice(0, -1), callback);
      }
      const result = query(...args);
      if (result instanceof Promise) result.then(done, done);
      return result;
    };
    Object.assign(client, { query: watch });
  });
}

function describe(config: unknown): string {
  const { name, text } = typeof config === "string" ? { name: undefined, text: config } : (config as pg.QueryConfig);
  return name ?? text.replaceAll(/\s+/g, " ").trim().slice(0, MAX_TEXT_LENGTH);
}
