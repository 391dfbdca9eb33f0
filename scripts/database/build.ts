import type pg from "pg";
import { withConnection } from "#lib/db/connection/with-connection.ts";
import { listCalledFunctions } from "./called-functions.ts";
import { type Catalog, readCatalog } from "./catalog.ts";
import { type DatabaseSources, sqlScript } from "./sources.ts";

export type BuiltDatabase = {
  catalog: Catalog;
  /** The part of the catalog that prisma/schema alone creates. */
  schemaCatalog: Catalog;
};

/**
 * @throws unless each file of prisma/sql/functions defines exactly the function that it is named after, which calls only
 *   functions that exist
 */
async function checkFunctions(client: pg.Client, sources: DatabaseSources, catalog: Catalog): Promise<void> {
  for (const { kind, name } of catalog.values()) {
    if (kind === "function" && !sources.functions.has(name)) {
      throw new Error(`Function ${name} must be defined in prisma/sql/functions/${name}.sql.`);
    }
  }
  const { rows } = await client.query<{ names: string[] }>("select array_agg(proname::text) as names from pg_proc");
  const existing = new Set(rows[0]?.names);
  for (const [name, script] of sources.functions) {
    if (!catalog.has(`function ${name}`)) {
      throw new Error(`prisma/sql/functions/${name}.sql must define function ${name}.`);
    }
    // Again, now that all functions exist and their bodies can be checked.
    await client.query(script).catch((error: Error) => {
      throw new Error(`prisma/sql/functions/${name}.sql: ${error.message}`, { cause: error });
    });
    for (const called of await listCalledFunctions(script)) {
      if (!existing.has(called))
        throw new Error(`prisma/sql/functions/${name}.sql calls ${called}, which does not exist.`);
    }
  }
}

/** Builds an empty database from the sources. @throws if they are inconsistent. */
export async function buildFromSources(databaseUrl: string, sources: DatabaseSources): Promise<BuiltDatabase> {
  return withConnection(
    databaseUrl,
    async (client) => {
      await client.query(sources.schemaScript);
      const schemaCatalog = await readCatalog(client);
      await client.query(sqlScript(sources));
      const catalog = await readCatalog(client);
      await checkFunctions(client, sources, catalog);
      return { catalog, schemaCatalog };
    },
    { silentForMs: null },
  );
}
