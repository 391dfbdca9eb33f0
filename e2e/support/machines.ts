/** Everything that docs/operating.md names for several machines, on this one. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { applyMigrations } from "#lib/db/schema/migrate.ts";
import { findFreePort } from "#lib/embedded/free-port.ts";
import { closeRuntime } from "#lib/runtime.ts";
import { type DatabaseProxy, startDatabaseProxy } from "#tests/faults/database-proxy.ts";
import { createPostgres, type PostgresServer } from "#tests/outside/cluster.ts";
import { type PgBouncer, startPgBouncer } from "#tests/support/pgbouncer.ts";
import { type RedisServer, startRedis } from "#tests/support/redis-server.ts";
import { HOST_NAME, type RunningProxy, startProxy } from "./proxy.ts";

const root = join(import.meta.dirname, "..", "..");
const READY_TIMEOUT_MS = 60_000;
const POLL_MS = 50;

/** One process of License Desk, as on a machine of its own. */
export interface Machine {
  readonly url: string;
  /** @param version the folder of the version to run from now on */
  start(version?: string): Promise<void>;
  /** As an operator stops it. */
  stop(): Promise<void>;
  kill(): Promise<void>;
  isReady(): Promise<boolean>;
}

export interface Machines {
  readonly replicas: readonly Machine[];
  readonly workers: readonly Machine[];
  readonly balancer: RunningProxy;
  readonly redis: RedisServer;
  readonly pooler: PgBouncer;
  /** What DATABASE_URL names, whichever server has the address. */
  readonly databaseUrl: string;
  /** The primary dies, and the standby takes its address. Resolves with the seconds that took. */
  failOver(): Promise<number>;
}

const closers: (() => Promise<unknown>)[] = [];

/** Stops whatever was started, the last first, also after a start that failed half way. */
export async function stopMachines(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}

/** Three replicas behind nginx, two workers, Redis, PgBouncer, and a primary with a synchronous standby. */
export async function startMachines(): Promise<Machines> {
  const dir = mkdtempSync(join(tmpdir(), "license-desk-machines-"));
  closers.push(async () => rmSync(dir, { recursive: true, force: true }));
  const own = async <Part extends { close(): Promise<void> }>(starting: Promise<Part | null>): Promise<Part> => {
    const part = await starting;
    if (part === null) throw new Error("something is not installed");
    closers.push(() => part.close());
    return part;
  };
  const redis = await own(startRedis());
  const primary = await own(startPrimary(dir));
  await primary.stop("fast");
  mkdirSync(join(dir, "standby"));
  const standby = await own(primary.copyAsStandby(join(dir, "standby"), primary.url));
  await primary.start();
  await standby.start();
  await primary.setSynchronous(true);
  const address = await own(startDatabaseProxy(primary.url));
  await applyMigrations({ databaseUrl: address.url, migrationsDir: join(root, "prisma", "migrations") });
  const pooler = await own(startPgBouncer(address.url));

  const switchDatabase = async (url: string | undefined) => {
    await closeRuntime();
    if (url !== undefined) process.env.DATABASE_URL = url;
  };
  const previousUrl = process.env.DATABASE_URL;
  closers.push(() => switchDatabase(previousUrl));
  await switchDatabase(address.url);
  const port = await findFreePort();
  const env = {
    ...process.env,
    NODE_ENV: "production" as const,
    DATABASE_URL: address.url,
    DATABASE_POOLER_URL: pooler.url,
    DATABASE_REPLICA_URL: standby.url,
    REDIS_URL: redis.url,
    DATA_DIR: join(dir, "data"),
    DEPLOYMENT_ID: randomUUID(),
    HOST: "127.0.0.1",
    NEXTAUTH_URL: `https://${HOST_NAME}:${port}`,
    TRUSTED_PROXIES: "127.0.0.1/32",
    SHUTDOWN_DELAY_MS: "500",
    // As in production: a failover takes longer than the other tests let a provider take.
    PROVIDER_TIMEOUT_MS: undefined,
    LOG_LEVEL: "warn",
  };
  const log = join(dir, "log");
  const newMachine = async (role: "off" | "only") =>
    machineOf({ ...env, WORKER: role, PORT: String(await findFreePort()) }, log);
  const replicas = [await newMachine("off"), await newMachine("off"), await newMachine("off")];
  const workers = [await newMachine("only"), await newMachine("only")];
  closers.push(() => Promise.all([...replicas, ...workers].map((machine) => machine.kill())));
  // The first one claims the database for the deployment.
  const [first, ...others] = [...replicas, ...workers];
  await first?.start();
  await Promise.all(others.map((machine) => machine.start()));
  const balancer = await startProxy(
    "nginx",
    port,
    replicas.map(({ url }) => new URL(url).host),
  );
  closers.push(() => balancer.stop());
  return {
    replicas,
    workers,
    balancer,
    redis,
    pooler,
    databaseUrl: address.url,
    failOver: () => failOver(primary, standby, address),
  };
}

/** The next version: these sources with one more migration. Returns its folder. */
export function makeNextVersion(name: string, migration: string): string {
  const tree = mkdtempSync(join(tmpdir(), "license-desk-next-version-"));
  closers.push(async () => rmSync(tree, { recursive: true, force: true }));
  const parts = [
    "app",
    "components",
    "lib",
    "prisma",
    ...readdirSync(root).filter((file) => /\.(ts|mjs|json)$/.test(file)),
  ];
  for (const part of parts) cpSync(join(root, part), join(tree, part), { recursive: true });
  for (const part of ["node_modules", "public", ".next"]) symlinkSync(join(root, part), join(tree, part));
  mkdirSync(join(tree, "prisma", "migrations", name));
  writeFileSync(join(tree, "prisma", "migrations", name, "migration.sql"), migration);
  return tree;
}

async function startPrimary(dir: string): Promise<PostgresServer> {
  mkdirSync(join(dir, "primary"));
  const primary = await createPostgres(join(dir, "primary"));
  await primary.start();
  const client = new pg.Client({ connectionString: new URL("/postgres", primary.url).href });
  await client.connect();
  await client.query("create database license_desk");
  await client.end();
  return primary;
}

async function failOver(primary: PostgresServer, standby: PostgresServer, address: DatabaseProxy): Promise<number> {
  const startedAtMs = performance.now();
  await primary.stop("immediate");
  await standby.promote();
  await standby.setSynchronous(false);
  address.pointTo(standby.url);
  return (performance.now() - startedAtMs) / 1_000;
}

function machineOf(env: NodeJS.ProcessEnv & { readonly PORT: string }, log: string): Machine {
  const url = `http://127.0.0.1:${env.PORT}`;
  let child: ChildProcess | null = null;
  let tree = root;
  const end = async (signal: NodeJS.Signals) => {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  };
  const machine: Machine = {
    url,
    async start(version = tree) {
      tree = version;
      const output = openSync(log, "a");
      child = spawn(process.execPath, ["server.ts"], { cwd: tree, env, stdio: ["ignore", output, output] });
      for (const deadline = Date.now() + READY_TIMEOUT_MS; !(await machine.isReady()); await sleep(POLL_MS)) {
        if (Date.now() > deadline || child.exitCode !== null)
          throw new Error(`not started:\n${readFileSync(log, "utf8")}`);
      }
    },
    stop: () => end("SIGTERM"),
    kill: () => end("SIGKILL"),
    isReady: () =>
      fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ),
  };
  return machine;
}
