/**
 * npm run dev: pages and the API on Next's development server, which reloads them; the worker in its own process, which
 * restarts on changes. LOG_QUERIES=1 logs every statement.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { readEnv } from "#lib/env.ts";
import { closeRuntime } from "#lib/runtime.ts";
import { boot } from "#lib/server/boot.ts";

const root = join(import.meta.dirname, "..");
const shutdown = new AbortController();
const cleanups: (() => Promise<void> | void)[] = [];
const children = new Set<ChildProcess>();

function log(line: string): void {
  process.stdout.write(`${line}\n`);
}

function startChild(args: readonly string[]): void {
  const child = spawn(process.execPath, ["--enable-source-maps", ...args], { cwd: root, stdio: "inherit" });
  children.add(child);
  child.once("exit", (code) => {
    children.delete(child);
    void stop(code ?? 1);
  });
}

async function stop(exitCode: number): Promise<void> {
  if (shutdown.signal.aborted) return;
  shutdown.abort();
  const ended = [...children].map((child) => new Promise((resolve) => child.once("exit", resolve)));
  for (const child of children) child.kill("SIGTERM");
  await Promise.all(ended);
  for (const cleanup of cleanups.reverse()) await cleanup();
  process.exit(exitCode);
}

for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void stop(0));
Object.assign(process.env, { NODE_ENV: "development", NEXT_TELEMETRY_DISABLED: "1" });
const env = readEnv();
try {
  const { url, port, publishUrl } = await boot({
    env,
    log,
    signal: shutdown.signal,
    addCleanup: (cleanup) => cleanups.push(cleanup),
    onDatabaseLost: (error) => {
      log(error.message);
      void stop(1);
    },
  });
  // It has written the demonstration; each child has its own runtime.
  await closeRuntime();
  publishUrl();
  const next = createRequire(import.meta.url).resolve("next/dist/bin/next");
  startChild([next, "dev", "--hostname", env.HOST, "--port", String(port)]);
  if (env.WORKER === "on")
    startChild(["--watch-path=lib", "--watch-preserve-output", join(root, "scripts", "dev-worker.ts")]);
  log(`The development server answers at ${url}`);
} catch (error) {
  log(error instanceof Error ? error.message : String(error));
  await stop(1);
}
