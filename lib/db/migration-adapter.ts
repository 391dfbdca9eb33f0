/** `PrismaPg` as the schema engine needs it: four places where the adapter alone would do the wrong thing. */
import { randomUUID } from "node:crypto";
import { PrismaPg } from "@prisma/adapter-pg";
import {
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQuery,
  type SqlResultSet,
} from "@prisma/driver-adapter-utils";
import pg from "pg";

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * The adapter refuses PostgreSQL's internal type "char", which the engine's own catalog queries return. The pool
 * passes such columns off as text, and remembers which they were by the rows they came with.
 */
function disguiseCharColumns(pool: pg.Pool): WeakMap<object, number[]> {
  const charColumnsByRows = new WeakMap<object, number[]>();
  const runQuery = pool.query.bind(pool) as (query: pg.QueryConfig) => Promise<pg.QueryResult>;
  const query = async (config: pg.QueryConfig): Promise<pg.QueryResult> => {
    const result = await runQuery(config);
    const charColumns: number[] = [];
    // A script of several statements has several results, and no fields of its own.
    for (const [index, field] of (result.fields ?? []).entries()) {
      if (field.dataTypeID !== pg.types.builtins.CHAR) continue;
      field.dataTypeID = pg.types.builtins.TEXT;
      charColumns.push(index);
    }
    if (charColumns.length > 0) charColumnsByRows.set(result.rows, charColumns);
    return result;
  };
  Object.assign(pool, { query });
  return charColumnsByRows;
}

async function openAdapter(databaseUrl: string, afterClose?: () => Promise<void>): Promise<SqlDriverAdapter> {
  const pool = new pg.Pool({ connectionString: databaseUrl, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, max: 2 });
  const charColumnsByRows = disguiseCharColumns(pool);
  const adapter = await new PrismaPg(pool, { disposeExternalPool: true }).connect();
  const queryRaw = adapter.queryRaw.bind(adapter);
  let closed = false;
  const closePool = adapter.dispose.bind(adapter);
  return Object.assign(adapter, {
    queryRaw: async (query: SqlQuery): Promise<SqlResultSet> => {
      const result = await queryRaw(query);
      for (const index of charColumnsByRows.get(result.rows) ?? []) {
        result.columnTypes[index] = ColumnTypeEnum.Character;
      }
      return result;
    },
    // The adapter's own splits scripts at every semicolon, those inside functions and comments too. Sent whole, the
    // server parses it, and runs it in one transaction.
    executeScript: async (script: string): Promise<void> => {
      await adapter.executeRaw({ sql: script, args: [], argTypes: [] });
    },
    dispose: async (): Promise<void> => {
      if (closed) return;
      closed = true;
      await closePool();
      await afterClose?.();
    },
  });
}

async function runOnce(databaseUrl: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/**
 * The adapter's own shadow connection replays migrations into the main database when that is given as a URL, and
 * cannot drop the shadow database, which it is still connected to.
 */
async function openShadowAdapter(databaseUrl: string): Promise<SqlDriverAdapter> {
  const name = `prisma_migrate_shadow_db_${randomUUID()}`;
  const shadowUrl = new URL(databaseUrl);
  shadowUrl.pathname = `/${name}`;
  await runOnce(databaseUrl, `create database "${name}" template template0`);
  return openAdapter(shadowUrl.href, () => runOnce(databaseUrl, `drop database if exists "${name}" with (force)`));
}

/**
 * Connections of the schema engine to a database, and to shadow databases beside it on the same server.
 * The engine does not close what it opened; `closeAll` does.
 */
export function migrationAdapterFactory(
  databaseUrl: string,
): SqlMigrationAwareDriverAdapterFactory & { closeAll(): Promise<void> } {
  const opened: SqlDriverAdapter[] = [];
  const remember = (adapter: SqlDriverAdapter): SqlDriverAdapter => {
    opened.push(adapter);
    return adapter;
  };
  return {
    provider: "postgres",
    adapterName: "@prisma/adapter-pg",
    connect: async () => remember(await openAdapter(databaseUrl)),
    connectToShadowDb: async () => remember(await openShadowAdapter(databaseUrl)),
    closeAll: async () => {
      for (const adapter of opened.splice(0)) await adapter.dispose();
    },
  };
}
