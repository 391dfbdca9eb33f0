import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { CONTENT_TABLES, connectForBackup } from "./session.ts";
import type { SnapshotContents } from "./snapshot.ts";

/** Tables in which a migrated database has rows before its first start. */
const FILLED_BY_MIGRATIONS = ["providers"];

const quote = pg.escapeIdentifier;

/** Null: no tables but those of a database that was migrated and never used. */
export async function findUsedTable(databaseUrl: string): Promise<string | null> {
  const client = await connectForBackup(databaseUrl);
  try {
    const { rows: schemas } = await client.query<{ name: string }>(
      `select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind in ('r', 'p') and n.nspname not like 'pg\\_%' and n.nspname not in ('information_schema', 'public')
        limit 1`,
    );
    if (schemas[0]) return schemas[0].name;
    const { rows: tables } = await client.query<{ name: string }>(CONTENT_TABLES);
    for (const { name } of tables.filter((table) => !FILLED_BY_MIGRATIONS.includes(table.name))) {
      const { rowCount } = await client.query(`select from ${quote(name)} limit 1`);
      if (rowCount !== 0) return name;
    }
    return null;
  } finally {
    await client.end();
  }
}

/** Rows of a table in PostgreSQL's text format, in pieces of any length. */
export type TableRows = (table: string) => AsyncIterable<Uint8Array>;

/**
 * Loads rows into a migrated database that was never used, all or nothing. Triggers do not fire: what they would write is
 * among the rows. Foreign keys are checked at the end.
 */
export async function loadContents(databaseUrl: string, contents: SnapshotContents, rowsOf: TableRows): Promise<void> {
  const client = await connectForBackup(databaseUrl);
  try {
    await client.query("begin");
    const { rows: tables } = await client.query<{ name: string }>(`${CONTENT_TABLES} order by 2`);
    const { rows: foreignKeys } = await client.query<{ table: string; name: string; definition: string }>(
      `select t.name as table, k.conname as name, pg_get_constraintdef(k.oid) as definition
         from (${CONTENT_TABLES}) t join pg_constraint k on k.conrelid = t.oid and k.contype = 'f'`,
    );
    const inEach = (change: string) => tables.map(({ name }) => `alter table ${quote(name)} ${change};`).join("\n");
    await client.query(inEach("disable trigger user"));
    for (const { table, name } of foreignKeys) {
      await client.query(`alter table ${quote(table)} drop constraint ${quote(name)}`);
    }
    await client.query(`truncate ${tables.map(({ name }) => quote(name)).join(", ")}`);
    for (const { name, columns } of contents.tables) {
      const rows = Readable.from(rowsOf(name), { objectMode: false });
      const into = client.query(copyFrom(`copy ${quote(name)} (${columns.map(quote).join(", ")}) from stdin`));
      await pipeline(rows, into);
    }
    for (const { table, name, definition } of foreignKeys) {
      await client.query(`alter table ${quote(table)} add constraint ${quote(name)} ${definition}`);
    }
    for (const { name, value } of contents.sequences) {
      if (value !== null) await client.query("select setval($1::regclass, $2)", [quote(name), value]);
    }
    await client.query(inEach("enable trigger user"));
    await client.query("commit");
    await client.query("analyze");
  } finally {
    // Rolls back what was not committed.
    await client.end();
  }
}
