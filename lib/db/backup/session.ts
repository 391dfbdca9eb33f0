import type pg from "pg";
import { UtcClient } from "#lib/db/connection/utc-client.ts";

const CONNECT_TIMEOUT_MS = 10_000;

/** Values as text that any version reads back unchanged. */
const SETTINGS = `
  set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0;
  set idle_session_timeout = 0;
  set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set bytea_output = 'hex';
  set extra_float_digits = 1; set search_path = public`;

/** A connection without time limits. The caller ends it. */
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
  try {
    await client.query(SETTINGS);
    return client;
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** The database's tables, each with its partitions, but for the records of migrations and of backups, which belong to one installation. */
export const CONTENT_TABLES = `
  select c.oid, c.relname as name
    from pg_class c
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     and c.relname not in ('_prisma_migrations', 'archive_states', 'backups')`;
