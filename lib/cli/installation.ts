/** The installation that a command works on: an external database, a running server's, or one that it starts. */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hasSecrets, loadSecrets, openDataDir, type Secrets } from "#lib/embedded/data-dir.ts";
import { DataDirInUseError, type DataDirLock, lockDataDir } from "#lib/embedded/data-dir-lock.ts";
import { findRunningPostgres, hasDatabase, startEmbeddedPostgres } from "#lib/embedded/postgres.ts";
import { requireFinishedRestore } from "#lib/embedded/unfinished-restore.ts";
import { type Env, readEnv, secretsOf } from "#lib/env.ts";
import { CommandLineError } from "./error.ts";
import { endingOnSignal } from "./interrupt.ts";
import { note } from "./output.ts";

/** A server may wait for more than 2 minutes (docs/decisions/0079). */
const WAIT_MS = 180_000;
const SAY_AFTER_MS = 5_000;
const POLL_MS = 50;

export interface Installation {
  readonly env: Env;
  readonly dataDir: string;
  readonly databaseUrl: string;
  /** Set if this command started the database. */
  readonly embedded: Awaited<ReturnType<typeof startEmbeddedPostgres>> | null;
  close(): Promise<void>;
}

/**
 * Finds the database: DATABASE_URL, else that of the server running on DATA_DIR, else DATA_DIR's own, started while the
 * command runs. Waits for another server or command that is starting. Creates none: a command that lacks the server's
 * variables would otherwise work on an empty database, and succeed.
 */
async function openInstallation(): Promise<Installation> {
  const env = readEnv();
  if (env.DATABASE_URL !== undefined) {
    return { env, dataDir: env.DATA_DIR, databaseUrl: env.DATABASE_URL, embedded: null, close: async () => {} };
  }
  if (!existsSync(env.DATA_DIR)) throw noDatabase(env.DATA_DIR);
  const dataDir = openDataDir(env.DATA_DIR);
  const begunAt = Date.now();
  const deadline = begunAt + WAIT_MS;
  for (let said = false; ; await sleep(POLL_MS)) {
    const lock = await tryLock(dataDir, Date.now() > deadline);
    if (lock === "starting") {
      if (!said && Date.now() - begunAt > SAY_AFTER_MS) {
        note("Waiting up to 3 minutes for a License Desk that is starting on this DATA_DIR, or for another command.");
        said = true;
      }
      continue;
    }
    if (lock !== "listening") return startOwnDatabase(env, dataDir, lock);
    const running = findRunningPostgres(dataDir);
    if (running) return { env, dataDir, databaseUrl: running.url, embedded: null, close: async () => {} };
    if (Date.now() > deadline) throw new CommandLineError(`The database of ${dataDir} does not run.`);
  }
}

/** The connection string of a database that outlives the command. */
export function findDatabaseUrl(): string {
  const env = readEnv();
  const url = env.DATABASE_URL ?? (existsSync(env.DATA_DIR) ? findRunningPostgres(env.DATA_DIR)?.url : undefined);
  if (url === undefined) {
    throw new CommandLineError(`No License Desk is running on ${env.DATA_DIR}, so its database has no address.`);
  }
  return url;
}

function noDatabase(dataDir: string): CommandLineError {
  return new CommandLineError(
    `There is no database in ${dataDir}, and DATABASE_URL is not set. Start License Desk, which creates one, or give ` +
      "this command the server's variables.",
  );
}

async function tryLock(dataDir: string, late: boolean): Promise<DataDirLock | "starting" | "listening"> {
  try {
    return await lockDataDir(dataDir, note);
  } catch (error) {
    if (!(error instanceof DataDirInUseError) || error.isElsewhere) throw error;
    if (error.holderUrl !== null) return "listening";
    if (late) throw error;
    return "starting";
  }
}

async function startOwnDatabase(env: Env, dataDir: string, lock: DataDirLock): Promise<Installation> {
  try {
    requireFinishedRestore(dataDir);
    if (!hasDatabase(dataDir)) throw noDatabase(dataDir);
    const embedded = await startEmbeddedPostgres({ dataDir, log: note });
    const close = async () => {
      await embedded.stop();
      lock.release();
    };
    return { env, dataDir, databaseUrl: embedded.url, embedded, close };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** @param ending of a command that a signal ends: what it says, and closes first */
export async function withInstallation<Result>(
  use: (installation: Installation) => Promise<Result>,
  ending: { readonly message?: string; readonly close?: () => Promise<void> } = {},
): Promise<Result> {
  const run = async () => {
    const installation = await openInstallation();
    try {
      return await use(installation);
    } finally {
      await installation.close();
    }
  };
  return endingOnSignal(ending.message ?? "Interrupted.", run, ending.close);
}

/** What tells whether the database is this machine's deployment. */
export function deploymentOf({ env, dataDir, databaseUrl }: Installation) {
  return { databaseUrl, dataDir, configuredId: env.DEPLOYMENT_ID };
}

/**
 * The server's secrets. With an external database they may be only in the server's environment. A generated pepper
 * would create keys that no server accepts, so it is left out, and commands that need it fail. The same applies to the
 * encryption key.
 */
export function findSecrets(installation: Installation): {
  apiKeyPepper: string;
  isServers: boolean;
  encryptionKey: string | undefined;
} {
  const { env, dataDir, embedded } = installation;
  const found = embedded ? requireStoredSecrets(installation) : (findStoredSecrets(env, dataDir) ?? secretsOf(env));
  return {
    apiKeyPepper: found.apiKeyPepper ?? randomBytes(32).toString("base64url"),
    isServers: found.apiKeyPepper !== undefined,
    encryptionKey: found.encryptionKey,
  };
}

/** All secrets of the server: from the environment, else from DATA_DIR, which creates missing ones. */
export function loadInstalledSecrets({ env, dataDir }: Installation): Secrets {
  return loadSecrets(dataDir, secretsOf(env));
}

/** Like `loadInstalledSecrets`, but null instead of creating them. */
export function findStoredSecrets(env: Env, dataDir: string): Secrets | null {
  const given = secretsOf(env);
  const areGiven = Object.values(given).every((secret) => secret !== undefined);
  return areGiven || hasSecrets(dataDir) ? loadSecrets(dataDir, given) : null;
}

/** All secrets of the server, for what must not create them. @throws CommandLineError if they are not here */
export function requireStoredSecrets(installation: Installation): Secrets {
  const secrets = findStoredSecrets(installation.env, installation.dataDir);
  if (secrets !== null) return secrets;
  throw new CommandLineError(
    `The secrets are neither in the environment nor in ${secretsFile(installation)}: give this command the server's.`,
  );
}

export function secretsFile({ dataDir }: Installation): string {
  return join(dataDir, "secrets.json");
}
