/** A durable PostgreSQL cluster that tests restart, crash, copy and promote. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, closeSync, cpSync, openSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { findFreePort } from "#lib/embedded/free-port.ts";
import { findPostgresHome, postgresProgram } from "#lib/embedded/postgres-binaries.ts";
import { type Cluster, createCluster, SUPERUSER } from "#lib/embedded/postgres-cluster.ts";
import { choosePostgresUser } from "#lib/embedded/postgres-user.ts";

const PASSWORD = "outside";
const READY_TIMEOUT_MS = 60_000;
const POLL_MS = 50;

export interface PostgresServer {
  readonly url: string;
  start(): Promise<void>;
  /** `fast` disconnects clients and shuts down; `immediate` is a crash. */
  stop(mode: "fast" | "immediate"): Promise<void>;
  /** Copies a stopped server as a streaming standby of `primaryUrl`. */
  copyAsStandby(dir: string, primaryUrl: string): Promise<PostgresServer>;
  /** Promotes a standby; resolves when it accepts writes. */
  promote(): Promise<void>;
  setSynchronous(synchronous: boolean): Promise<void>;
  close(): Promise<void>;
}

export async function createPostgres(dir: string): Promise<PostgresServer> {
  const cluster = clusterIn(dir);
  await createCluster(cluster, PASSWORD, true);
  appendFileSync(join(cluster.dir, "pg_hba.conf"), "host replication all 127.0.0.1/32 scram-sha-256\n");
  return serverOf(cluster, await findFreePort());
}

function clusterIn(dir: string): Cluster {
  const home = findPostgresHome();
  const clusterDir = join(dir, "postgres");
  const user = choosePostgresUser({ postgres: postgresProgram(home, "postgres"), dataDir: dir, clusterDir });
  return { home, dir: clusterDir, logFile: join(dir, "postgres.log"), user };
}

function serverOf(cluster: Cluster, port: number): PostgresServer {
  const urlOf = (database: string) => `postgresql://${SUPERUSER}:${PASSWORD}@127.0.0.1:${port}/${database}`;
  let child: ChildProcess | null = null;

  async function ask(text: string): Promise<void> {
    const client = new pg.Client({ connectionString: urlOf("postgres"), connectionTimeoutMillis: 2_000 });
    client.on("error", () => undefined);
    try {
      await client.connect();
      await client.query(text);
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  const server: PostgresServer = {
    url: urlOf("license_desk"),

    async start() {
      const settings = {
        listen_addresses: "127.0.0.1",
        port: String(port),
        unix_socket_directories: "",
        shared_buffers: "256MB",
        max_connections: "200",
        max_wal_size: "1GB",
        jit: "off",
        timezone: "UTC",
        hot_standby: "on",
      };
      const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
      const program = postgresProgram(cluster.home, "postgres");
      const { file, args, ...account } = cluster.user.command(program, ["-D", cluster.dir, ...options]);
      const log = openSync(cluster.logFile, "a", 0o600);
      child = spawn(file, args, { stdio: ["ignore", log, log], detached: true, ...account });
      closeSync(log);
      for (const deadline = Date.now() + READY_TIMEOUT_MS; ; await sleep(POLL_MS)) {
        const ready = await ask("select 1").then(
          () => true,
          () => false,
        );
        if (ready) return;
        if (Date.now() > deadline) throw new Error(`PostgreSQL did not start: see ${cluster.logFile}`);
      }
    },

    async stop(mode) {
      if (child?.pid === undefined || child.exitCode !== null) return;
      const exited = once(child, "exit");
      process.kill(child.pid, mode === "fast" ? "SIGINT" : "SIGQUIT");
      await exited;
    },

    async copyAsStandby(dir, primaryUrl) {
      const copy = clusterIn(dir);
      cpSync(cluster.dir, copy.dir, { recursive: true, preserveTimestamps: true });
      const { uid, gid } = cluster.user;
      if (uid !== undefined && gid !== undefined) execFileSync("chown", ["-R", `${uid}:${gid}`, copy.dir]);
      execFileSync("chmod", ["700", copy.dir]);
      const source = `host=127.0.0.1 port=${new URL(primaryUrl).port} user=${SUPERUSER} password=${PASSWORD} application_name=standby`;
      writeFileSync(join(copy.dir, "standby.signal"), "");
      appendFileSync(join(copy.dir, "postgresql.auto.conf"), `primary_conninfo = '${source}'\n`);
      return serverOf(copy, await findFreePort());
    },

    async promote() {
      await ask("select pg_promote(true, 30)");
    },

    async setSynchronous(synchronous) {
      await ask(`alter system set synchronous_standby_names = '${synchronous ? "standby" : ""}'`);
      await ask("select pg_reload_conf()");
    },

    async close() {
      await server.stop("immediate");
      rmSync(cluster.dir, { recursive: true, force: true });
    },
  };
  return server;
}
