import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { applyMigrations } from "#lib/db/schema/migrate.ts";
import { findFreePort } from "#lib/embedded/free-port.ts";
import { startTemporaryPostgres } from "#lib/embedded/temporary-postgres.ts";
import { ensureBuilt } from "#lib/server/ensure-built.ts";
import { copyTestDatabase } from "#tests/database-copy.ts";
import { findBrowser } from "../../scripts/browser.ts";
import { publishEnvironment } from "./environment.ts";
import { startTelegramRelay } from "./telegram-relay.ts";

const root = join(import.meta.dirname, "..", "..");
const START_TIMEOUT_MS = 90_000;
const STOP_TIMEOUT_MS = 15_000;
const POLL_MS = 50;

type RunningServer = { url: string; stop(): Promise<void> };

async function answers(url: string): Promise<boolean> {
  try {
    await fetch(url, { method: "HEAD", redirect: "manual" });
    return true;
  } catch {
    return false;
  }
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
  await exited;
  clearTimeout(timer);
}

async function startServer(argumentsFor: (port: number) => string[], env: NodeJS.ProcessEnv): Promise<RunningServer> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, argumentsFor(port), {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...env, HOST: "127.0.0.1", PORT: String(port), NEXTAUTH_URL: url },
  });
  for (const deadline = Date.now() + START_TIMEOUT_MS; child.exitCode === null; await sleep(POLL_MS)) {
    if (await answers(`${url}/api/v1`)) return { url, stop: () => stopProcess(child) };
    if (Date.now() > deadline) await stopProcess(child);
  }
  throw new Error(`A server for the tests did not start: node ${argumentsFor(port).join(" ")}`);
}

function serverEnvironment(databaseUrl: string, dataDir: string): NodeJS.ProcessEnv {
  const secret = () => randomBytes(32).toString("base64");
  const shared = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    API_KEY_PEPPER: secret(),
    NEXTAUTH_SECRET: secret(),
    ENCRYPTION_KEY: secret(),
    // Tests choose the address they come from with X-Forwarded-For.
    TRUSTED_PROXIES: "127.0.0.1/32",
    PROVIDER_TIMEOUT_MS: "700",
    // Webhooks go to receivers that the tests start.
    WEBHOOK_ALLOW_HTTP: "1",
    WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
    // All receivers are on one host.
    WEBHOOK_HOST_CHALLENGES: "100000",
    // Upstreams are the tests' own servers.
    PROVIDER_ALLOW_HTTP: "1",
    LOG_LEVEL: "error",
  };
  // Fixtures that make keys in the database need the servers' secrets.
  Object.assign(process.env, shared);
  return { ...process.env, ...shared, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" };
}

/** API tests need no browser: without one the dashboard's tests fail, and say which file is missing. */
function prepareBrowser(): void {
  try {
    findBrowser();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  }
}

/** A database and both servers for the whole run; the function it returns takes all of it away. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  prepareBrowser();
  await ensureBuilt(root, (line) => process.stdout.write(`${line}\n`), AbortSignal.timeout(10 * 60_000));
  const dataDir = mkdtempSync(join(tmpdir(), "license-desk-e2e-"));
  const cleanups: (() => unknown)[] = [() => rmSync(dataDir, { recursive: true, force: true })];
  const cleanUp = async (): Promise<void> => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  };
  try {
    const postgres = await startTemporaryPostgres();
    cleanups.push(() => postgres.stop());
    await applyMigrations({ databaseUrl: postgres.url, migrationsDir: join(root, "prisma", "migrations") });
    const { url: templateUrl } = await copyTestDatabase(postgres.url);
    const telegram = await startTelegramRelay();
    cleanups.push(() => telegram.stop());
    const env = { ...serverEnvironment(postgres.url, dataDir), TELEGRAM_API_URL: telegram.url };
    const server = await startServer(() => ["server.ts"], env);
    cleanups.push(() => server.stop());
    const nextCli = createRequire(import.meta.url).resolve("next/dist/bin/next");
    const next = await startServer((port) => [nextCli, "start", "-H", "127.0.0.1", "-p", String(port)], env);
    cleanups.push(() => next.stop());
    publishEnvironment({ databaseUrl: postgres.url, templateUrl, serverUrl: server.url, nextUrl: next.url });
  } catch (error) {
    await cleanUp();
    throw error;
  }
  return cleanUp;
}
