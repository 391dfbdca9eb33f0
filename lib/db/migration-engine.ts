/**
 * Prisma's schema engine as WebAssembly: the engine of `prisma migrate`, without its download.
 * It keeps Prisma's own `_prisma_migrations` table, so `prisma migrate deploy` works on the same database.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import type { DiffTarget, SchemaEngine } from "@prisma/schema-engine-wasm";
import { migrationAdapterFactory } from "./migration-adapter.ts";
import { readMigrations, readSchema } from "./migration-files.ts";

const NO_FILTER = { externalTables: [], externalEnums: [] };

type EngineModule = {
  SchemaEngine: typeof SchemaEngine;
  __wbg_set_wasm(exports: WebAssembly.Exports): void;
};

let loadedModule: EngineModule | undefined;
let panicMessage: string | undefined;

/** Node cannot import the package's main file, which imports `.wasm`; its glue is instantiated by hand. */
async function loadEngineModule(): Promise<EngineModule> {
  if (loadedModule) return loadedModule;
  // Where the engine leaves its last words; without this object a panic would be a TypeError about it.
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

async function withEngine<Result>(databaseUrl: string, use: (engine: SchemaEngine) => Promise<Result>) {
  const { SchemaEngine } = await loadEngineModule();
  const adapterFactory = migrationAdapterFactory(databaseUrl);
  const boundFactory = bindMigrationAwareSqlAdapterFactory(adapterFactory);
  const engine = await SchemaEngine.new({ datamodels: undefined }, () => undefined, boundFactory);
  try {
    return await use(engine);
  } catch (error) {
    throw readableError(error);
  } finally {
    engine.free();
    await adapterFactory.closeAll();
  }
}

/** The engine's messages end in a trace of its own source; the name of the migration at fault stands in there. */
function readableError(error: unknown): Error {
  const message = panicMessage ?? (error instanceof Error ? error.message : String(error));
  const plain = message
    .split(/\n\s+0: /)[0]
    ?.replace("external connector error\n", "")
    .trim();
  const migration = /migration_name="([^"]+)"/.exec(message)?.[1];
  return new Error(migration ? `Migration ${migration}: ${plain}` : plain, { cause: error });
}

/** Applies what is pending, without looking first; returns the names applied. Callers hold the migration lock. */
export async function runMigrations(databaseUrl: string, migrationsDir: string): Promise<string[]> {
  const migrationsList = await readMigrations(migrationsDir);
  return withEngine(databaseUrl, async (engine) => {
    const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList, filters: NO_FILTER });
    return appliedMigrationNames;
  });
}

/**
 * The SQL that leads from the migrations to the Prisma schema; an empty string when they agree. Replays the migrations in a shadow database that it creates and drops on the
 * server of `scratchDatabaseUrl`.
 */
export async function diffMigrationsToSchema(options: {
  scratchDatabaseUrl: string;
  migrationsDir: string;
  schemaDir: string;
  /** Leave out the migrations from this name on. */
  before?: string;
}): Promise<string> {
  const migrations = await readMigrations(options.migrationsDir, options.before);
  const schema = await readSchema(options.schemaDir);
  const from: DiffTarget =
    migrations.migrationDirectories.length === 0 ? { tag: "empty" } : { tag: "migrations", ...migrations };
  return withEngine(options.scratchDatabaseUrl, async (engine) => {
    const to: DiffTarget = { tag: "schemaDatamodel", ...schema };
    const result = await engine.diff({ from, to, script: true, exitCode: null, filters: NO_FILTER });
    const script = result.stdout ?? "";
    return script.trim() === "-- This is an empty migration." ? "" : script;
  });
}
