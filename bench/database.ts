/** A database for one benchmark: the embedded PostgreSQL with its usual, durable settings. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { applyMigrations } from "#lib/db/schema/migrate.ts";
import { openDataDir } from "#lib/embedded/data-dir.ts";
import { startEmbeddedPostgres } from "#lib/embedded/postgres.ts";

export interface BenchDatabase {
  /** A temporary folder that `stop` removes. */
  readonly dataDir: string;
  /** The environment for a License Desk process on this database. */
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

export async function startBenchDatabase(poolSize: number): Promise<BenchDatabase> {
  const dataDir = openDataDir(mkdtempSync(join(tmpdir(), "license-desk-bench-")));
  const remove = () => rmSync(dataDir, { recursive: true, force: true });
  try {
    const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined, createsDatabases: true });
    const stop = async () => {
      await postgres.stop();
      remove();
    };
    try {
      const migrationsDir = join(import.meta.dirname, "..", "prisma", "migrations");
      await applyMigrations({ databaseUrl: postgres.url, migrationsDir });
    } catch (error) {
      await stop();
      throw error;
    }
    const environment = {
      DATA_DIR: dataDir,
      DATABASE_URL: postgres.url,
      DATABASE_POOL_SIZE: String(poolSize),
      API_KEY_PEPPER: randomBytes(24).toString("hex"),
      NEXTAUTH_SECRET: randomBytes(24).toString("hex"),
      ENCRYPTION_KEY: randomBytes(32).toString("base64"),
      LOG_LEVEL: "error",
    };
    return { dataDir, environment, stop };
  } catch (error) {
    remove();
    throw error;
  }
}
