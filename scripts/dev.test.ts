import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { findFreePort } from "#lib/embedded/free-port.ts";

const TIMEOUT_MS = 300_000;
const dataDir = mkdtempSync(join(tmpdir(), "license-desk-dev-"));
let dev: ChildProcess | null = null;

afterEach(async () => {
  if (dev?.exitCode === null) {
    const exited = once(dev, "exit");
    dev.kill("SIGTERM");
    await exited;
  }
  rmSync(dataDir, { recursive: true, force: true });
});

test(
  "npm run dev serves the API and the dashboard without a build, and takes its database and worker with it",
  async () => {
    const port = await findFreePort();
    dev = spawn(process.execPath, [join(import.meta.dirname, "dev.ts")], {
      env: { ...process.env, DATA_DIR: dataDir, PORT: String(port), NODE_OPTIONS: "", DATABASE_URL: "" },
      stdio: "ignore",
    });
    const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
    let answer: Response | null = null;
    for (const deadline = Date.now() + TIMEOUT_MS / 2; answer === null && Date.now() < deadline; await sleep(200)) {
      answer = await ask("/api/v1/?endpoint=products").catch(() => null);
    }
    expect(answer?.status).toBe(401);
    expect(await (await ask("/sign-in")).text()).toContain("Sign in");
    const exited = once(dev, "exit");
    dev.kill("SIGTERM");
    expect(await exited).toEqual([0, null]);
  },
  TIMEOUT_MS,
);
