/** Plans the migration from prisma/migrations to the sources. */
import pg from "pg";
import { withConnection } from "#lib/db/connection/with-connection.ts";
import { applyMigrations } from "#lib/db/schema/migrate.ts";
import { type BuiltDatabase, buildFromSources } from "./build.ts";
import { type Catalog, type CatalogObject, keyOf, type ObjectKind, readCatalog } from "./catalog.ts";
import { listDifferences } from "./compare.ts";
import { type Dependency, readDependencies } from "./dependencies.ts";
import { diffToSchema } from "./schema-engine.ts";
import { withScratchDatabase } from "./scratch.ts";
import { type DatabaseSources, UNCHECKED_BODIES } from "./sources.ts";
import { createStatement, dropStatement, tableOf, validateStatement } from "./statements.ts";

const DROP_ORDER: readonly ObjectKind[] = ["trigger", "index", "constraint", "column", "function"];
const CREATE_ORDER: readonly ObjectKind[] = ["function", "column", "constraint", "index", "trigger"];

type Migrated = { catalog: Catalog; dependencies: readonly Dependency[] };

/** Whether it is a constraint of the sources that existing rows need not meet yet. */
function isUnvalidated(object: CatalogObject, built: BuiltDatabase): boolean {
  return object.definition === `${built.catalog.get(keyOf(object))?.definition} NOT VALID`;
}

/** Generated columns, and indexes and constraints that prisma/schema would not create like this. */
function isHandWritten(object: CatalogObject, built: BuiltDatabase): boolean {
  const inSchema = built.schemaCatalog.get(keyOf(object));
  if (object.kind === "column") return !inSchema && object.definition.includes(" generated always as (");
  if (object.kind === "constraint" && object.definition.startsWith("PRIMARY KEY")) return false;
  if (isUnvalidated(object, built)) return false;
  return (object.kind === "constraint" || object.kind === "index") && inSchema?.definition !== object.definition;
}

/** Objects to drop before Prisma's own statements: removed, redefined, or dependent on something redefined. */
function listDrops({ catalog, dependencies }: Migrated, built: BuiltDatabase): Map<string, CatalogObject> {
  const drops = new Map<string, CatalogObject>();
  const visit = (object: CatalogObject) => {
    const key = keyOf(object);
    if (drops.has(key)) return;
    drops.set(key, object);
    visitDependents(key, () => true);
  };
  const visitDependents = (key: string, wanted: (dependent: CatalogObject) => boolean) => {
    for (const { dependent, on } of dependencies) {
      const object = on === key ? catalog.get(dependent) : undefined;
      const isOurs = object && (object.kind === "trigger" || isHandWritten(object, built));
      if (isOurs && wanted(object)) visit(object);
    }
  };
  for (const [key, object] of catalog) {
    const target = built.catalog.get(key);
    if (target?.definition === object.definition || isUnvalidated(object, built)) continue;
    const kept = object.kind === "function" || built.catalog.has(`table ${tableOf(object)}`);
    const redefined = object.kind === "trigger" || isHandWritten(object, built);
    if (object.kind === "function" && target?.signature === object.signature) {
      // Replaced in place: recomputes the columns and indexes that use it.
      visitDependents(key, ({ kind }) => kind !== "trigger");
    } else if (object.kind === "function" || (kept && redefined)) {
      visit(object);
    } else if (object.kind === "column" && target?.signature !== object.signature) {
      visitDependents(key, () => true);
    }
  }
  return drops;
}

function assemble(migrated: Migrated, built: BuiltDatabase, sources: DatabaseSources, schemaScript: string): string {
  const drops = listDrops(migrated, built);
  const ofKind = (objects: Iterable<CatalogObject>, kind: ObjectKind) => [...objects].filter((o) => o.kind === kind);
  const creates = [...built.catalog.values()].filter((object) => {
    const key = keyOf(object);
    if (built.schemaCatalog.has(key)) return false;
    const present = migrated.catalog.get(key);
    const replaced = object.kind === "function" && present?.definition !== object.definition;
    return !present || drops.has(key) || replaced;
  });
  const removedExtensions = ofKind(migrated.catalog.values(), "extension").filter((o) => !built.catalog.has(keyOf(o)));
  const create = (object: CatalogObject) => createStatement(object, sources);
  const parts = [
    ...DROP_ORDER.flatMap((kind) => ofKind(drops.values(), kind)).map(dropStatement),
    ...ofKind(creates, "extension").map(create),
    schemaScript.trim(),
    ofKind(creates, "function").length > 0 ? UNCHECKED_BODIES.trim() : "",
    ...CREATE_ORDER.flatMap((kind) => ofKind(creates, kind)).map(create),
    ...[...migrated.catalog.values()].filter((object) => isUnvalidated(object, built)).map(validateStatement),
    ...removedExtensions.map(dropStatement),
  ];
  const script = parts.filter((part) => part !== null && part !== "").join("\n\n");
  return script === "" ? "" : `${script}\n`;
}

/** Prisma's changes, planned on a copy without objects that Prisma cannot create. */
async function diffTables(databaseUrl: string, migrated: Migrated, built: BuiltDatabase): Promise<string> {
  const strip = async (client: pg.Client) => {
    await client.query("drop table if exists _prisma_migrations");
    for (const object of migrated.catalog.values()) {
      if (!isHandWritten(object, built)) continue;
      const [table, name] = object.name.split(".").map((part) => pg.escapeIdentifier(part));
      const statement =
        object.kind === "index"
          ? `drop index if exists ${name} cascade`
          : `alter table ${table} drop ${object.kind} if exists ${name} cascade`;
      await client.query(statement);
    }
  };
  const copy = async (copyUrl: string) => {
    await withConnection(copyUrl, strip);
    return diffToSchema({ from: "database", databaseUrl: copyUrl });
  };
  return withScratchDatabase(databaseUrl, copy, new URL(databaseUrl).pathname.slice(1));
}

export type NextMigration = {
  /** Empty if the migrations already lead to the sources. */
  script: string;
  /** Changes that a person has to complete. */
  remaining: string[];
};

/** Replays the migrations, compares with the sources, and tests the result, in scratch databases. */
export async function planNextMigration(
  serverUrl: string,
  sources: DatabaseSources,
  migrationsDir: string,
): Promise<NextMigration> {
  const built = await withScratchDatabase(serverUrl, (url) => buildFromSources(url, sources));
  return withScratchDatabase(serverUrl, async (databaseUrl) => {
    await applyMigrations({ databaseUrl, migrationsDir });
    const migrated = await withConnection(databaseUrl, async (client) => ({
      catalog: await readCatalog(client),
      dependencies: await readDependencies(client),
    }));
    const script = assemble(migrated, built, sources, await diffTables(databaseUrl, migrated, built));
    const remaining = await withConnection(
      databaseUrl,
      async (client) => {
        try {
          await client.query(script);
        } catch (error) {
          return [`the database rejects it: ${error instanceof Error ? error.message : String(error)}`];
        }
        return listDifferences(await readCatalog(client), built);
      },
      { silentForMs: null },
    );
    return { script, remaining };
  });
}
