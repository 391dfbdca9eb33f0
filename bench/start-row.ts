/** How long a built server with its embedded database takes to its first responses, from the second start on. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findFreePort } from "#lib/embedded/free-port.ts";
import { ensureBuilt } from "#lib/server/ensure-built.ts";
import { optionsOfNpmStart } from "./child-server.ts";
import { median, type RowReport, spread } from "./report.ts";

const STARTS = 7;
const POLL_MS = 5;
const root = join(import.meta.dirname, "..");

export async function runStartRow(log: (line: string) => void): Promise<RowReport> {
  await ensureBuilt(root, log, new AbortController().signal);
  const dataDir = mkdtempSync(join(tmpdir(), "license-desk-start-"));
  try {
    log("First start, which creates the database.");
    await start(dataDir);
    const starts: { readonly api: number; readonly page: number }[] = [];
    for (let run = 1; run <= STARTS; run++) {
      log(`Start ${run} of ${STARTS}.`);
      starts.push(await start(dataDir));
    }
    const budget = (name: string, seconds: readonly number[], limit: number) =>
      ({ name, figure: median(seconds), limit, comparison: "at most", unit: "s", spread: spread(seconds) }) as const;
    return {
      row: "start",
      setting: `built, embedded PostgreSQL, ${STARTS} starts after the first`,
      budgets: [
        budget(
          "first response of the API",
          starts.map(({ api }) => api),
          1.5,
        ),
        budget(
          "first page",
          starts.map(({ page }) => page),
          2.5,
        ),
      ],
      contenders: [],
      checks: [],
    };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Seconds from the start of the process to the first response of each kind. */
async function start(dataDir: string): Promise<{ readonly api: number; readonly page: number }> {
  const port = await findFreePort();
  const startedAt = performance.now();
  const server = spawn(process.execPath, [...optionsOfNpmStart(), "server.ts"], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DATA_DIR: dataDir, HOST: "127.0.0.1", PORT: String(port), NODE_ENV: "production" },
  });
  const seconds = () => (performance.now() - startedAt) / 1_000;
  const exited = once(server, "exit");
  try {
    while (!(await responds(port, "/api/v1/licenses"))) {
      if (server.exitCode !== null) throw new Error("The server has ended: see above.");
      await sleep(POLL_MS);
    }
    const api = seconds();
    await responds(port, "/sign-in");
    return { api, page: seconds() };
  } finally {
    server.kill("SIGTERM");
    await exited;
  }
}

async function responds(port: number, path: string): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: "close" } });
    await response.arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
