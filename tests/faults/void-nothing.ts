/** Preloaded mutant: a provider that does not void unseen requests. The harness must detect it. */
import pg from "pg";

type AnyQuery = (this: unknown, ...args: unknown[]) => unknown;
const client = pg.Client.prototype as unknown as { query: AnyQuery };
const passOn = client.query;

client.query = function query(this: unknown, ...args: unknown[]): unknown {
  const statement = args[0] as { name?: unknown } | undefined;
  if (statement?.name === "sandbox_void_request") args[0] = { text: "select true", values: [] };
  return passOn.apply(this, args);
};
