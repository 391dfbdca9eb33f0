import { runMigrations } from "graphile-worker";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { findBulkJob } from "#lib/db/bulk/job.ts";
import { withQuery } from "#lib/db/connection/with-query.ts";
import type { Currency } from "#lib/domain/money.ts";
import type { LicenseProvider, ProviderOutcome } from "#lib/ports/license-provider.ts";
import { suspendLicense } from "#lib/services/license/suspend.ts";
import { setResellerSuspended } from "#lib/services/reseller/settings.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { cancelBulkJob } from "./cancel.ts";
import { runBulkJob, runBulkTurn, wakeDroppedBulkJobs } from "./run.ts";
import { startBulkJob } from "./start.ts";

const PRICE = 1450n;
const WINDOW_MS = 40_000;
let world: World;
let reseller: ResellerWorld;
/** Requests that the provider's minute still allows. */
let left: number;
let refuse: Refusal;

/** Where a request is refused that the minute does not allow. */
type Refusal = "before the hold" | "instead of a turn" | "by the provider";

const refused: ProviderOutcome = { kind: "not_sent", message: "The provider is rate limiting requests." };

beforeAll(async () => {
  world = await newWorld();
  await runMigrations({ connectionString: world.url });
});
beforeEach(async () => {
  left = 100;
  refuse = "before the hold";
  reseller = await world.reseller();
});
afterAll(() => world.close());

/** @param during runs while a request is refused that has its turn */
function limited(during = async () => {}) {
  let isTold = false;
  const provider: LicenseProvider = {
    ...world.provider,
    turns: {
      async take(_, run) {
        if (left > 0 || refuse !== "instead of a turn") return run();
        isTold = true;
        return null;
      },
      usedUpForMs: () => (left === 0 && (isTold || refuse === "before the hold") ? WINDOW_MS : 0),
    },
    async execute(request, maySend) {
      if (left > 0) {
        left -= 1;
        return world.provider.execute(request, maySend);
      }
      isTold = true;
      await during();
      return refused;
    },
  };
  return { ...world.operator, providers: new Map([[provider.name, provider]]) };
}

async function start(count: number, of = reseller, kind: "renew" | "set_notes" = "renew") {
  const items = await Promise.all(
    Array.from({ length: count }, async () => {
      const { licenseId } = await of.register();
      const { expiresAt } = await of.license(licenseId);
      return { licenseId, input: kind === "renew" ? { termEndsAt: expiresAt, price: String(PRICE) } : {} };
    }),
  );
  const parameters = kind === "renew" ? {} : { notes: "new" };
  const job = { kind, parameters, items, quotedTotal: PRICE * BigInt(count), currency: "USD" as Currency };
  return startBulkJob(world.context(actors.user(of.id)), of.id, job);
}

const run = (jobId: number, ctx = limited(), turnMs = 60_000) => runBulkJob(ctx, { jobId, turnMs });
const jobOf = async (jobId: number) => (await findBulkJob(world.db, reseller.id, jobId)) ?? expect.unreachable();
const states = async (jobId: number) =>
  (
    await world.db.query(
      sql<{ state: string }>("select state from bulk_job_items where job_id = $1 order by position"),
      [jobId],
    )
  ).map(({ state }) => state);

test.each<Refusal>(["before the hold", "instead of a turn", "by the provider"])(
  "items that a provider's minute does not allow wait for the next one, when refused %s",
  async (where) => {
    const jobId = await start(4);
    const before = await reseller.spendable();
    refuse = where;
    left = 2;
    const waitsUntil = new Date(world.now().getTime() + WINDOW_MS);
    expect(await run(jobId)).toMatchObject({ done: 2, ended: false });
    expect(await states(jobId)).toEqual(["succeeded", "succeeded", "queued", "queued"]);
    expect(await jobOf(jobId)).toMatchObject({ state: "running", waitsUntil, counts: { failed: 0 } });
    expect(await reseller.spendable()).toBe(before - 2n * PRICE);

    // No turn starts an item early, and a crash loses nothing.
    left = 100;
    await world.crash();
    world.advance(WINDOW_MS - 1);
    expect(await wakeDroppedBulkJobs(world.operator)).toBeGreaterThan(0);
    expect(await run(jobId)).toMatchObject({ done: 0, ended: false });
    world.advance(1);
    expect(await run(jobId, limited(), 0)).toMatchObject({ done: 1, ended: false });
    expect(await jobOf(jobId)).toMatchObject({ state: "running", waitsUntil: null });
    expect(await run(jobId)).toMatchObject({ done: 1, ended: true });
    expect(await jobOf(jobId)).toMatchObject({ state: "finished", counts: { succeeded: 4 } });
    expect(await reseller.spendable()).toBe(before - 4n * PRICE);
    expect(await reseller.difference()).toBeNull();
  },
);

test("a job that waits for a provider is woken right when its minute ends, and delays no other turn", async () => {
  const jobId = await start(1);
  left = 0;
  const { endedJobId } = await runBulkTurn(limited(), { resellerId: reseller.id });
  expect(endedJobId).toBeNull();
  const queued = await world.db.query(
    sql<{ key: string; run_at: Date }>("select key, run_at from graphile_worker.jobs where key like $1 order by key"),
    [`run_bulk_jobs:${reseller.id}%`],
  );
  expect(queued.map(({ key }) => key)).toEqual([
    `run_bulk_jobs:${reseller.id}`,
    `run_bulk_jobs:${reseller.id}:wait:${jobId}`,
  ]);
  expect(queued[0]?.run_at.getTime()).toBeLessThanOrEqual(world.now().getTime());
  expect(queued[1]?.run_at).toEqual((await jobOf(jobId)).waitsUntil);
});

test("the reseller's other jobs go on meanwhile", async () => {
  const waiting = await start(1);
  const other = await start(1, reseller, "set_notes");
  left = 0;
  expect(await runBulkTurn(limited(), { resellerId: reseller.id })).toEqual({ endedJobId: other });
  expect(await states(waiting)).toEqual(["queued"]);
});

test("they do not wait for the end of its minute, if it did a part of its items before", async () => {
  const waiting = await start(2);
  await start(1, reseller, "set_notes");
  await world.db.query(sql("delete from graphile_worker._private_jobs"), []);
  left = 1;
  await runBulkTurn(limited(), { resellerId: reseller.id });
  expect(await states(waiting)).toEqual(["succeeded", "queued"]);
  const due = "select payload from graphile_worker._private_jobs where key = $1 and run_at <= $2";
  const turns = await world.db.query(sql<{ payload: unknown }>(due), [`run_bulk_jobs:${reseller.id}`, world.now()]);
  expect(turns).toEqual([{ payload: { resellerId: reseller.id, after: waiting } }]);
});

test("a turn that is over queues the reseller's next one once", async () => {
  const jobId = await start(2, reseller, "set_notes");
  await start(1, reseller, "set_notes");
  const woken: unknown[] = [];
  const ctx = limited();
  const query: typeof ctx.db.query = (statement, values) => {
    if (/wake_bulk_job|yield_bulk_job/.test(statement.name ?? "")) woken.push(statement.name);
    return ctx.db.query(statement, values);
  };
  await runBulkTurn({ ...ctx, db: withQuery(ctx.db, query) }, { resellerId: reseller.id, turnMs: 0 });
  expect(await states(jobId)).toEqual(["succeeded", "queued"]);
  expect(woken).toEqual(["yield_bulk_job"]);
});

test("each job that waits is woken for itself, and does not say so while its reseller is suspended", async () => {
  const jobIds = [await start(1), await start(1)];
  left = 0;
  for (const jobId of jobIds) await run(jobId);
  const keys = await world.db.query(sql<{ key: string }>("select key from graphile_worker.jobs where key like $1"), [
    `run_bulk_jobs:${reseller.id}:wait:%`,
  ]);
  expect(keys).toHaveLength(2);
  await setResellerSuspended(world.operator, { resellerId: reseller.id, suspended: true, reason: "unpaid" });
  expect(await jobOf(Number(jobIds[0]))).toMatchObject({ paused: true, waitsUntil: null });
});

test("a job that waits can be canceled, and then starts nothing more", async () => {
  const jobId = await start(2);
  left = 1;
  await run(jobId);
  await cancelBulkJob(world.context(actors.user(reseller.id)), { jobId });
  expect(await jobOf(jobId)).toMatchObject({ waitsUntil: null });
  left = 100;
  expect(await run(jobId)).toMatchObject({ done: 0, ended: true });
  expect(await states(jobId)).toEqual(["succeeded", "skipped"]);
});

test("an item that has to wait while its job is canceled does not start any more", async () => {
  const jobId = await start(1);
  const before = await reseller.spendable();
  refuse = "by the provider";
  left = 0;
  const cancel = async () => void (await cancelBulkJob(world.context(actors.user(reseller.id)), { jobId }));
  await run(jobId, limited(cancel));
  left = 100;
  world.advance(WINDOW_MS);
  await run(jobId);
  expect(await states(jobId)).toEqual(["skipped"]);
  expect(await jobOf(jobId)).toMatchObject({ state: "finished" });
  expect(await reseller.spendable()).toBe(before);
});

test("a single change that the minute does not allow is refused with the time to wait, before anything is held", async () => {
  const { licenseId } = await reseller.register();
  const before = await reseller.operations();
  left = 0;
  const ctx = { ...reseller.context(), providers: limited().providers };
  const change = suspendLicense(ctx, { licenseId, reason: "" });
  await expect(change).rejects.toMatchObject({ code: "provider_busy", retryAfterSeconds: WINDOW_MS / 1_000 });
  expect(await reseller.operations()).toEqual(before);
});
