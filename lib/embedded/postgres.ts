/** PostgreSQL from the npm package, stored in DATA_DIR: for laptops, demonstrations, tests and small installations. */
import { randomBytes } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
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
import { hasUnfinishedFence, outlastServerElsewhere } from "./postmaster-pid.ts";
import { readJsonFile, writePrivateJson } from "./private-file.ts";
import { isPostgresOf, mayRunElsewhere, PLACE } from "./process-identity.ts";
import { ownsFiles } from "./programs.ts";

const DATABASE = "license_desk";
/** The application's role: owns its database, and has no other right. */
const ROLE = "license_desk";
const START_ATTEMPTS = 3;

/** `url` and `pid` of the running server, null while it is stopped. `place`: where it was started last. */
const stateSchema = z.object({
  superuserPassword: z.string().min(1),
  password: z.string().min(1),
  firstStartDone: z.boolean(),
  url: z.string().nullable(),
  pid: z.number().int().nullable(),
  place: z.string().nullable().default(null),
});
type State = z.infer<typeof stateSchema>;

export type EmbeddedPostgres = {
  /** Connection string of the application's database. */
  url: string;
  /** Connection string of the superuser, for the archive. */
  adminUrl: string;
  /** Folder of the cluster. */
  clusterDir: string;
  /** With the cluster's passwords. */
  stateFile: string;
  /** True until `completeFirstStart`: the database is empty and needs migrations and initial data. */
  firstStart: boolean;
  /** Marks the initial data as complete. Otherwise the next start begins with an empty database. */
  completeFirstStart(): void;
  /** Resolves when the server ends for any reason. */
  exited: Promise<void>;
  stop(): Promise<void>;
};

function clusterPath(dataDir: string): string {
  return join(dataDir, "postgres");
}

/** Whether DATA_DIR has a database. */
export function hasCluster(dataDir: string): boolean {
  return existsSync(clusterPath(dataDir));
}

/** Whether DATA_DIR has a database whose first start was completed. */
export function hasDatabase(dataDir: string): boolean {
  return hasCluster(dataDir) && readState(dataDir)?.firstStartDone !== false;
}

function stateFilePath(dataDir: string): string {
  return join(dataDir, "postgres.json");
}

function readState(dataDir: string): State | null {
  const parsed = stateSchema.nullable().safeParse(readJsonFile(stateFilePath(dataDir)));
  if (!parsed.success) throw new Error(`${stateFilePath(dataDir)} is damaged: restore it from a backup.`);
  return parsed.data;
}

/** Takes over the passwords of a restored cluster. */
export function restoreState(dataDir: string, json: string): void {
  writePrivateJson(stateFilePath(dataDir), {
    ...stateSchema.parse(JSON.parse(json)),
    url: null,
    pid: null,
    place: null,
  });
}

function openState(dataDir: string): State {
  const present = readState(dataDir);
  if (present) return present;
  if (existsSync(clusterPath(dataDir))) {
    throw new Error(`${stateFilePath(dataDir)}, with the database's passwords, is gone: restore it from a backup.`);
  }
  const newPassword = () => randomBytes(24).toString("base64url");
  const created = {
    superuserPassword: newPassword(),
    password: newPassword(),
    firstStartDone: false,
    url: null,
    pid: null,
    place: null,
  };
  // Stored before the cluster exists, so the password of a cluster is always known.
  writePrivateJson(stateFilePath(dataDir), created);
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
      // Another process may take the port between the check and the server's start.
      const portTaken = error instanceof Error && error.message.includes("could not bind");
      if (!portTaken || attempt === START_ATTEMPTS) throw error;
    }
  }
}

/** Creates the application's role and an empty database, replacing those of an interrupted first start. */
async function createEmptyDatabase(state: State, port: number, createsDatabases: boolean): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl(state, port) });
  // The next query fails instead.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query(`drop database if exists ${DATABASE} with (force)`);
    await client.query(`drop role if exists ${ROLE}`);
    const password = pg.escapeLiteral(state.password);
    await client.query(`create role ${ROLE} login password ${password}`);
    // Dropping a database ends its connections, including autovacuum.
    if (createsDatabases) {
      await client.query(`alter role ${ROLE} createdb`);
      await client.query(`grant pg_signal_backend, pg_signal_autovacuum_worker to ${ROLE}`);
    }
    await client.query(`create database ${DATABASE} owner ${ROLE}`);
  } finally {
    await client.end();
  }
}

export function clusterIn(dataDir: string): Cluster {
  const home = findPostgresHome();
  const dir = clusterPath(dataDir);
  const user = choosePostgresUser({ postgres: postgresProgram(home, "postgres"), dataDir, clusterDir: dir });
  return { home, dir, logFile: join(dataDir, "postgres.log"), user };
}

/** Stops and deletes a temporary server that its process has left behind. */
export async function removeCluster(dataDir: string): Promise<void> {
  if (!existsSync(clusterPath(dataDir))) return;
  await stopOrphan(clusterIn(dataDir));
  rmSync(clusterPath(dataDir), { recursive: true, force: true });
  rmSync(stateFilePath(dataDir), { force: true });
}

/**
 * Starts the server of DATA_DIR and creates it if missing. The caller holds the lock of DATA_DIR.
 * @param options.durable false for throw-away clusters: faster, but lost in a power failure. Default true.
 * @param options.createsDatabases lets the application's role create and drop other databases: for tests and tools.
 * @throws Error with one sentence for the operator
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  log: (line: string) => void;
  durable?: boolean;
  createsDatabases?: boolean;
  signal?: AbortSignal;
}): Promise<EmbeddedPostgres> {
  const { dataDir, log, durable = true, createsDatabases = false, signal } = options;
  const cluster = clusterIn(dataDir);
  const { dir } = cluster;
  let state = openState(dataDir);
  const saveState = (change: Partial<State>): void => {
    state = { ...state, ...change };
    writePrivateJson(stateFilePath(dataDir), state);
  };

  if (!existsSync(dir)) {
    log("Creating the database (once).");
    await createCluster(cluster, state.superuserPassword, durable);
  } else if (hasUnfinishedFence(dir) || (state.place !== null && mayRunElsewhere(state.place))) {
    await outlastServerElsewhere(dir, { log, signal });
  } else if (await stopOrphan(cluster)) {
    log("Stopped a database server left over from an earlier run.");
  }
  saveState({ url: null, pid: null, place: PLACE });
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
    adminUrl: superuserUrl(state, server.port),
    clusterDir: dir,
    stateFile: stateFilePath(dataDir),
    firstStart,
    completeFirstStart: () => saveState({ firstStartDone: true }),
    exited: server.exited.then(() => undefined),
    stop: async () => {
      await server.stop();
      if (ownsFiles()) saveState({ url: null, pid: null });
    },
  };
}

/** The server currently running on DATA_DIR, for other programs such as admin commands; null if there is none. */
export function findRunningPostgres(dataDir: string): { url: string; pid: number } | null {
  const state = readState(dataDir);
  if (!state || state.url === null || state.pid === null) return null;
  return isPostgresOf(state.pid, clusterPath(dataDir)) ? { url: state.url, pid: state.pid } : null;
}
