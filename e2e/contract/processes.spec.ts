/** `WEB_CONCURRENCY`: several processes answer on one port, and count, start and stop as one. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { type OwnServer, startOwnServer } from "../support/own-server.ts";
import { newReseller } from "../support/world.ts";

/** A process starts within this time on a busy machine. */
const START_TIMEOUT_MS = 90_000;

test.describe.configure({ mode: "serial", timeout: 4 * START_TIMEOUT_MS });

const folder = mkdtempSync(join(tmpdir(), "license-desk-processes-"));
const logFile = join(folder, "server.log");
let server: OwnServer;

test.beforeAll(async () => {
  server = await startOwnServer("server", { WEB_CONCURRENCY: "2", LOG_LEVEL: "silent" }, { logFile });
});

test.afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true });
});

/** The processes of the server that run its sources, oldest first. */
function processes(): number[] {
  const parentOf = (pid: string) => {
    try {
      return Number(/\) \w (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1]);
    } catch {
      return 0;
    }
  };
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === server.pid)
    .map(Number);
}

interface Asked {
  readonly status: number;
  readonly remaining: number;
}

/** On a connection of its own, so that all processes get their share. */
async function ask(apiKey: string): Promise<Asked> {
  const response = await fetch(`${server.url}/api/v1/?endpoint=balance`, {
    headers: { "x-api-key": apiKey, connection: "close" },
  });
  await response.arrayBuffer();
  return { status: response.status, remaining: Number(response.headers.get("x-ratelimit-remaining")) };
}

/** Asks without a pause until `done`; what could not be asked is counted as 0. */
async function askUntil(done: Promise<unknown>, apiKey: string): Promise<number[]> {
  let isDone = false;
  void done.finally(() => {
    isDone = true;
  });
  const statuses: number[] = [];
  const client = async () => {
    while (!isDone)
      statuses.push(
        await ask(apiKey).then(
          ({ status }) => status,
          () => 0,
        ),
      );
  };
  await Promise.all([client(), client(), client(), client()]);
  return statuses;
}

async function replacedBy(change: () => void): Promise<void> {
  const before = new Set(processes());
  change();
  await expect
    .poll(() => processes().filter((pid) => before.has(pid)).length, {
      timeout: 3 * START_TIMEOUT_MS,
      intervals: [250],
    })
    .toBe(0);
}

test("all processes together grant a key its quota, and not one request more (contract 1.5)", async () => {
  expect(processes()).toHaveLength(3);
  const { apiKey } = await newReseller(server.url, { rateLimit: 40 });
  const asked = await Promise.all(Array.from({ length: 100 }, () => ask(apiKey)));
  expect(asked.filter(({ status }) => status === 200)).toHaveLength(40);
  expect(asked.filter(({ status }) => status === 429)).toHaveLength(60);
  const granted = asked.filter(({ status }) => status === 200).map(({ remaining }) => remaining);
  expect(granted.sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, index) => index));
});

test("one scrape has the requests of all processes", async () => {
  const { apiKey } = await newReseller(server.url);
  const counted = async () => {
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    const [, count] =
      /^license_desk_requests_total\{interface="dispatch",operation="balance",code="ok"\} (\d+)$/m.exec(metrics) ?? [];
    return Number(count);
  };
  await ask(apiKey);
  const before = await counted();
  await Promise.all(Array.from({ length: 20 }, () => ask(apiKey)));
  expect(await counted()).toBe(before + 20);
  // The last one runs the worker.
  const [silent = 0] = processes().slice(-1);
  process.kill(silent, "SIGSTOP");
  try {
    expect(await counted()).toBe(before + 20);
  } finally {
    process.kill(silent, "SIGCONT");
  }
});

test("SIGHUP replaces every process, one after the other, and no request fails", async () => {
  const { apiKey } = await newReseller(server.url);
  const statuses = await askUntil(
    replacedBy(() => process.kill(server.pid, "SIGHUP")),
    apiKey,
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
  await expect.poll(() => processes().length, { timeout: START_TIMEOUT_MS }).toBe(3);
});

test("a process that dies is replaced, while the others answer", async () => {
  const { apiKey } = await newReseller(server.url);
  const logged = (line: string) =>
    expect.poll(() => readFileSync(logFile, "utf8").split(line).length - 1, { timeout: START_TIMEOUT_MS });
  for (const [replaced, victim] of processes().entries()) {
    process.kill(victim, "SIGKILL");
    await logged("and is replaced").toBe(replaced + 1);
    expect((await ask(apiKey)).status).toBe(200);
    await logged("has taken its place").toBe(replaced + 1);
    expect(processes()).toHaveLength(3);
  }
});

test("SIGHUP in the middle of the start replaces the processes once they run", async () => {
  await server.stop();
  // As soon as it would not end the process.
  const wait = 'until [ $((0x$(sed -n "s/^SigCgt:.//p" /proc/$$/status) & 1)) = 1 ]; do sleep 0.05; done';
  const launcher = ["sh", "-c", `(${wait}; echo "sent"; kill -HUP $$) & exec "$@"`, "sh"];
  const log = join(folder, "hung-up.log");
  const env = { WEB_CONCURRENCY: "1", LOG_LEVEL: "silent" };
  server = await startOwnServer("server", env, { logFile: log, launcher });
  const told = () => readFileSync(log, "utf8").match(/^(?:sent|License Desk answers|Reloaded)/gm);
  await expect.poll(told, { timeout: 3 * START_TIMEOUT_MS }).toEqual(["sent", "License Desk answers", "Reloaded"]);
});
