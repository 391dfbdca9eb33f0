/** Files and server process of the cluster; `postgres.ts` builds on them. */
import { type ChildProcess, spawn } from "node:child_process";
import { chownSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { findFreePort } from "./free-port.ts";
import { postgresProgram } from "./postgres-binaries.ts";
import { openPostgresLog, type PostgresLog } from "./postgres-log.ts";
import type { PostgresUser } from "./postgres-user.ts";
import { keepPidFile, pidFilePath, readPid } from "./postmaster-pid.ts";
import { isPostgresOf, listChildren } from "./process-identity.ts";
import { requireNotEnding, trackProgram } from "./programs.ts";

/** Owns the cluster and creates the application's role and database; used for nothing else. */
export const SUPERUSER = "postgres";
const STOP_TIMEOUT_MS = 15_000;
const READY_TIMEOUT_MS = 60_000;
const POLL_MS = 20;
const ROTATE_EVERY_MS = 60_000;

export type Cluster = { home: string; dir: string; logFile: string; user: PostgresUser };

const SETTINGS: Record<string, string> = {
  shared_buffers: "256MB",
  max_connections: "100",
  fsync: "on",
  synchronous_commit: "on",
  password_encryption: "scram-sha-256",
  // For short indexed statements: SSD costs, no just-in-time compilation.
  random_page_cost: "1.1",
  jit: "off",
  max_wal_size: "1GB",
  // What an archive that cannot be written may keep.
  max_slot_wal_keep_size: "4GB",
  timezone: "UTC",
  log_timezone: "UTC",
  // Logs server events, not client errors, which clients report themselves.
  log_min_messages: "log",
  log_checkpoints: "off",
  unix_socket_directories: "",
};

/** For tests, whose cluster need not survive a power failure. */
const THROWAWAY_SETTINGS: Record<string, string> = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" };

function spawnAs(user: PostgresUser, program: string, args: string[], output: number): ChildProcess {
  requireNotEnding();
  const { file, args: fullArgs, ...account } = user.command(program, args);
  return spawn(file, fullArgs, {
    stdio: ["ignore", output, output],
    // A separate process group: Ctrl-C in the terminal goes to the application, which then stops the database.
    detached: process.platform !== "win32",
    windowsHide: true,
    // The cluster must not depend on the caller's locale or libpq settings.
    env: {
      NODE_ENV: "production",
      PATH: process.env.PATH,
      SystemRoot: process.env.SystemRoot,
      TEMP: process.env.TEMP,
      LC_ALL: "C",
    },
    ...account,
  });
}

function onceExited(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code));
  });
}

function describeFailure(what: string, log: PostgresLog): Error {
  const tail = log.tail();
  const [, created, ours] = /initialized by PostgreSQL version (\d{1,4}), .* this version (\d{1,4})/.exec(tail) ?? [];
  if (created !== undefined) {
    return new Error(
      `${what}: PostgreSQL ${created} created it, and this version of License Desk has PostgreSQL ${ours}. Make a backup with the previous version, and restore it with this one.`,
    );
  }
  const isFull = tail.includes("No space left on device");
  return new Error(`${what}${isFull ? ": the disk of DATA_DIR is full. Free space, then start again." : `:\n${tail}`}`);
}

/** Creates the cluster in a temporary folder and renames it, so a partial one is never used. */
export async function createCluster(cluster: Cluster, password: string, durable: boolean): Promise<void> {
  const draft = `${cluster.dir}.new`;
  const passwordFile = `${cluster.dir}.password`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  const { uid, gid } = cluster.user;
  if (uid !== undefined && gid !== undefined) {
    chownSync(draft, uid, gid);
    chownSync(passwordFile, uid, gid);
  }
  const log = openPostgresLog(cluster.logFile);
  try {
    const args = [
      `--pgdata=${draft}`,
      `--username=${SUPERUSER}`,
      `--pwfile=${passwordFile}`,
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      "--locale=C",
      // Sorts like the C locale, with Unicode case mapping.
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      "--data-checksums",
      ...(durable ? [] : ["--no-sync"]),
    ];
    const initdb = spawnAs(cluster.user, postgresProgram(cluster.home, "initdb"), args, log.descriptor);
    const exited = onceExited(initdb);
    const kill = () => void initdb.kill();
    trackProgram(exited, {
      kill,
      async stop() {
        kill();
        await exited;
      },
    });
    const code = await exited;
    if (code !== 0) throw describeFailure("The database could not be created", log);
    renameSync(draft, cluster.dir);
  } finally {
    log.close();
    rmSync(passwordFile, { force: true });
    rmSync(draft, { recursive: true, force: true });
  }
}

async function waitUntilGone(cluster: Cluster, pid: number): Promise<boolean> {
  for (const deadline = Date.now() + STOP_TIMEOUT_MS; Date.now() < deadline; await sleep(POLL_MS)) {
    if (!isPostgresOf(pid, cluster.dir)) return true;
  }
  return false;
}

/** Stops the server: first a fast shutdown that disconnects clients, then an immediate one. */
async function stopServer(cluster: Cluster, pid: number): Promise<void> {
  if (process.platform === "win32") {
    const args = ["stop", "-D", cluster.dir, "-m", "fast"];
    const { file, args: fullArgs } = cluster.user.command(postgresProgram(cluster.home, "pg_ctl"), args);
    await onceExited(spawn(file, fullArgs, { stdio: "ignore", windowsHide: true }));
    return;
  }
  for (const signal of ["SIGINT", "SIGQUIT"] as const) {
    if (!isPostgresOf(pid, cluster.dir)) return;
    process.kill(pid, signal);
    if (await waitUntilGone(cluster, pid)) return;
  }
  throw new Error(`The database server (process ${pid}) does not stop.`);
}

/**
 * Kills the server, so that it cannot delete `postmaster.pid`, which may belong to another one by now. Its child processes
 * are killed as well, or they would finish their statements first.
 */
function killServer(server: ChildProcess): void {
  const children = server.pid === undefined ? [] : listChildren(server.pid);
  server.kill("SIGKILL");
  for (const pid of children) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  }
}

/** Stops a server that outlived its License Desk, and removes what a dead one left. */
export async function stopOrphan(cluster: Cluster): Promise<boolean> {
  const pid = readPid(cluster.dir);
  if (pid === null) return false;
  if (isPostgresOf(pid, cluster.dir)) {
    await stopServer(cluster, pid);
    return true;
  }
  // The process id may have been reused, which PostgreSQL would take for a running server.
  rmSync(pidFilePath(cluster.dir), { force: true });
  return false;
}

async function canConnect(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return true;
  } catch (error) {
    // Refused or still starting; any other error, e.g. a wrong password, does not go away by waiting.
    const code = (error as NodeJS.ErrnoException).code;
    if (error instanceof pg.DatabaseError && code !== "57P03") throw error;
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

export type RunningServer = { pid: number; port: number; exited: Promise<number | null>; stop(): Promise<void> };

/** Starts the server on a free port of 127.0.0.1 and waits until it accepts connections at `urlFor(port)`. */
export async function startServer(
  cluster: Cluster,
  urlFor: (port: number) => string,
  durable: boolean,
): Promise<RunningServer> {
  const port = await findFreePort();
  const settings = {
    ...SETTINGS,
    ...(durable ? {} : THROWAWAY_SETTINGS),
    listen_addresses: "127.0.0.1",
    port: String(port),
  };
  const args = ["-D", cluster.dir, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
  const log = openPostgresLog(cluster.logFile);
  const child = spawnAs(cluster.user, postgresProgram(cluster.home, "postgres"), args, log.descriptor);
  const rotation = setInterval(() => log.rotateIfLong(), ROTATE_EVERY_MS).unref();
  const exited = onceExited(child).finally(() => {
    clearInterval(rotation);
    log.close();
  });
  let exitCode: number | null | undefined;
  exited.then(
    (code) => (exitCode = code),
    () => (exitCode = null),
  );
  let keepFiles = async (): Promise<void> => undefined;
  const stop = async (): Promise<void> => {
    keepFiles = async () => undefined;
    if (exitCode === undefined && child.pid !== undefined) await stopServer(cluster, child.pid);
    await exited.catch(() => undefined);
  };
  trackProgram(exited, { stop, kill: () => killServer(child), keepFiles: () => keepFiles() });
  for (const deadline = Date.now() + READY_TIMEOUT_MS; exitCode === undefined; await sleep(POLL_MS)) {
    try {
      if (await canConnect(urlFor(port))) {
        keepFiles = keepPidFile(cluster.dir);
        return { pid: child.pid ?? 0, port, exited, stop };
      }
    } catch (error) {
      await stop();
      throw error;
    }
    if (Date.now() > deadline) await stop();
  }
  throw describeFailure("The database did not start", log);
}
