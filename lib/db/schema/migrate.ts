/** Applies prisma/migrations and records them in Prisma's own table, compatible with `prisma migrate deploy`. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { withConnection } from "#lib/db/connection/with-connection.ts";
import { isContractStep, type MigrationFile, readMigrationFiles } from "./migration-files.ts";

/** Prisma's own migrate lock, so that the two exclude each other. */
const PRISMA_MIGRATE_LOCK_ID = 72707369;
const CONNECT_TIMEOUT_MS = 10_000;
/** Short, because later statements on a table queue behind a waiting lock; retried several times. */
export const LOCK_TIMEOUT_S = 2;
const LOCK_ATTEMPTS = 5;
const LOCK_PAUSE_MS = 1_000;
const LOCK_POLL_MS = 100;
/** Concurrent statements block no one, but wait for older transactions themselves. */
const CONCURRENT_LOCK_TIMEOUT_S = 60;
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

/**
 * The only statement of its migration, because it cannot run in a transaction (`scripts/database/check-migrations.ts`).
 */
const CONCURRENT_STATEMENT =
  /^(?:\s|--[^\n]*\n)*(?:create\s+(?:unique\s+)?index|drop\s+index)\s+concurrently\s+if\s+(?:not\s+)?exists\s+"?(\w+)/i;

const TRANSACTION_STATEMENT = /^\s*(begin|commit|rollback|start transaction)( work| transaction)?\s*;/im;

/** The database's migrations need a person. One line; nothing was changed. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

type MigrationRow = { name: string; checksum: string; finished: boolean };
type MigrationOptions = {
  databaseUrl: string;
  migrationsDir: string;
  log?: (line: string) => void;
  /** Names of a backup's migrations: the others do not apply, and are refused, because they would not run on its rows. */
  only?: readonly string[];
};

/** Empty if the database has never been migrated. */
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

/** Whether it is a migration of a newer version that leaves this one running: an expansion (CONTRIBUTING.md). */
const isNewerExpansion = (name: string, known: readonly MigrationFile[]) =>
  known.length > 0 && known.every((file) => file.name < name) && !isContractStep(name);

function unknownMigration(name: string, known: readonly MigrationFile[]): MigrationError {
  const [first] = known;
  const older = first !== undefined && name < first.name;
  return new MigrationError(
    `This database has migration ${name}, which this version of License Desk does not know: ` +
      (older
        ? "it was made by an older version that cannot be upgraded. Use an empty database or data directory, or restore a backup."
        : "a newer version has dropped what this one needs. Start that version, or restore a backup."),
  );
}

/**
 * Accepts expansions of a newer version.
 * @throws MigrationError if a recorded migration failed, is otherwise unknown here, or was edited after it was applied
 */
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
    if (!file && isNewerExpansion(name, known)) continue;
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

function onConnection<Result>(
  { databaseUrl }: MigrationOptions,
  use: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  return withConnection(databaseUrl, use, {
    name: "license-desk migrations",
    connectWithinMs: CONNECT_TIMEOUT_MS,
    silentForMs: null,
  });
}

async function recordMigration(client: pg.Client, { name, checksum }: MigrationFile): Promise<void> {
  await client.query(CREATE_MIGRATIONS_TABLE);
  await client.query(
    `insert into _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     values ($1, $2, $3, now(), clock_timestamp(), 1)`,
    [randomUUID(), checksum, name],
  );
}

/** Applies and records a migration in one transaction. */
async function applyInTransaction(client: pg.Client, file: MigrationFile): Promise<void> {
  await client.query("begin");
  try {
    await client.query(`set local lock_timeout = '${LOCK_TIMEOUT_S}s'`);
    await client.query(file.script);
    await recordMigration(client, file);
    await client.query("commit");
  } catch (error) {
    // After a lost connection the server rolls back.
    await client.query("rollback").catch(() => undefined);
    throw error;
  }
}

/** An interrupted statement leaves an invalid index behind, which would count as existing. */
async function dropInvalidIndex(client: pg.Client, index: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "select indexrelid::regclass::text as name from pg_index where indexrelid = to_regclass(quote_ident($1)) and not indisvalid",
    [index],
  );
  for (const { name } of rows) await client.query(`drop index concurrently ${name}`);
}

async function applyConcurrently(client: pg.Client, file: MigrationFile, index: string): Promise<void> {
  await client.query(`set lock_timeout = '${CONCURRENT_LOCK_TIMEOUT_S}s'`);
  await dropInvalidIndex(client, index);
  try {
    await client.query(file.script);
  } catch (error) {
    await dropInvalidIndex(client, index).catch(() => undefined);
    throw error;
  }
  await recordMigration(client, file);
  await client.query("reset lock_timeout");
}

/** Polls for the lock: a session that waits inside a statement would block creating an index concurrently. */
async function acquireMigrationLock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>("select pg_try_advisory_lock($1) as locked", [
      PRISMA_MIGRATE_LOCK_ID,
    ]);
    if (rows[0]?.locked) return;
    await sleep(LOCK_POLL_MS);
  }
}

function describeFailure(error: pg.DatabaseError): string {
  return error.code === LOCK_NOT_AVAILABLE
    ? `another session has locked what it changes, in ${LOCK_ATTEMPTS} attempts of ${LOCK_TIMEOUT_S} s. Nothing was changed; start again when that session has ended.`
    : `${error.message} (SQLSTATE ${error.code}). Nothing was changed.`;
}

async function applyMigration(client: pg.Client, file: MigrationFile, log: (line: string) => void): Promise<void> {
  const { name, script } = file;
  if (TRANSACTION_STATEMENT.test(script)) {
    throw new MigrationError(
      `Migration ${name} begins or ends a transaction. It must not: each migration runs in one.`,
    );
  }
  const index = CONCURRENT_STATEMENT.exec(script)?.[1];
  for (let attempt = 1; ; attempt += 1) {
    try {
      await (index === undefined ? applyInTransaction(client, file) : applyConcurrently(client, file, index));
      return;
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) throw error;
      if (error.code !== LOCK_NOT_AVAILABLE || attempt === LOCK_ATTEMPTS) {
        throw new MigrationError(`Migration ${name}: ${describeFailure(error)}`, { cause: error });
      }
    }
    if (attempt === 1) log(`Migration ${name} waits for another session, which has locked what it changes.`);
    // Lets sessions that waited for the migration go first.
    await sleep(LOCK_PAUSE_MS);
  }
}

/** Returns the names of pending migrations, in order. Changes nothing. @throws MigrationError */
export async function listPendingMigrations(options: MigrationOptions): Promise<string[]> {
  const known = await readMigrationFiles(options.migrationsDir);
  return onConnection(options, async (client) => pendingFiles(await readRows(client), known).map(({ name }) => name));
}

/**
 * Applies pending migrations and returns their names in order. Concurrent callers wait for one another. Without pending
 * ones this costs one query and no lock.
 * @throws MigrationError
 */
export async function applyMigrations(options: MigrationOptions): Promise<string[]> {
  const { only } = options;
  const files = await readMigrationFiles(options.migrationsDir);
  const pendingOf = (rows: readonly MigrationRow[]) => {
    const other = rows.find(({ name }) => only?.includes(name) === false);
    if (other) {
      throw new MigrationError(
        `This database has migration ${other.name}, which the backup lacks. Restore into a new one. Nothing was changed.`,
      );
    }
    return pendingFiles(rows, files).filter(({ name }) => only?.includes(name) !== false);
  };
  // Closing the connection releases the lock.
  return onConnection(options, async (client) => {
    const seen = await readRows(client);
    const newer = seen.map(({ name }) => name).filter((name) => isNewerExpansion(name, files));
    if (newer.length > 0) {
      options.log?.(
        `A newer version has migrated this database (${newer.join(", ")}), and leaves this one running. Update it, too.`,
      );
    }
    // An unfinished row may belong to a running `prisma migrate deploy`: it means failure only under the lock.
    if (seen.every((row) => row.finished) && pendingOf(seen).length === 0) return [];
    await acquireMigrationLock(client);
    const pending = pendingOf(await readRows(client));
    for (const file of pending) await applyMigration(client, file, options.log ?? (() => undefined));
    return pending.map(({ name }) => name);
  });
}
