import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { compiledCode } from "../compiled-code.ts";
import type { CrashOrder, CrashPoint } from "./crash-at.ts";

const root = join(import.meta.dirname, "..", "..");
const START_TIMEOUT_MS = 90_000;
const END_TIMEOUT_MS = 10_000;

export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  /** Its stderr; empty if all is well. */
  errorOutput(): string;
  /** Its log so far, depending on `LOG_LEVEL`. */
  logLines(): LogLine[];
  /** Kills it at this statement. */
  crashAt(point: CrashPoint): Promise<void>;
  /** Stops it there until `wakeUp`. */
  stopAt(point: CrashPoint): Promise<void>;
  isStopped(): boolean;
  stop(): void;
  wakeUp(): void;
  /** Records the names of the following statements. */
  recordStatements(): Promise<string[]>;
  hasEnded(): boolean;
  /** Resolves with its signal when it ends. @throws if it does not end */
  ended(): Promise<NodeJS.Signals | null>;
  kill(): Promise<void>;
}

export interface LogLine {
  readonly msg: string;
  readonly [fact: string]: unknown;
}

interface ServerOptions {
  readonly databaseUrl: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Modules of this folder to load first. */
  readonly preload?: readonly string[];
}

export const secrets = {
  API_KEY_PEPPER: "a pepper of fault tests, long enough for one",
  NEXTAUTH_SECRET: "a secret of fault tests, long enough for one",
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
};

/** The provider's timeout: rehearsed silence is short, and a late response counts as unknown. */
export const PROVIDER_TIMEOUT_MS = 40;

export async function startServer({ databaseUrl, env = {}, preload = [] }: ServerOptions): Promise<ServerProcess> {
  const modules = ["crash-at.ts", ...preload].flatMap((file) => ["--import", join(import.meta.dirname, file)]);
  const child = spawn(process.execPath, [...modules, join(import.meta.dirname, "api-server.ts")], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: {
      PATH: process.env.PATH,
      NODE_ENV: "production",
      ...compiledCode,
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
  // A message to a dead process fails; its end is observed separately.
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
    // Behind the program's name in parentheses, which may contain spaces.
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
