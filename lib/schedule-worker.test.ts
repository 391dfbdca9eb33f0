import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { claimDueRun, endRun, storeOverrun } from "#lib/db/job/run.ts";
import type { Interval } from "#lib/domain/interval.ts";
import { Finding } from "#lib/jobs/job.ts";
import { getSystem } from "#lib/services/system/get.ts";
import { sql } from "#tests/sql.ts";
import { makeJobDue } from "#tests/support/job.ts";
import { createTestProcess, type TestProcess } from "#tests/support/process.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { startScheduleWorker } from "./schedule-worker.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const daily: Readonly<Record<string, Interval>> = { prune: { everyMs: DAY_MS, offsetMs: 3.25 * HOUR_MS } };
let world: World;
let one: TestProcess;
let other: TestProcess;
const workers: ReturnType<typeof startScheduleWorker>[] = [];

beforeAll(async () => {
  world = await newWorld();
  [one, other] = [createTestProcess(world.db), createTestProcess(world.db)];
  for (const { leases } of [one, other]) await leases.begin(async () => false);
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop(100)));
  await world.db.query(sql("delete from job_runs"), []);
});
afterAll(() => world.close());

const claim = (by: TestProcess, jobs = daily) => claimDueRun(world.db, by.ownerId, jobs);
const setNext = (text: string) => world.db.query(sql(`update job_runs set next_at = ${text}`), []);
async function nextAt(): Promise<Date> {
  const [row] = await world.db.query(sql<{ next_at: Date }>("select next_at from job_runs"), []);
  if (!row) throw new Error("no job");
  return row.next_at;
}

test("a new job is due at its next time, in UTC", async () => {
  expect(await claim(one)).toBeNull();
  expect((await nextAt()).toISOString()).toMatch(/T03:15:00.000Z$/);
  const waitMs = (await nextAt()).getTime() - Date.now();
  expect(waitMs > -1_000 && waitMs <= DAY_MS).toBe(true);
});

test("a run that was missed is made up for, once", async () => {
  await claim(one);
  await setNext("now() - interval '3 days'");
  const run = await claim(one);
  expect(run).toMatchObject({ name: "prune" });
  if (run) await endRun(world.db, run, null);
  expect(await claim(one)).toBeNull();
  expect((await nextAt()).getTime()).toBeGreaterThan(Date.now());
});

test("a time that a wrong clock wrote delays nothing", async () => {
  await claim(one);
  await setNext("now() + interval '2 days'");
  expect(await claim(one)).toMatchObject({ name: "prune" });
});

test("nobody starts a job that a live process runs; after its death it is run again", async () => {
  await claim(one);
  await setNext("now() - interval '1 second'");
  expect(await claim(one)).not.toBeNull();
  await setNext("now() - interval '1 second'");
  expect(await claim(other)).toBeNull();
  await one.die();
  expect(await claim(other)).not.toBeNull();
  one = createTestProcess(world.db);
  await one.leases.begin(async () => false);
});

test("a claim does not wait for another process's claim of another job", async () => {
  for (const name of ["slow", "works"]) await makeJobDue(world.db, name);
  const client = new pg.Client(world.url);
  await client.connect();
  try {
    await client.query("begin");
    await client.query("update job_runs set process_id = $1 where name = 'slow'", [other.ownerId]);
    const jobs = { slow: { everyMs: DAY_MS, offsetMs: 0 }, works: { everyMs: DAY_MS, offsetMs: 0 } };
    expect(await claim(one, jobs)).toMatchObject({ name: "works" });
  } finally {
    await client.end();
  }
});

test("an interrupted run is repeated after a quarter of an hour, a failed one within the hour", async () => {
  await claim(one);
  await setNext("now() - interval '1 second'");
  const run = await claim(one);
  expect((await nextAt()).getTime() - Date.now()).toBeLessThan(HOUR_MS / 4 + 1_000);
  if (run) await endRun(world.db, run, { message: "The disk is full.", isRepeated: true });
  expect((await nextAt()).getTime() - Date.now()).toBeLessThan(HOUR_MS + 1_000);
});

test("the end of a run has no effect once another has begun", async () => {
  await claim(one);
  await setNext("now() - interval '1 second'");
  const first = await claim(one);
  // A run is known by its process and the millisecond in which it began.
  await sleep(2);
  await setNext("now() - interval '1 second'");
  expect(await claim(one)).not.toBeNull();
  const rows = () => world.db.query(sql<object>("select * from job_runs"), []);
  const before = await rows();
  if (!first) throw new Error("not claimed");
  await endRun(world.db, first, null);
  await storeOverrun(world.db, first, "has not ended");
  expect(await rows()).toEqual(before);
});

function start(runJob: (name: string) => Promise<void>, { by = one, deadlineMs = 60_000 } = {}) {
  const job = { everyMs: DAY_MS, offsetMs: Date.now() % DAY_MS, deadlineMs, run: async () => null };
  workers.push(
    startScheduleWorker(world.context({ kind: "system", name: "worker" }, { leases: by.leases }), {
      schedule: { slow: job, works: job },
      runJob,
      logError: () => () => {},
    }),
  );
}
const lastRun = async () => {
  const text = "select error, process_id is null as free from job_runs where name = 'slow' and ended_at is not null";
  const [row] = await world.db.query(sql<{ error: string | null; free: boolean }>(text), []);
  return row;
};

test("a job that hangs is reported, delays no other, and is run by no live process until it has ended", async () => {
  const started: string[] = [];
  const hang = Promise.withResolvers<void>();
  const runJob = async (name: string) => {
    started.push(name);
    if (name === "slow") await hang.promise;
  };
  await makeJobDue(world.db, "slow");
  start(runJob, { deadlineMs: 200 });
  const error = "has not ended after 0.2 seconds";
  await vi.waitFor(async () => expect(await lastRun()).toEqual({ error, free: false }), 10_000);
  start(runJob, { by: other, deadlineMs: 200 });
  await makeJobDue(world.db, "slow");
  await makeJobDue(world.db, "works");
  await vi.waitFor(() => expect(started).toContain("works"), 10_000);
  await sleep(2_500);
  expect(started.filter((name) => name === "slow")).toHaveLength(1);
  hang.resolve();
  await vi.waitFor(async () => expect(await lastRun()).toEqual({ error: null, free: true }), 10_000);
});

test("while a job takes its time, no other is late", async () => {
  const hang = Promise.withResolvers<void>();
  const started = new Set<string>();
  for (const name of ["slow", "works"]) await makeJobDue(world.db, name);
  start(async (name) => {
    started.add(name);
    await hang.promise;
  });
  await vi.waitFor(() => expect([...started].toSorted()).toEqual(["slow", "works"]), 10_000);
  hang.resolve();
});

test.each([
  ["a job that could not be carried out is repeated within the hour", new Error("The disk is full."), 1],
  ["a check that found something runs again at its next time", new Finding("3 differences"), 24],
])("%s", async (_, cause, hours) => {
  await makeJobDue(world.db, "slow");
  start(() => Promise.reject(cause));
  await vi.waitFor(async () => expect(await lastRun()).toEqual({ error: cause.message, free: true }), 10_000);
  const text = "select next_at as at from job_runs where name = 'slow'";
  const [row] = await world.db.query(sql<{ at: Date }>(text), []);
  const wait = ((row?.at.getTime() ?? 0) - Date.now()) / HOUR_MS;
  expect(wait).toBeGreaterThan(hours - 0.1);
  expect(wait).toBeLessThanOrEqual(hours);
});

test("the system reports a job that nobody runs, without a job of its own", async () => {
  await makeJobDue(world.db, "renew_due");
  const late = async () => (await getSystem(world.operator)).checks.find(({ name }) => name === "jobs")?.detail;
  await setNext("now() - interval '16 minutes'");
  expect(await late()).toBe("No jobs are queued or late, and none has failed");
  await world.db.query(sql("update processes set started_at = now() - interval '1 hour'"), []);
  expect(await late()).toBe("No process runs “Renew licenses” (last run: none), although due");
  await world.db.query(sql("update job_runs set process_id = $1"), [one.ownerId]);
  expect(await late()).toBe("No jobs are queued or late, and none has failed");
});
