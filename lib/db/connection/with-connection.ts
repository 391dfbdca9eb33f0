import type pg from "pg";
import { UtcClient } from "./utc-client.ts";

const CONNECT_TIMEOUT_MS = 5_000;

/** Runs `use` on a connection of its own, and closes it. @param options.name as the server shows the connection */
export async function withConnection<Result>(
  databaseUrl: string,
  use: (client: pg.Client) => Promise<Result>,
  { name, connectWithinMs = CONNECT_TIMEOUT_MS }: { readonly name?: string; readonly connectWithinMs?: number } = {},
): Promise<Result> {
  const client = new UtcClient({
    connectionString: databaseUrl,
    connectionTimeoutMillis: connectWithinMs,
    ...(name === undefined ? {} : { application_name: name }),
  });
  // The next query fails instead.
  client.on("error", () => undefined);
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
