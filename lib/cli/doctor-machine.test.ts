import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { runHere } from "#tests/support/command-line.ts";
import { createInstallation } from "#tests/support/installation.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const unshare = ["--mount", ...(process.getuid?.() === 0 ? [] : ["--map-root-user"])];
const canMount = spawnSync("unshare", [...unshare, "mount", "-t", "tmpfs", "none", "/mnt"]).status === 0;

let folder: string;
let dataDir: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "license-desk-doctor-"));
  dataDir = await createInstallation(join(folder, "data"));
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Answer {
  readonly checks: readonly { readonly check: string; readonly status: string; readonly detail: string }[];
}

function find(stdout: string, name: string): string {
  const found = (JSON.parse(stdout) as Answer).checks.find(({ check }) => check === name);
  return `${found?.status}: ${found?.detail}`;
}

const diagnose = async () => runHere(["doctor"], { DATA_DIR: dataDir });

test.each([
  [700, 0, /^warning: [5-9]\d\d ms ahead of the database's$/],
  [-60_000, 1, /^failed: (59|60)\d{3} ms behind the database's$/],
])("a clock %d ms ahead of the database's", async (offsetMs, code, finding) => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + offsetMs });
  const moving = setInterval(() => vi.setSystemTime(performance.timeOrigin + performance.now() + offsetMs), 1);
  const result = await diagnose();
  clearInterval(moving);
  expect(find(result.stdout, "clock")).toMatch(finding);
  expect(result.code).toBe(code);
});

test("a server without autovacuum", async () => {
  appendFileSync(join(dataDir, "postgres", "postgresql.auto.conf"), "autovacuum = off\n");
  expect(find((await diagnose()).stdout, "autovacuum")).toBe("warning: off: tables grow and queries become slow");
});

test.skipIf(!canMount)("a disk that is nearly full", () => {
  const small = join(folder, "small");
  mkdirSync(small);
  const command = 'mount -t tmpfs -o size=8m none "$DATA_DIR" && exec "$0" scripts/admin.ts doctor';
  const { stdout, status } = spawnSync("unshare", [...unshare, "sh", "-c", command, process.execPath], {
    encoding: "utf8",
    env: { ...process.env, DATA_DIR: small, DATABASE_URL: undefined } as unknown as NodeJS.ProcessEnv,
  });
  expect(find(stdout, "disk of DATA_DIR")).toBe("failed: 0.0 GiB of 0.0 GiB are free");
  expect(status).toBe(1);
});
