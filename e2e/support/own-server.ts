import { type ChildProcess, spawn } from "node:child_process";
import { openSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "@playwright/test";
import pg from "pg";
import { findFreePort } from "#lib/embedded/free-port.ts";
import { closeRuntime } from "#lib/runtime.ts";
import { copyTestDatabase } from "#tests/database-copy.ts";
import { type DatabaseProxy, startDatabaseProxy } from "#tests/faults/database-proxy.ts";
import { e2eEnvironment } from "./environment.ts";

const root = join(import.meta.dirname, "..", "..");
/** On a busy machine. The time comes on top of what a test or hook may take. */
const START_TIMEOUT_MS = 90_000;
const POLL_MS = 50;

/** A server and a database that belong to one file of tests, so that it may break them. */
export interface OwnServer {
  readonly url: string;
  readonly pid: number;
  readonly databaseUrl: string;
  /** Between the server and the database, if it was asked for. */
  readonly proxy: DatabaseProxy | null;
  /** Cuts every connection to the database and lets nobody in. */
  takeDatabaseAway(): Promise<void>;
  bringDatabaseBack(): Promise<void>;
  /** From now on the database refuses every change, as a standby does. */
  setDatabaseReadOnly(on: boolean): Promise<void>;
  stop(): Promise<void>;
}

interface ServerOptions {
  /** Appends the server's log to it. */
  readonly logFile?: string;
  /** In its public address; 127.0.0.1 by default. */
  readonly host?: string;
  /** A program that runs the server, with its arguments. */
  readonly launcher?: readonly string[];
}

/**
 * Starts one; until it is stopped, the factories of this process work on its database. `kind`: as the project's. Without
 * `HOST` in `env`, only this machine reaches it. `usesProxy`: it reaches its database through one.
 */
export async function startOwnServer(
  kind: "server" | "next",
  env: Readonly<Record<string, string>>,
  { usesProxy = false, ...options }: ServerOptions & { readonly usesProxy?: boolean } = {},
): Promise<OwnServer> {
  test.setTimeout(test.info().timeout + START_TIMEOUT_MS);
  const { databaseUrl: main, templateUrl } = e2eEnvironment();
  const { url: databaseUrl, drop } = await copyTestDatabase(templateUrl);
  const name = new URL(databaseUrl).pathname.slice(1);
  const operator = new pg.Client({ connectionString: main });
  await operator.connect();
  await closeRuntime();
  process.env.DATABASE_URL = databaseUrl;
  const proxy = usesProxy ? await startDatabaseProxy(databaseUrl) : null;
  const reached = { DATABASE_URL: proxy?.url ?? databaseUrl };
  const own = { ...process.env, HOST: "127.0.0.1", ...reached, ...env, NODE_ENV: "production" } as const;
  const { child, url } = await startServer(kind, own, options);
  const disconnectAll = () =>
    operator.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [name]);
  return {
    url,
    pid: child.pid ?? 0,
    databaseUrl,
    proxy,
    async takeDatabaseAway() {
      await closeRuntime();
      await operator.query(`alter database ${name} allow_connections false`);
      await disconnectAll();
    },
    async setDatabaseReadOnly(on) {
      await closeRuntime();
      await operator.query(`alter database ${name} set default_transaction_read_only = ${on ? "on" : "off"}`);
      await disconnectAll();
    },
    bringDatabaseBack: async () => {
      await operator.query(`alter database ${name} allow_connections true`);
    },
    async stop() {
      await stopProcess(child);
      await proxy?.close();
      await closeRuntime();
      process.env.DATABASE_URL = main;
      await operator.end();
      await drop();
    },
  };
}

/** A server on the database of `env`. */
export async function startServer(
  kind: "server" | "next",
  env: NodeJS.ProcessEnv,
  { logFile, host = "127.0.0.1", launcher = [] }: ServerOptions = {},
): Promise<{ child: ChildProcess; url: string }> {
  const port = Number(env.PORT ?? (await findFreePort()));
  const url = `http://${host}:${port}`;
  const nextCli = createRequire(import.meta.url).resolve("next/dist/bin/next");
  const script =
    kind === "server" ? [join(root, "server.ts")] : [nextCli, "start", "-H", "127.0.0.1", "-p", String(port)];
  const [program = process.execPath, ...command] = [...launcher, process.execPath, ...script];
  const output = logFile === undefined ? "ignore" : openSync(logFile, "a");
  const child = spawn(program, command, {
    // Its own folder need not be where it is started.
    cwd: kind === "server" ? tmpdir() : root,
    stdio: logFile === undefined ? ["ignore", "ignore", "inherit"] : ["ignore", output, output],
    env: { NEXTAUTH_URL: url, ...env, PORT: String(port) },
  });
  for (const deadline = Date.now() + START_TIMEOUT_MS; child.exitCode === null; await sleep(POLL_MS)) {
    if (await answers(url)) return { child, url };
    if (Date.now() > deadline) await stopProcess(child);
  }
  const reason = logFile === undefined ? "" : `:\n${readFileSync(logFile, "utf8")}`;
  throw new Error(`the ${kind} did not start${reason}`);
}

async function answers(url: string): Promise<boolean> {
  return fetch(`${url}/api/v1`, { method: "HEAD" }).then(
    () => true,
    () => false,
  );
}

export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await exited;
}
