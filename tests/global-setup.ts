import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { applyMigrations } from "#lib/db/schema/migrate.ts";
import { startTemporaryPostgres } from "#lib/embedded/temporary-postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The migrated, empty database that test databases are copied from. Nobody may stay connected to it. */
    templateDatabaseUrl: string;
  }
}

/** One database server for the whole run; it and all its databases are gone afterwards. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startTemporaryPostgres();
  try {
    const migrationsDir = join(import.meta.dirname, "..", "prisma", "migrations");
    await applyMigrations({ databaseUrl: postgres.url, migrationsDir });
  } catch (error) {
    await postgres.stop();
    throw error;
  }
  project.provide("templateDatabaseUrl", postgres.url);
  return () => postgres.stop();
}
