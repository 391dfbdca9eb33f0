/** Preloaded into a server: the sandbox provider takes `SLOW_PROVIDER_MS` per request. */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

type AnyQuery = (this: unknown, ...args: unknown[]) => unknown;
const pool = pg.Pool.prototype as unknown as { query: AnyQuery };
const passOn = pool.query;

pool.query = function query(this: unknown, ...args: unknown[]): unknown {
  const statement = args[0] as { name?: unknown } | undefined;
  if (statement?.name !== "sandbox_decide_request") return passOn.apply(this, args);
  return sleep(Number(process.env.SLOW_PROVIDER_MS)).then(() => passOn.apply(this, args));
};
