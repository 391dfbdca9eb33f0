import type pg from "pg";
import { endSilent, watchSilence } from "./socket-timeout.ts";
import { UtcClient } from "./utc-client.ts";

export interface ConnectionOptions {
  /** As the server shows the connection. */
  readonly name?: string;
  readonly connectWithinMs?: number;
  /** How long the server may be silent, also when the connection ends; null: a statement may take any time. */
  readonly silentForMs?: number | null;
}

const CONNECT_TIMEOUT_MS = 5_000;
const SILENCE_MS = 15_000;

/** Runs `use` on a connection of its own, and closes it. @throws also if the server falls silent */
export async function withConnection<Result>(
  databaseUrl: string,
  use: (client: pg.Client) => Promise<Result>,
  { name, connectWithinMs = CONNECT_TIMEOUT_MS, silentForMs = SILENCE_MS }: ConnectionOptions = {},
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
    if (silentForMs !== null) watchSilence(client, silentForMs, () => endSilent(client));
    return await use(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
