import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { CrashOrder, CrashPoint } from "./crash-at.ts";

const root = join(import.meta.dirname, "..", "..");
const compileCache = join(tmpdir(), "license-desk-faults-compile-cache");
const START_TIMEOUT_MS = 30_000;
const END_TIMEOUT_MS = 10_000;

/** A running server of the API. `url` is its origin. */
export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  /** What it wrote to its standard error: nothing, when all is well. */
  errorOutput(): string;
  /** The lines of its log so far; what it logs is `LOG_LEVEL`'s. */
  logLines(): LogLine[];
  /** Lets it die at this statement of the requests that follow. */
  crashAt(point: CrashPoint): Promise<void>;
  /** Lets it stop there, until `wakeUp`. */
  stopAt(point: CrashPoint): Promise<void>;
  isStopped(): boolean;
  stop(): void;
  wakeUp(): void;
  /** The names of the statements that follow, in order, as they pass. */
  recordStatements(): Promise<string[]>;
  hasEnded(): boolean;
  /** Resolves when it has ended, with the signal that ended it. @throws when it lives on */
  ended(): Promise<NodeJS.Signals | null>;
  /** As a power cut does. */
  kill(): Promise<void>;
}

/** As pino writes it. */
export interface LogLine {
  readonly msg: string;
  readonly [fact: string]: unknown;
}

interface ServerOptions {
  readonly databaseUrl: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Modules of this folder to load before the server. */
  readonly preload?: readonly string[];
}

export const secrets = {
  API_KEY_PEPPER: "a pepper of fault tests, long enough for one",
  NEXTAUTH_SECRET: "a secret of fault tests, long enough for one",
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
};

/** How long the provider's answer is waited for: rehearsed silence is short, and its late answer counts as unknown. */
export const PROVIDER_TIMEOUT_MS = 40;

export async function startServer({ databaseUrl, env = {}, preload = [] }: ServerOptions): Promise<ServerProcess> {
  const modules = ["crash-at.ts", ...preload].flatMap((file) => ["--import", join(import.meta.dirname, file)]);
  const child = spawn(process.execPath, [...modules, join(import.meta.dirname, "api-server.ts")], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: {
      PATH: process.env.PATH,
      NODE_ENV: "production",
      NODE_COMPILE_CACHE: compileCache,
      DATABASE_URL: databaseUrl,
      PROVIDER_TIMEOUT_MS: String(PROVIDER_TIMEOUT_MS),
      LOG_LEVEL: "error",
      WORKER: "off",
      ...secrets,
      ...env,
    },
  });
  let errorOutput = "";
  child.stderr?.on("data", (chunk) => {
    errorOutput += chunk;
  });
  let output = "";
  child.stdout?.on("data", (chunk) => {
    output += chunk;
  });
  // A message to a process that has just died is no news: its end is.
  child.on("error", () => undefined);
  let recorded: string[] = [];
  child.on("message", (message: { statement?: string }) => {
    if (message.statement !== undefined) recorded.push(message.statement);
  });
  const port = await readPort(child, () => errorOutput);
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    errorOutput: () => errorOutput,
    logLines: () =>
      output
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line))
        .filter(({ msg }) => msg !== undefined),
    crashAt: (point) => order(child, { crashAt: point }),
    stopAt: (point) => order(child, { crashAt: point, stop: true }),
    // Behind the program's name, which may have spaces and is in parentheses.
    isStopped: () => /\) T /.test(readFileSync(`/proc/${child.pid}/stat`, "utf8")),
    stop: () => void child.kill("SIGSTOP"),
    wakeUp: () => void child.kill("SIGCONT"),
    async recordStatements() {
      await order(child, { crashAt: null });
      recorded = [];
      return recorded;
    },
    hasEnded: () => hasEnded(child),
    ended: () => waitForEnd(child),
    async kill() {
      child.kill("SIGKILL");
      await waitForEnd(child);
    },
  };
}

async function readPort(child: ChildProcess, errorOutput: () => string): Promise<number> {
  const timer = setTimeout(() => child.kill("SIGKILL"), START_TIMEOUT_MS);
  const port = await new Promise<number>((resolve, reject) => {
    child.on("message", (message: { port?: number }) => message.port !== undefined && resolve(message.port));
    child.once("exit", () => reject(new Error(`The server did not start:\n${errorOutput()}`)));
  });
  clearTimeout(timer);
  return port;
}

async function order(child: ChildProcess, message: CrashOrder): Promise<void> {
  const armed = new Promise<void>((resolve) => {
    const listen = (answer: { armed?: boolean }) => {
      if (!answer.armed) return;
      child.off("message", listen);
      resolve();
    };
    child.on("message", listen);
  });
  child.send(message);
  await armed;
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function waitForEnd(child: ChildProcess): Promise<NodeJS.Signals | null> {
  if (!hasEnded(child)) {
    const giveUp = new AbortController();
    await Promise.race([once(child, "exit"), sleep(END_TIMEOUT_MS, undefined, { signal: giveUp.signal })]);
    giveUp.abort();
  }
  if (!hasEnded(child)) throw new Error("The server lives on.");
  return child.signalCode;
}
