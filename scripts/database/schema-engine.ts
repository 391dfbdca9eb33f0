/**
 * Prisma's schema engine as WebAssembly, to compare prisma/schema with a database. `prisma migrate diff` would download
 * the native one.
 */
import { readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQuery,
  type SqlResultSet,
} from "@prisma/driver-adapter-utils";
import type { DiffTarget, SchemaEngine, SchemasContainer } from "@prisma/schema-engine-wasm";
import pg from "pg";
import { partitionedTables } from "#lib/domain/partitions.ts";

const NO_FILTERS = { externalTables: [], externalEnums: [] };
const EMPTY_SCRIPT = "-- This is an empty migration.";

type EngineModule = {
  SchemaEngine: typeof SchemaEngine;
  __wbg_set_wasm(exports: WebAssembly.Exports): void;
};

let loadedModule: EngineModule | undefined;
let panicMessage: string | undefined;

/** Instantiates the engine manually: Node cannot import `.wasm` like the package's main file does. */
async function loadEngineModule(): Promise<EngineModule> {
  if (loadedModule) return loadedModule;
  // The engine reports a panic here; without this object the report itself would fail.
  const panicRegistry = { set_message: (message: string) => (panicMessage = message) };
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: panicRegistry });
  const packageDir = dirname(createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm"));
  const glue = (await import("@prisma/schema-engine-wasm/schema_engine_bg")) as unknown as EngineModule;
  const compiled = await WebAssembly.compile(readFileSync(join(packageDir, "schema_engine_bg.wasm")));
  const instance = await WebAssembly.instantiate(compiled, {
    "./schema_engine_bg.js": glue as unknown as WebAssembly.ModuleImports,
  });
  glue.__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
  loadedModule = glue;
  return glue;
}
/**
 * The adapter rejects PostgreSQL's internal type "char", which the engine's catalog queries return. So the pool reports
 * such columns as text, and the result gets the engine's type back.
 */
async function openAdapter(databaseUrl: string): Promise<SqlDriverAdapter> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  const charColumnsByRows = new WeakMap<object, number[]>();
  const runQuery = pool.query.bind(pool) as (query: pg.QueryConfig) => Promise<pg.QueryResult>;
  const query = async (config: pg.QueryConfig): Promise<pg.QueryResult> => {
    const result = await runQuery(config);
    const charColumns: number[] = [];
    for (const [index, field] of result.fields.entries()) {
      if (field.dataTypeID !== pg.types.builtins.CHAR) continue;
      field.dataTypeID = pg.types.builtins.TEXT;
      charColumns.push(index);
    }
    charColumnsByRows.set(result.rows, charColumns);
    return result;
  };
  Object.assign(pool, { query });
  const adapter = await new PrismaPg(pool, { disposeExternalPool: true }).connect();
  const queryRaw = adapter.queryRaw.bind(adapter);
  return Object.assign(adapter, {
    queryRaw: async (rawQuery: SqlQuery): Promise<SqlResultSet> => {
      const result = await queryRaw(rawQuery);
      for (const index of charColumnsByRows.get(result.rows) ?? [])
        result.columnTypes[index] = ColumnTypeEnum.Character;
      return result;
    },
  });
}

const schemaDir = join(import.meta.dirname, "..", "..", "prisma", "schema");

async function readSchema(): Promise<SchemasContainer> {
  const names = (await readdir(schemaDir)).filter((name) => name.endsWith(".prisma")).sort();
  const files = await Promise.all(
    names.map(async (name) => ({ path: name, content: await readFile(join(schemaDir, name), "utf8") })),
  );
  return { files };
}

/** Partitions tables where they are created: Prisma has no syntax for it. */
function partitioned(script: string): string {
  return script.replace(/^CREATE TABLE "(\w+)" \([^;]*\n\)(?=;)/gm, (statement, created: string) => {
    const table = partitionedTables.find(({ name }) => name === created);
    if (!table) return statement;
    const inherited = `CREATE TABLE "${created}_default" PARTITION OF "${created}" DEFAULT`;
    return `${statement} PARTITION BY RANGE ("${table.time}");\n\n${inherited}`;
  });
}

/** Returns the SQL that changes an empty database, or the one at the address, to prisma/schema. Changes nothing. */
export async function diffToSchema(options: { from: "empty" | "database"; databaseUrl: string }): Promise<string> {
  const { SchemaEngine } = await loadEngineModule();
  const schema = await readSchema();
  const adapter = await openAdapter(options.databaseUrl);
  const factory: SqlMigrationAwareDriverAdapterFactory = {
    provider: "postgres",
    adapterName: "@prisma/adapter-pg",
    connect: async () => adapter,
    connectToShadowDb: () => Promise.reject(new Error("No shadow database is needed here.")),
  };
  const engine = await SchemaEngine.new(
    { datamodels: undefined },
    () => undefined,
    bindMigrationAwareSqlAdapterFactory(factory),
  );
  try {
    const from: DiffTarget =
      options.from === "empty" ? { tag: "empty" } : { tag: "schemaDatasource", ...schema, configDir: schemaDir };
    const to: DiffTarget = { tag: "schemaDatamodel", ...schema };
    const { stdout } = await engine.diff({ from, to, script: true, exitCode: null, filters: NO_FILTERS });
    if (stdout === null || stdout.trim() === EMPTY_SCRIPT) return "";
    // A migration already runs in one transaction.
    return partitioned(stdout.replace(/^(BEGIN|COMMIT);\n/gm, ""));
  } catch (error) {
    // The engine's messages end in a stack trace.
    const message = panicMessage ?? (error instanceof Error ? error.message : String(error));
    throw new Error(message.split(/\n\s+0: /)[0], { cause: error });
  } finally {
    engine.free();
    await adapter.dispose();
  }
}
