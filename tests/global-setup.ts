import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { openDatabase } from "#lib/db/connection/client.ts";
import { updatePartitions } from "#lib/db/partition/partitions.ts";
import { applyMigrations } from "#lib/db/schema/migrate.ts";
import { startTemporaryPostgres } from "#lib/embedded/temporary-postgres.ts";
import { seedCatalog } from "#lib/seed/catalog.ts";
import { copyTestDatabase } from "./database-copy.ts";
import { START } from "./support/start.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The migrated, empty template of test databases. It must have no connections. */
    templateDatabaseUrl: string;
    /** The same with the first catalog. */
    catalogDatabaseUrl: string;
  }
}

async function createCatalog(templateDatabaseUrl: string): Promise<string> {
  const { url } = await copyTestDatabase(templateDatabaseUrl);
  const db = openDatabase({ url, poolSize: 2 });
  try {
    await updatePartitions(db, START);
    await seedCatalog(db);
  } finally {
    await db.close();
  }
  return url;
}

/** One database server for the whole run, removed with its databases. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startTemporaryPostgres();
  try {
    const migrationsDir = join(import.meta.dirname, "..", "prisma", "migrations");
    await applyMigrations({ databaseUrl: postgres.url, migrationsDir });
    project.provide("templateDatabaseUrl", postgres.url);
    project.provide("catalogDatabaseUrl", await createCatalog(postgres.url));
  } catch (error) {
    await postgres.stop();
    throw error;
  }
  return () => postgres.stop();
}
