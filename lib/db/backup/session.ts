import type pg from "pg";
import { SOCKET_TIMEOUT_MS } from "#lib/db/connection/client.ts";
import { endSilent, watchSilence } from "#lib/db/connection/socket-timeout.ts";
import { UtcClient } from "#lib/db/connection/utc-client.ts";
import { withConnection } from "#lib/db/connection/with-connection.ts";

const CONNECT_TIMEOUT_MS = 10_000;
const ANSWERS_WITHIN = { connectWithinMs: 2_000, silentForMs: 2_000 };

/** Values as text that any version reads back unchanged. */
const SETTINGS = `
  set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0;
  set idle_session_timeout = 0;
  set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set bytea_output = 'hex';
  set extra_float_digits = 1; set search_path = public`;

/** A connection whose statements may take any time, as long as the server says that it runs them. The caller ends it. */
export async function connectForBackup(databaseUrl: string): Promise<pg.Client> {
  const client = new UtcClient({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: "license-desk backup",
    keepAlive: true,
  });
  // The next query fails instead.
  client.on("error", () => undefined);
  await client.connect();
  const { processID } = client as unknown as { readonly processID: number };
  watchSilence(client, SOCKET_TIMEOUT_MS, () => {
    requireBackend(databaseUrl, processID).catch(() => endSilent(client));
  });
  try {
    await client.query(SETTINGS);
    return client;
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** @throws also if the server does not answer */
async function requireBackend(databaseUrl: string, processId: number): Promise<void> {
  const found = await withConnection(
    databaseUrl,
    (client) => client.query("select from pg_stat_activity where pid = $1", [processId]),
    ANSWERS_WITHIN,
  );
  if (found.rowCount === 0) throw new Error("the server has ended the connection");
}

/** The database's tables, each with its partitions, but for the records of migrations and of backups, which belong to one installation. */
export const CONTENT_TABLES = `
  select c.oid, c.relname as name
    from pg_class c
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     and c.relname not in ('_prisma_migrations', 'archive_states', 'backups')`;
