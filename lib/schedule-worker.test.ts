import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { claimDueRun, endRun } from "#lib/db/job/run.ts";
import type { Interval } from "#lib/domain/interval.ts";
import { scheduledJobs } from "#lib/jobs/jobs.ts";
import { lanes } from "#lib/jobs/schedule.ts";
import { getSystem } from "#lib/services/system/get.ts";
import { sql } from "#tests/sql.ts";
import { makeJobDue } from "#tests/support/job.ts";
import { createTestProcess, type TestProcess } from "#tests/support/process.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { type ScheduleWorker, startScheduleWorker } from "./schedule-worker.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const daily: Readonly<Record<string, Interval>> = { prune: { everyMs: DAY_MS, offsetMs: 3.25 * HOUR_MS } };
let world: World;
let one: TestProcess;
let other: TestProcess;
const workers: ScheduleWorker[] = [];

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

test("every scheduled job is in one lane", () => {
  const names = lanes.flatMap(({ jobs }) => Object.keys(jobs));
  expect(names.toSorted()).toEqual([...Object.keys(scheduledJobs), "back_up"].toSorted());
});

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
  await setNext("now()");
  expect(await claim(one)).not.toBeNull();
  await setNext("now()");
  expect(await claim(other)).toBeNull();
  await one.die();
  expect(await claim(other)).not.toBeNull();
  one = createTestProcess(world.db);
  await one.leases.begin(async () => false);
});

test("an interrupted run is repeated after a quarter of an hour, a failed one within the hour", async () => {
  await claim(one);
  await setNext("now()");
  const run = await claim(one);
  expect((await nextAt()).getTime() - Date.now()).toBeLessThan(HOUR_MS / 4 + 1_000);
  if (run) await endRun(world.db, run, "The disk is full.");
  expect((await nextAt()).getTime() - Date.now()).toBeLessThan(HOUR_MS + 1_000);
});

function start(runJob: (name: string) => Promise<void>, by = one) {
  const interval = { everyMs: HOUR_MS, offsetMs: 0 };
  workers.push(
    startScheduleWorker(world.context({ kind: "system", name: "worker" }, { leases: by.leases }), {
      lanes: [
        { jobs: { hangs: interval }, deadlineMs: 200 },
        { jobs: { works: interval }, deadlineMs: 200 },
      ],
      runJob,
      logError: () => () => {},
    }),
  );
}

test("a job that hangs is given up and reported, delays no other lane, and never runs twice at once", async () => {
  const started: string[] = [];
  const runJob = (name: string) => {
    started.push(name);
    return name === "hangs" ? new Promise<never>(() => {}) : Promise.resolve();
  };
  await makeJobDue(world.db, "hangs");
  start(runJob);
  const failed = sql<{ error: string }>("select error from job_runs where name = 'hangs' and ended_at is not null");
  await vi.waitFor(async () => {
    expect(await world.db.query(failed, [])).toEqual([{ error: "gave up after 0.2 seconds" }]);
  }, 10_000);
  await makeJobDue(world.db, "hangs");
  await makeJobDue(world.db, "works");
  await vi.waitFor(() => expect(started).toContain("works"), 10_000);
  await sleep(2_500);
  expect(started.filter((name) => name === "hangs")).toHaveLength(1);
}, 30_000);

test("the system reports a job that nobody runs, without a job of its own", async () => {
  await makeJobDue(world.db, "renew_due");
  const late = async () => (await getSystem(world.operator)).checks.find(({ name }) => name === "jobs")?.detail;
  await setNext("now() - interval '16 minutes'");
  expect(await late()).toBe("No jobs are queued or late, and none has failed");
  await world.db.query(sql("update processes set started_at = now() - interval '1 hour'"), []);
  expect(await late()).toBe("No process runs “Renew due” (last run: none), although due");
  await world.db.query(sql("update job_runs set process_id = $1"), [one.ownerId]);
  expect(await late()).toBe("No jobs are queued or late, and none has failed");
});
