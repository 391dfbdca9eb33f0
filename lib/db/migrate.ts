/** Applies prisma/migrations, and records them in Prisma's own table: `prisma migrate deploy` works on the same database. */
import { randomUUID } from "node:crypto";
import pg from "pg";
import { type MigrationFile, readMigrationFiles } from "./migration-files.ts";

/** The lock that Prisma takes for its own migrate commands, so the two exclude each other. */
const PRISMA_MIGRATE_LOCK_ID = 72707369;
const CONNECT_TIMEOUT_MS = 10_000;
const LOCK_TIMEOUT_S = 5;
const UNDEFINED_TABLE = "42P01";
const LOCK_NOT_AVAILABLE = "55P03";

const CREATE_MIGRATIONS_TABLE = `
  create table if not exists _prisma_migrations (
    id varchar(36) primary key,
    checksum varchar(64) not null,
    finished_at timestamptz,
    migration_name varchar(255) not null,
    logs text,
    rolled_back_at timestamptz,
    started_at timestamptz not null default now(),
    applied_steps_count integer not null default 0
  )`;

const TRANSACTION_STATEMENT = /^\s*(begin|commit|rollback|start transaction)( work| transaction)?\s*;/im;

/** The database's migrations need a person. One line; nothing was changed. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

type MigrationRow = { name: string; checksum: string; finished: boolean };
type MigrationOptions = { databaseUrl: string; migrationsDir: string };

/** Returns an empty list if the database has never been migrated. */
async function readRows(client: pg.Client): Promise<MigrationRow[]> {
  try {
    const { rows } = await client.query<MigrationRow>(
      `select migration_name as name, checksum, finished_at is not null as finished
         from _prisma_migrations where rolled_back_at is null order by started_at, migration_name`,
    );
    return rows;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === UNDEFINED_TABLE) return [];
    throw error;
  }
}

function unknownMigration(name: string, known: readonly MigrationFile[]): MigrationError {
  const [first] = known;
  const older = first !== undefined && name < first.name;
  return new MigrationError(
    `This database has migration ${name}, which this version of License Desk does not know: ` +
      (older
        ? "it was made by an older version that cannot be upgraded. Use an empty database or data directory, or restore a backup."
        : "it was migrated by a newer version. Start that version, or restore a backup."),
  );
}

/** @throws MigrationError if a recorded migration failed, is unknown here, or was edited after it was applied. */
function pendingFiles(rows: readonly MigrationRow[], known: readonly MigrationFile[]): MigrationFile[] {
  const applied = new Set<string>();
  for (const { name, checksum, finished } of rows) {
    if (!finished) {
      throw new MigrationError(
        `Migration ${name} failed half way on this database. Repair the database, then mark the migration with ` +
          `"prisma migrate resolve --rolled-back ${name}" (or --applied).`,
      );
    }
    const file = known.find((migration) => migration.name === name);
    if (!file) throw unknownMigration(name, known);
    if (file.checksum !== checksum) {
      throw new MigrationError(
        `Migration ${name} has changed since this database applied it. Start the version that applied it, restore a ` +
          "backup that matches this version, or use an empty database or data directory.",
      );
    }
    applied.add(name);
  }
  return known.filter(({ name }) => !applied.has(name));
}

async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: "license-desk migrations",
  });
  // A connection lost between queries fails the next query.
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

/** Applies a migration and records it in one transaction, so a failure leaves nothing behind. */
async function applyMigration(client: pg.Client, { name, script, checksum }: MigrationFile): Promise<void> {
  if (TRANSACTION_STATEMENT.test(script)) {
    throw new MigrationError(
      `Migration ${name} begins or ends a transaction. It must not: each migration runs in one.`,
    );
  }
  await client.query("begin");
  try {
    await client.query(`set local lock_timeout = '${LOCK_TIMEOUT_S}s'`);
    await client.query(script);
    await client.query(CREATE_MIGRATIONS_TABLE);
    await client.query(
      `insert into _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       values ($1, $2, $3, now(), clock_timestamp(), 1)`,
      [randomUUID(), checksum, name],
    );
    await client.query("commit");
  } catch (error) {
    // Fails where the connection is lost; then the server rolls back.
    await client.query("rollback").catch(() => undefined);
    if (!(error instanceof pg.DatabaseError)) throw error;
    const reason =
      error.code === LOCK_NOT_AVAILABLE
        ? `another session has locked what it changes for more than ${LOCK_TIMEOUT_S} s. Nothing was changed; start again when that session has ended.`
        : `${error.message} (SQLSTATE ${error.code}). Nothing was changed.`;
    throw new MigrationError(`Migration ${name}: ${reason}`, { cause: error });
  }
}

/**
 * Returns the names of the migrations that the database lacks, in order. Changes nothing.
 * @throws MigrationError
 */
export async function listPendingMigrations(options: MigrationOptions): Promise<string[]> {
  const known = await readMigrationFiles(options.migrationsDir);
  const client = await connect(options.databaseUrl);
  try {
    return pendingFiles(await readRows(client), known).map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/**
 * Brings the database up to the migrations folder and returns the names it applied, in order.
 * Instances that start together wait for one another. If nothing is pending, this costs one query and no lock.
 * @throws MigrationError
 */
export async function applyMigrations(options: MigrationOptions): Promise<string[]> {
  const known = await readMigrationFiles(options.migrationsDir);
  const client = await connect(options.databaseUrl);
  try {
    const seen = await readRows(client);
    // An unfinished row may belong to a running `prisma migrate deploy`: it means failure only under the lock.
    if (seen.every((row) => row.finished) && pendingFiles(seen, known).length === 0) return [];
    await client.query("select pg_advisory_lock($1)", [PRISMA_MIGRATE_LOCK_ID]);
    const pending = pendingFiles(await readRows(client), known);
    for (const file of pending) await applyMigration(client, file);
    return pending.map(({ name }) => name);
  } finally {
    // Ending the session releases the lock.
    await client.end();
  }
}
