import pg from "pg";
import { listMigrationNames } from "./migration-files.ts";

/** Any constant will do; it is ours alone within the database. ("LiDe" in ASCII.) */
const MIGRATION_LOCK_ID = 0x4c694465;
const CONNECT_TIMEOUT_MS = 10_000;
const UNDEFINED_TABLE = "42P01";

/** The database and the migrations folder disagree in a way that only a person can settle. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

type MigrationRow = { name: string; finished: boolean };

async function readRows(client: pg.Client): Promise<MigrationRow[]> {
  try {
    const { rows } = await client.query<MigrationRow>(
      `select migration_name as name, finished_at is not null as finished
         from _prisma_migrations where rolled_back_at is null`,
    );
    return rows;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === UNDEFINED_TABLE) return [];
    throw error;
  }
}

/** @throws MigrationError on a failed migration, or on one that this version of the program does not know. */
function pendingNames(rows: readonly MigrationRow[], known: readonly string[]): string[] {
  const failed = rows.find((row) => !row.finished);
  if (failed) {
    throw new MigrationError(
      `Migration ${failed.name} failed half way on this database. Repair the database, then mark the migration with ` +
        `"prisma migrate resolve --rolled-back ${failed.name}" (or --applied).`,
    );
  }
  const unknown = rows.find((row) => !known.includes(row.name));
  if (unknown) {
    throw new MigrationError(
      `This database has migration ${unknown.name}, which this version of License Desk does not know: ` +
        "it was migrated by a newer version. Start that version, or restore a backup.",
    );
  }
  const applied = new Set(rows.map((row) => row.name));
  return known.filter((name) => !applied.has(name));
}

async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: "license-desk migrations",
  });
  // A connection lost while nothing is asked of it shows at the next query.
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

/**
 * The migrations that the database lacks, in order; it is left as it is.
 * @throws MigrationError when the database's history needs a person.
 */
export async function listPendingMigrations(options: {
  databaseUrl: string;
  migrationsDir: string;
}): Promise<string[]> {
  const known = await listMigrationNames(options.migrationsDir);
  const client = await connect(options.databaseUrl);
  try {
    return pendingNames(await readRows(client), known);
  } finally {
    await client.end();
  }
}

/**
 * Brings the database up to the migrations folder and returns the names it applied, in order.
 * Instances that start together wait for one another. Nothing pending costs one query: the engine is not even loaded.
 * @throws MigrationError when the database's history needs a person.
 */
export async function applyMigrations(options: { databaseUrl: string; migrationsDir: string }): Promise<string[]> {
  const known = await listMigrationNames(options.migrationsDir);
  const client = await connect(options.databaseUrl);
  try {
    const rows = await readRows(client);
    // An unfinished row may be another instance at work: only under the lock does it mean failure.
    if (rows.every((row) => row.finished) && pendingNames(rows, known).length === 0) return [];
    await client.query("select pg_advisory_lock($1)", [MIGRATION_LOCK_ID]);
    if (pendingNames(await readRows(client), known).length === 0) return [];
    const { runMigrations } = await import("./migration-engine.ts");
    return await runMigrations(options.databaseUrl, options.migrationsDir);
  } finally {
    // Ending the session releases the lock.
    await client.end();
  }
}
