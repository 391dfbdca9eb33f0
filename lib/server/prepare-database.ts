import { join } from "node:path";
import { applyMigrations } from "#lib/db/migrate.ts";
import type { EmbeddedPostgres } from "#lib/embedded/postgres.ts";
import { keepDemoAccess } from "./demo.ts";

export const migrationsDir = join(import.meta.dirname, "..", "..", "prisma", "migrations");

/**
 * Brings the database up to this version, and an embedded one's first start to its end: with the demonstration, which
 * is written through the runtime, so the environment must be complete.
 */
export async function prepareDatabase(options: {
  databaseUrl: string;
  embedded: EmbeddedPostgres | null;
  dataDir: string;
  /** The dashboard's address. */
  url: string;
  log: (line: string) => void;
}): Promise<void> {
  const { databaseUrl, embedded, dataDir, url, log } = options;
  const applied = await applyMigrations({ databaseUrl, migrationsDir });
  if (applied.length > 0) log(`Database migrated: ${applied.join(", ")}.`);
  if (!embedded?.firstStart) return;
  const { seedDemo } = await import("#prisma/seed/demo.ts");
  log(keepDemoAccess(dataDir, await seedDemo({ url })));
  embedded.completeFirstStart();
}
