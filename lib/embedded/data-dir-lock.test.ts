import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openDataDir } from "./data-dir.ts";
import { DataDirInUseError, lockDataDir } from "./data-dir-lock.ts";
import { listChildren, mayRunElsewhere, PLACE, readProcessIdentity } from "./process-identity.ts";

vi.mock("node:fs/promises", { spy: true });
vi.setConfig({ testTimeout: 60_000 });

let dataDir: string;
let file: string;
beforeEach(() => {
  dataDir = openDataDir(join(mkdtempSync(join(tmpdir(), "data-dir-lock-")), "data"));
  file = join(dataDir, "license-desk.lock");
});
afterEach(() => rmSync(join(dataDir, ".."), { recursive: true }));

const holder = { id: randomUUID(), pid: process.pid, birth: null, host: "db2", place: "elsewhere", url: null };
const writeLock = (change: object = {}) => writeFileSync(file, JSON.stringify({ ...holder, ...change }));

test("the error of a second process names the holder of the lock and its URL", async () => {
  const lock = await lockDataDir(dataDir);
  lock.publishUrl("http://127.0.0.1:3000");
  await expect(lockDataDir(dataDir)).rejects.toThrow(DataDirInUseError);
  await expect(lockDataDir(dataDir)).rejects.toThrow(`(process ${process.pid}, http://127.0.0.1:3000)`);
  lock.release();
  (await lockDataDir(dataDir)).release();
});

test("the lock of a dead process is ignored", async () => {
  writeLock({ pid: 2 ** 22 + 1, birth: "long ago", place: PLACE });
  (await lockDataDir(dataDir)).release();
});

test("the lock of a dead process whose id was reused is ignored", async () => {
  if (readProcessIdentity(process.ppid) === null) return;
  writeLock({ pid: process.ppid, birth: "long ago", place: PLACE });
  (await lockDataDir(dataDir)).release();
});

describe("a lock of another machine or container", () => {
  test("that is renewed is respected, whatever its clock and its process id", async () => {
    writeLock({ url: "http://db2:3000" });
    const before = readFileSync(file);
    let time = 0;
    const renewing = setInterval(() => utimesSync(file, ++time, time), 1_000);
    const lines: string[] = [];
    await expect(lockDataDir(dataDir, (line) => void lines.push(line))).rejects.toThrow(
      `on another machine or in another container (db2, process ${process.pid}, http://db2:3000)`,
    );
    clearInterval(renewing);
    expect(lines).toEqual([
      expect.stringMatching(/\(db2, process \d+\): waiting up to 10 seconds for a sign of life\.$/),
    ]);
    expect(readFileSync(file)).toEqual(before);
  });

  test.each([
    ["that crashed", JSON.stringify(holder)],
    ["that is damaged", ""],
  ])("%s is replaced after a while", async (_, text) => {
    writeFileSync(file, text);
    const startedAt = performance.now();
    const lock = await lockDataDir(dataDir);
    expect(performance.now() - startedAt).toBeGreaterThan(9_900);
    lock.release();
  });

  test("that could not be renewed while the disk hung is respected", async () => {
    writeLock();
    setTimeout(() => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10_500);
      setTimeout(() => utimesSync(file, 1, 1), 1_000);
    }, 500);
    await expect(lockDataDir(dataDir)).rejects.toThrow(DataDirInUseError);
  });

  test("is not watched for more than 5 minutes on a disk that is always slow, and stays", async () => {
    writeLock();
    let time = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => {
      time += 30_000;
      return time;
    });
    await expect(lockDataDir(dataDir)).rejects.toThrow(
      /^The disk of DATA_DIR is too slow: for 5 minutes, .*license-desk\.lock.*\(db2, process \d+\).*Nothing was changed\./,
    );
    clock.mockRestore();
    expect(time).toBeGreaterThan(300_000);
    expect(time).toBeLessThan(420_000);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(holder);
  });

  test("that is released meanwhile is free", async () => {
    writeLock();
    setTimeout(() => rmSync(file), 500);
    (await lockDataDir(dataDir)).release();
  });
});

test("a lock that is released while it is renewed stays released", async () => {
  const lock = await lockDataDir(dataDir);
  const releasing = vi.mocked(open).mockImplementationOnce(async () => {
    lock.release();
    throw Object.assign(new Error(), { code: "ENOENT" });
  });
  await vi.waitFor(() => expect(releasing).toHaveBeenCalled(), { timeout: 5_000 });
  await sleep(100);
  expect(existsSync(file)).toBe(false);
});

test("a holder whose disk hangs waits for it with one file operation, and renews its lock afterwards", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    const lock = await lockDataDir(dataDir);
    const disk = Promise.withResolvers<never>();
    vi.mocked(open).mockClear().mockReturnValueOnce(disk.promise);
    vi.advanceTimersByTime(60_000);
    expect(open).toHaveBeenCalledTimes(1);
    utimesSync(file, 1, 1);
    disk.reject(new Error("EIO"));
    await sleep(10);
    vi.advanceTimersByTime(2_000);
    await vi.waitFor(() => expect(statSync(file).mtimeMs).toBeGreaterThan(1_000));
    lock.release();
  } finally {
    vi.useRealTimers();
  }
});

test("nothing lives on after a restart of this machine; on another one, and in a container, it may", () => {
  const [machine = "", , namespace = ""] = PLACE.split(" ");
  expect(mayRunElsewhere(PLACE)).toBe(false);
  expect(mayRunElsewhere(`other before ${namespace}`)).toBe(true);
  expect(mayRunElsewhere(`${machine} before pid:[4026532000]`)).toBe(true);
  const isHost = machine !== "" && namespace === "pid:[4026531836]";
  expect(mayRunElsewhere(`${machine} before ${namespace}`)).toBe(!isHost);
});

test("a holder renews its lock, also if the file was deleted", async () => {
  const lock = await lockDataDir(dataDir);
  rmSync(file);
  await vi.waitFor(() => expect(JSON.parse(readFileSync(file, "utf8")).pid).toBe(process.pid), { timeout: 5_000 });
  lock.release();
});

/** Locks the folder in a process of its own, starts a database, and prints what happens. */
const script = `
  const { lockDataDir } = await import(${JSON.stringify(join(import.meta.dirname, "data-dir-lock.ts"))});
  const { startEmbeddedPostgres } = await import(${JSON.stringify(join(import.meta.dirname, "postgres.ts"))});
  const [dataDir, database] = process.argv.slice(1);
  const log = (line) => process.stdout.write(line + "\\n");
  try {
    const lock = await lockDataDir(dataDir, log);
    lock.lost.then((error) => log(error.message));
    if (database) {
      const postgres = await startEmbeddedPostgres({ dataDir, log, durable: false });
      postgres.exited.then(() => log("database ended"));
      lock.lost.then(() => postgres.stop()).then(() => log("stopped"));
    }
    log("locked");
    setInterval(() => {}, 1000);
  } catch (error) {
    log(error.message);
    process.exitCode = 1;
  }`;

function start(prefix: readonly string[], ...args: readonly string[]) {
  const [command = "", ...rest] = [...prefix, process.execPath, "--input-type=module", "-e", script, dataDir, ...args];
  const child = spawn(command, rest, { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  return { child, output: () => output };
}

async function end(child: ChildProcess): Promise<void> {
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

test("a holder that stood still while another took the lock kills its database, and keeps the other's lock", async () => {
  const first = start([], "database");
  await vi.waitFor(() => expect(first.output()).toContain("locked"), { timeout: 30_000 });
  const state = readFileSync(join(dataDir, "postgres.json"), "utf8");
  const { url, pid } = JSON.parse(state);
  const working = new pg.Client({ connectionString: url });
  working.on("error", () => undefined);
  await working.connect();
  const work = expect(working.query("select count(*) from generate_series(1, 1e12)")).rejects.toThrow();
  const processes = [pid, ...listChildren(pid)];
  expect(processes.length).toBeGreaterThan(2);
  const pidFile = join(dataDir, "postgres", "postmaster.pid");
  writeFileSync(pidFile, "1\n");
  writeLock();
  await vi.waitFor(() => expect(first.output()).toMatch(/database ended.*stopped/s), { timeout: 10_000 });
  expect(readFileSync(join(dataDir, "postgres.json"), "utf8")).toBe(state);
  expect(first.output()).toMatch(/Another License Desk \(db2, process \d+\) has taken this DATA_DIR: this one ends\./);
  await work;
  await vi.waitFor(() => expect(processes.map(readProcessIdentity)).toEqual(processes.map(() => null)));
  expect(readFileSync(pidFile, "utf8")).toBe("1\n");
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ host: "db2" });
  await end(first.child);
});

test("a holder writes the file of its PostgreSQL again if another that ends has deleted it", async () => {
  const first = start([], "database");
  await vi.waitFor(() => expect(first.output()).toContain("locked"), { timeout: 30_000 });
  const pidFile = join(dataDir, "postgres", "postmaster.pid");
  const written = readFileSync(pidFile, "utf8");
  rmSync(pidFile);
  await vi.waitFor(() => expect(readFileSync(pidFile, "utf8")).toBe(written), { timeout: 5_000 });
  process.kill(Number.parseInt(written, 10), "SIGINT");
  await vi.waitFor(() => expect(first.output()).toContain("database ended"), { timeout: 10_000 });
  await end(first.child);
});

const container = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"];
const hasContainers = spawnSync(container[0] ?? "", [...container.slice(1), "true"]).status === 0;

test.skipIf(!hasContainers)("of two containers with equal process ids, the second is refused", async () => {
  const first = start(container);
  await vi.waitFor(() => expect(first.output()).toContain("locked"), { timeout: 20_000 });
  const second = start(container);
  expect(await once(second.child, "exit")).toEqual([1, null]);
  expect(second.output()).toMatch(/in another container \(.*, process 1\): two would destroy the database/);
  await end(first.child);
  const third = start(container);
  await vi.waitFor(() => expect(third.output()).toContain("locked"), { timeout: 20_000 });
  await end(third.child);
  await sleep(100);
});
