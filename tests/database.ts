import { inject } from "vitest";
import { copyTestDatabase, type TestDatabase } from "./database-copy.ts";

/** A migrated, empty database. */
export function createTestDatabase(): Promise<TestDatabase> {
  return copyTestDatabase(inject("templateDatabaseUrl"));
}

/** A database with the first catalog (`lib/seed/catalog.ts`). */
export function createCatalogDatabase(): Promise<TestDatabase> {
  return copyTestDatabase(inject("catalogDatabaseUrl"));
}
