import { withConnection } from "./with-connection.ts";

const OLDEST_MAJOR = 15;
const VERSIONS_PER_MAJOR = 10_000;

/** @throws Error of one line if the server's PostgreSQL is too old for the migrations */
export async function requireSupportedServer(databaseUrl: string): Promise<void> {
  const { rows } = await withConnection(databaseUrl, (client) =>
    client.query<{ version: string }>("select current_setting('server_version_num') as version"),
  );
  const major = Math.floor(Number(rows[0]?.version) / VERSIONS_PER_MAJOR);
  if (major >= OLDEST_MAJOR) return;
  throw new Error(
    `The database server is PostgreSQL ${major}. License Desk needs ${OLDEST_MAJOR} or later: upgrade the server, or ` +
      "set DATABASE_URL to another one.",
  );
}
