/** Preloaded mutant: takes an unknown outcome for a rejection. The harness must detect it. */
import pg from "pg";

type AnyQuery = (this: unknown, ...args: unknown[]) => unknown;
const client = pg.Client.prototype as unknown as { query: AnyQuery };
const passOn = client.query;

client.query = function query(this: unknown, ...args: unknown[]): unknown {
  const statement = args[0] as { name?: unknown; values?: readonly unknown[] } | undefined;
  if (statement?.name === "mark_operation_unknown") {
    const [id, resellerId, token] = statement.values ?? [];
    const settlement = {
      place: 0,
      id,
      resellerId,
      token,
      succeeded: false,
      failureMessage: "unclear",
      reconciled: false,
    };
    const values = [JSON.stringify([{ ...settlement, now: new Date() }])];
    args[0] = { text: "select * from settle_operations($1::jsonb)", values };
  }
  return passOn.apply(this, args);
};
