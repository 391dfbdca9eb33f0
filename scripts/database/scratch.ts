import { randomUUID } from "node:crypto";
import pg from "pg";
import { withConnection } from "#lib/db/connection/with-connection.ts";

/** Runs `use` with a temporary database: an empty one, or a copy of `template`. */
export async function withScratchDatabase<Result>(
  serverUrl: string,
  use: (databaseUrl: string) => Promise<Result>,
  template = "template0",
): Promise<Result> {
  const name = `scratch_${randomUUID().replaceAll("-", "")}`;
  const url = new URL(serverUrl);
  url.pathname = "/postgres";
  const runOnServer = (sql: string) => withConnection(url.href, (client) => client.query(sql), { silentForMs: null });
  await runOnServer(`create database ${name} template ${pg.escapeIdentifier(template)}`);
  try {
    const scratchUrl = new URL(serverUrl);
    scratchUrl.pathname = `/${name}`;
    return await use(scratchUrl.href);
  } finally {
    await runOnServer(`drop database ${name} with (force)`);
  }
}
