/** PostgreSQL out of the npm package, kept in DATA_DIR: for a laptop, a demonstration, tests and small installations. */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { z } from "zod";
import { findPostgresHome, postgresProgram } from "./postgres-binaries.ts";
import {
  type Cluster,
  createCluster,
  type RunningServer,
  SUPERUSER,
  startServer,
  stopOrphan,
} from "./postgres-cluster.ts";
import { choosePostgresUser } from "./postgres-user.ts";
import { readJsonFile, writePrivateJson } from "./private-file.ts";
import { isPostgresOf } from "./process-identity.ts";

const DATABASE = "license_desk";
/** The application's: it owns its database, and has no other right on the server. */
const ROLE = "license_desk";
const START_ATTEMPTS = 3;

/** `url` and `pid` are those of the running server, null while it is stopped. */
const stateSchema = z.object({
  superuserPassword: z.string().min(1),
  password: z.string().min(1),
  firstStartDone: z.boolean(),
  url: z.string().nullable(),
  pid: z.number().int().nullable(),
});
type State = z.infer<typeof stateSchema>;

export type EmbeddedPostgres = {
  /** Connection string of the application's database. */
  url: string;
  /** True until `completeFirstStart` was called once: the database is empty and wants migrations and first data. */
  firstStart: boolean;
  /** Says that the first data is in. Without it the next start begins again with an empty database. */
  completeFirstStart(): void;
  /** Resolves when the server ends, asked or not. */
  exited: Promise<void>;
  stop(): Promise<void>;
};

function clusterDirOf(dataDir: string): string {
  return join(dataDir, "postgres");
}

function stateFileOf(dataDir: string): string {
  return join(dataDir, "postgres.json");
}

function readState(dataDir: string): State | null {
  const parsed = stateSchema.nullable().safeParse(readJsonFile(stateFileOf(dataDir)));
  if (!parsed.success) throw new Error(`${stateFileOf(dataDir)} is damaged: restore it from a backup.`);
  return parsed.data;
}

function openState(dataDir: string): State {
  const present = readState(dataDir);
  if (present) return present;
  if (existsSync(clusterDirOf(dataDir))) {
    throw new Error(`${stateFileOf(dataDir)}, with the database's passwords, is gone: restore it from a backup.`);
  }
  const newPassword = () => randomBytes(24).toString("base64url");
  const created = {
    superuserPassword: newPassword(),
    password: newPassword(),
    firstStartDone: false,
    url: null,
    pid: null,
  };
  // Before the cluster, so that there is never one without a known password.
  writePrivateJson(stateFileOf(dataDir), created);
  return created;
}

function applicationUrl({ password }: State, port: number): string {
  return `postgresql://${ROLE}:${password}@127.0.0.1:${port}/${DATABASE}`;
}

function superuserUrl({ superuserPassword }: State, port: number): string {
  return `postgresql://${SUPERUSER}:${superuserPassword}@127.0.0.1:${port}/postgres`;
}

async function startOnFreePort(cluster: Cluster, state: State, durable: boolean): Promise<RunningServer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startServer(cluster, (port) => superuserUrl(state, port), durable);
    } catch (error) {
      // Somebody else may take the port between our look and the server's.
      const portTaken = error instanceof Error && error.message.includes("could not bind");
      if (!portTaken || attempt === START_ATTEMPTS) throw error;
    }
  }
}

/** The application's role and an empty database of its own, in place of those of a first start that broke off. */
async function createEmptyDatabase(state: State, port: number, createsDatabases: boolean): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl(state, port) });
  await client.connect();
  try {
    await client.query(`drop database if exists ${DATABASE} with (force)`);
    await client.query(`drop role if exists ${ROLE}`);
    const password = pg.escapeLiteral(state.password);
    await client.query(`create role ${ROLE} login password ${password}`);
    // A database is dropped with whatever is connected to it, autovacuum included.
    if (createsDatabases) {
      await client.query(`alter role ${ROLE} createdb`);
      await client.query(`grant pg_signal_backend, pg_signal_autovacuum_worker to ${ROLE}`);
    }
    await client.query(`create database ${DATABASE} owner ${ROLE}`);
  } finally {
    await client.end();
  }
}

/**
 * Starts the server of DATA_DIR, which it creates when missing. The caller holds DATA_DIR's lock.
 * @param options.durable false for throw-away clusters: faster, and lost with a power cut. Default true.
 * @param options.createsDatabases the application's role may make and drop databases beside its own: for tests and
 *   tools.
 * @throws Error with one sentence for the operator.
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  log: (line: string) => void;
  durable?: boolean;
  createsDatabases?: boolean;
}): Promise<EmbeddedPostgres> {
  const { dataDir, log, durable = true, createsDatabases = false } = options;
  const home = findPostgresHome();
  const dir = clusterDirOf(dataDir);
  const user = choosePostgresUser({ postgres: postgresProgram(home, "postgres"), dataDir, clusterDir: dir });
  const cluster: Cluster = { home, dir, logFile: join(dataDir, "postgres.log"), user };
  let state = openState(dataDir);
  const saveState = (change: Partial<State>): void => {
    state = { ...state, ...change };
    writePrivateJson(stateFileOf(dataDir), state);
  };

  if (!existsSync(dir)) {
    log("Creating the database (once).");
    await createCluster(cluster, state.superuserPassword, durable);
  } else if (await stopOrphan(cluster)) {
    log("Stopped a database server that an earlier run had left behind.");
  }
  const server = await startOnFreePort(cluster, state, durable);
  const url = applicationUrl(state, server.port);
  const firstStart = !state.firstStartDone;
  try {
    if (firstStart) await createEmptyDatabase(state, server.port, createsDatabases);
    saveState({ url, pid: server.pid });
  } catch (error) {
    await server.stop();
    throw error;
  }
  return {
    url,
    firstStart,
    completeFirstStart: () => saveState({ firstStartDone: true }),
    exited: server.exited.then(() => undefined),
    stop: async () => {
      await server.stop();
      saveState({ url: null, pid: null });
    },
  };
}

/** The server that is running on DATA_DIR now, for programs beside it such as the operator's; null when none is. */
export function findRunningPostgres(dataDir: string): { url: string; pid: number } | null {
  const state = readState(dataDir);
  if (!state || state.url === null || state.pid === null) return null;
  return isPostgresOf(state.pid, clusterDirOf(dataDir)) ? { url: state.url, pid: state.pid } : null;
}
