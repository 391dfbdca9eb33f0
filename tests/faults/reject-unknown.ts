/** Preloaded mutant: takes an unknown outcome for a rejection. The harness must detect it. */
import pg from "pg";

type AnyQuery = (this: unknown, ...args: unknown[]) => unknown;
const client = pg.Client.prototype as unknown as { query: AnyQuery };
const passOn = client.query;

client.query = function query(this: unknown, ...args: unknown[]): unknown {
  const statement = args[0] as { name?: unknown; values?: readonly unknown[] } | undefined;
  if (statement?.name === "mark_operation_unknown") {
    const text = "select * from settle_operation($2, $1, $3, false, 'unclear', '{}'::jsonb, false, now())";
    args[0] = { text, values: statement.values?.slice(0, 3) };
  }
  return passOn.apply(this, args);
};
