import type { BuiltDatabase } from "./build.ts";
import { type Catalog, type CatalogObject, keyOf } from "./catalog.ts";

/** The file that defines an object of the built database. */
function sourceOf(object: CatalogObject, built: BuiltDatabase): string {
  if (object.kind === "function") return `prisma/sql/functions/${object.name}.sql`;
  if (object.kind === "trigger") return "prisma/sql/triggers.sql";
  return built.schemaCatalog.has(keyOf(object)) ? "prisma/schema" : "prisma/sql/rules.sql";
}

/** One line for each object that differs between a database and its sources. */
export function listDifferences(database: Catalog, built: BuiltDatabase): string[] {
  const differences: string[] = [];
  for (const [key, object] of built.catalog) {
    const found = database.get(key);
    if (!found) differences.push(`${key} of ${sourceOf(object, built)} is missing in the database`);
    else if (found.definition !== object.definition) differences.push(`${key} differs from ${sourceOf(object, built)}`);
  }
  for (const key of database.keys()) {
    if (!built.catalog.has(key)) differences.push(`${key} in the database has no source`);
  }
  return differences;
}
