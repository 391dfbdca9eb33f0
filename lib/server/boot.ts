/** Shared start of every process: database, secrets, a complete environment, migrations. */
import { join } from "node:path";
import { requireDirectDatabase, requirePooler } from "#lib/db/connection/pooler.ts";
import { requireSupportedServer } from "#lib/db/connection/server-version.ts";
import { waitForDatabase } from "#lib/db/connection/wait-for-database.ts";
import { dropArchiveSlot } from "#lib/embedded/archive/archive.ts";
import { backupCheckFolder, loadSecrets, openDataDir, type Secrets } from "#lib/embedded/data-dir.ts";
import { type DataDirLock, lockDataDir } from "#lib/embedded/data-dir-lock.ts";
import { findFreePort } from "#lib/embedded/free-port.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "#lib/embedded/postgres.ts";
import { removeTemporaryPostgres } from "#lib/embedded/temporary-postgres.ts";
import { requireFinishedRestore } from "#lib/embedded/unfinished-restore.ts";
import { type Env, secretsOf } from "#lib/env.ts";
import { archiveDatabase } from "./archive-database.ts";
import { requireAgreeingClocks } from "./clock-check.ts";
import { allowsDemo } from "./demo.ts";
import { completeFirstStart, prepareDatabase } from "./prepare-database.ts";

export interface BootOptions {
  readonly env: Env;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
  /** Registers the cleanup of each step, in order. */
  readonly addCleanup: (cleanup: () => Promise<void> | void) => void;
  readonly onDatabaseLost: (error: Error) => void;
}

export interface Booted {
  /** The dashboard's address. */
  readonly url: string;
  readonly port: number;
  readonly databaseUrl: string;
  /** Shows other commands on this machine where License Desk runs. */
  publishUrl(): void;
}

/**
 * Starts the embedded database, or waits for the one of DATABASE_URL, and completes `process.env` for the rest of the
 * application. A copy of another deployment's database sets SAFE_MODE (docs/decisions/0023).
 * @throws Error with one line for the operator if License Desk cannot start
 */
export async function boot(options: BootOptions): Promise<Booted> {
  const { env, log, signal } = options;
  const dataDir = openDataDir(env.DATA_DIR);
  const embedded = env.DATABASE_URL === undefined ? await startDatabase(dataDir, options) : null;
  const databaseUrl = env.DATABASE_URL ?? embedded?.postgres.url ?? "";
  const port = env.PORT === 0 ? await findFreePort() : env.PORT;
  const url = formatUrl(env.HOST, port);
  const secrets = exportEnvironment(env, dataDir, databaseUrl, url);
  if (!embedded) {
    await waitForDatabase({ databaseUrl, log, signal });
    await requireSupportedServer(databaseUrl);
    await requireDirectDatabase(databaseUrl);
    if (env.DATABASE_POOLER_URL) await requirePooler(env.DATABASE_POOLER_URL, databaseUrl);
  }
  await requireAgreeingClocks(databaseUrl);
  const deployment = { databaseUrl, dataDir, configuredId: env.DEPLOYMENT_ID, secrets };
  const { safeMode } = await prepareDatabase({ ...deployment, safeMode: env.SAFE_MODE === "on", log });
  if (safeMode) process.env.SAFE_MODE = "on";
  else if (embedded) {
    await completeFirstStart(embedded.postgres, { dataDir, url, demo: allowsDemo(env), log });
    // Not in safe mode: what a copy writes is not this deployment's.
    if (env.ARCHIVE_DIR) options.addCleanup(await archiveDatabase(embedded.postgres, env.ARCHIVE_DIR, log));
  }
  return { url, port, databaseUrl, publishUrl: () => embedded?.lock.publishUrl(url) };
}

async function startDatabase(
  dataDir: string,
  { env, log, signal, addCleanup, onDatabaseLost }: BootOptions,
): Promise<{ postgres: EmbeddedPostgres; lock: DataDirLock }> {
  const lock = await lockDataDir(dataDir, log);
  addCleanup(() => lock.release());
  void lock.lost.then(onDatabaseLost);
  requireFinishedRestore(dataDir);
  // An interrupted check of a backup may have filled this database's disk.
  await removeTemporaryPostgres(backupCheckFolder(dataDir));
  const postgres = await startEmbeddedPostgres({ dataDir, log, signal });
  addCleanup(() => postgres.stop());
  void postgres.exited.then(() => {
    if (signal.aborted) return;
    onDatabaseLost(new Error(`The database server has ended unexpectedly: see ${join(dataDir, "postgres.log")}.`));
  });
  if (env.ARCHIVE_DIR === undefined) await dropArchiveSlot(postgres.adminUrl);
  return { postgres, lock };
}

/** Public address, unless NEXTAUTH_URL overrides it. */
function formatUrl(host: string, port: number): string {
  const anyAddress = host === "0.0.0.0" || host === "::";
  const name = anyAddress ? "localhost" : host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

function exportEnvironment(env: Env, dataDir: string, databaseUrl: string, url: string): Secrets {
  const secrets = loadSecrets(dataDir, secretsOf(env));
  Object.assign(process.env, {
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    API_KEY_PEPPER: secrets.apiKeyPepper,
    NEXTAUTH_SECRET: secrets.authSecret,
    ENCRYPTION_KEY: secrets.encryptionKey,
    NEXTAUTH_URL: env.NEXTAUTH_URL ?? url,
  });
  return secrets;
}
