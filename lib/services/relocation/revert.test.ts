import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { LicenseProvider, ProviderOutcome } from "#lib/ports/license-provider.ts";
import { cancelBulkJob } from "#lib/services/bulk/cancel.ts";
import { getBulkJob } from "#lib/services/bulk/get.ts";
import { retryFailedBulkItems } from "#lib/services/bulk/retry.ts";
import { runBulkJob, runBulkTurn, wakeDroppedBulkJobs } from "#lib/services/bulk/run.ts";
import { startBulkJob } from "#lib/services/bulk/start.ts";
import { stopBulkReverts } from "#lib/services/bulk/stop-reverts.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { reconcileOperations } from "#lib/services/operation/reconcile.ts";
import { endFalseWaits } from "#lib/services/system/end-false-waits.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { codeOf, dyingAt, runningBefore } from "#tests/support/faults.ts";
import { createTestProcess } from "#tests/support/process.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { buyBundle, fillServer, occupy } from "#tests/support/server.ts";
import { START } from "#tests/support/start.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { startRelocation } from "./start.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
let world: World;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  world.setClock(START);
  reseller = await world.reseller();
});
afterAll(() => world.close());

const person = () => world.context(actors.user(reseller.id));
const job = (jobId: number) => getBulkJob(person(), { jobId });
const run = (jobId: number, ctx = world.operator) => runBulkJob(ctx, { jobId, turnMs: 60_000 });
/** While the provider does not carry out anything. */
const answering = (outcome: ProviderOutcome) => {
  const provider = { ...world.provider, execute: async () => outcome };
  return { ...world.operator, providers: new Map([[provider.name, provider]]) };
};
const away = () => answering({ kind: "not_sent", message: "It cannot be reached." });
const items = (jobId: number) =>
  world.db.query(
    sql<{ state: string; error_message: string | null }>(
      "select state, error_message from bulk_job_items where job_id = $1 order by position",
    ),
    [jobId],
  );
const states = async (jobId: number) => (await items(jobId)).map(({ state }) => state);
const addresses = (ids: readonly number[]) =>
  Promise.all(ids.map(async (id) => (await reseller.license(id)).ipAddress));
const moves = async () => (await reseller.operations()).filter(({ kind }) => kind.endsWith("change_ip"));

/** A relocation of two licenses that have moved, and a third that has not: the two have to be reverted. */
async function startReverting() {
  const { from, ids } = await fillServer(world, reseller);
  const to = world.freshIp();
  const jobId = await startRelocation(person(), { from, to });
  await occupy(world, to, "malware_scanner");
  for (let turn = 1; turn <= 3; turn++) await runBulkJob(world.operator, { jobId, turnMs: 0 });
  expect(await states(jobId)).toEqual(["succeeded", "succeeded", "failed"]);
  return { from, to, ids, jobId };
}

describe("a revert that cannot be made because the provider is away", () => {
  test("is made once the provider is back, also by another process, and its tries leave nothing in the history", async () => {
    const { from, to, ids, jobId } = await startReverting();
    expect(await run(jobId, away())).toEqual({ done: 0, ended: false, waits: true, unreadable: null });
    expect(await items(jobId)).toMatchObject([
      { state: "succeeded", error_message: "Not reverted yet: The provider cannot be reached." },
      { state: "succeeded", error_message: "Not reverted yet: The provider cannot be reached." },
      { state: "failed" },
    ]);
    expect(await addresses(ids)).toEqual([to, to, from]);
    // Not before its time.
    expect(await run(jobId)).toMatchObject({ done: 0, ended: false });
    await world.crash();
    world.advance(MINUTE_MS);
    expect(await wakeDroppedBulkJobs(world.operator)).toBeGreaterThan(0);
    expect(await run(jobId)).toMatchObject({ done: 2, ended: true });
    expect(await states(jobId)).toEqual(["undone", "undone", "failed"]);
    expect((await items(jobId))[0]?.error_message).toBeNull();
    expect(await addresses(ids)).toEqual([from, from, from]);
    expect((await moves()).map(({ state }) => state)).toEqual(Array(4).fill("succeeded"));
    expect(await reseller.difference()).toBeNull();
  });

  test("leaves nothing in the history of a bundle either", async () => {
    const from = world.freshIp();
    const bundle = await buyBundle(world, reseller, from);
    const to = world.freshIp();
    await reseller.register({ type: "malware_scanner", ip: from });
    const jobId = await startRelocation(person(), { from, to });
    await occupy(world, to, "malware_scanner");
    for (let turn = 1; turn <= 2; turn++) await runBulkJob(world.operator, { jobId, turnMs: 0 });
    await run(jobId, away());
    expect(await states(jobId)).toEqual(["succeeded", "failed"]);
    expect(await moves()).toMatchObject([{ state: "succeeded", bundle_instance_id: bundle.id }]);
    world.advance(MINUTE_MS);
    expect(await run(jobId)).toMatchObject({ done: 1, ended: true });
    expect(await moves()).toHaveLength(2);
  });

  test("in the middle of a bundle, whose first part is moved and moved again, is made later", async () => {
    const from = world.freshIp();
    await buyBundle(world, reseller, from);
    const to = world.freshIp();
    await reseller.register({ type: "malware_scanner", ip: from });
    const jobId = await startRelocation(person(), { from, to });
    await occupy(world, to, "malware_scanner");
    for (let turn = 1; turn <= 2; turn++) await runBulkJob(world.operator, { jobId, turnMs: 0 });
    let requests = 0;
    const provider: LicenseProvider = {
      ...world.provider,
      async execute(...request) {
        world.advance(1_000);
        const isRefused = ++requests === 2;
        return isRefused ? { kind: "not_sent", message: "Too many requests." } : world.provider.execute(...request);
      },
    };
    await run(jobId, { ...world.operator, providers: new Map([[provider.name, provider]]) });
    const reason = "Not reverted yet: The provider carried out only a part of it, which was reverted.";
    expect((await items(jobId))[0]).toEqual({ state: "succeeded", error_message: reason });
    world.advance(MINUTE_MS);
    await run(jobId, away());
    world.advance(MINUTE_MS);
    expect(await run(jobId)).toMatchObject({ done: 1, ended: true });
    expect((await moves()).map(({ state }) => state)).toEqual(["succeeded", "rejected", "succeeded"]);
    expect(await reseller.difference()).toBeNull();
  });

  test("is tried with growing pauses for a day, then fails with the reason, and frees the addresses", async () => {
    const { from, to, ids, jobId } = await startReverting();
    const { startedAt } = await job(jobId);
    await run(jobId, away());
    expect(await job(jobId)).toMatchObject({
      state: "undoing",
      postponedReverts: 2,
      postponedReason: "Not reverted yet: The provider cannot be reached.",
      nextRevertAt: new Date(world.now().getTime() + MINUTE_MS),
      lastRevertAt: new Date(world.now().getTime() + 24 * HOUR_MS),
    });
    const pauses: number[] = [];
    for (let next = (await job(jobId)).nextRevertAt; next !== null; next = (await job(jobId)).nextRevertAt) {
      pauses.push((next.getTime() - world.now().getTime()) / MINUTE_MS);
      world.setClock(next);
      await run(jobId, away());
    }
    expect(pauses.slice(0, 8)).toEqual([1, 1, 2, 4, 8, 16, 32, 60]);
    expect(Math.max(...pauses)).toBe(60);
    expect(world.now().getTime() - (startedAt?.getTime() ?? 0)).toBe(24 * HOUR_MS);
    const failed = { state: "failed", error_message: "Not reverted within a day: The provider cannot be reached." };
    expect(await items(jobId)).toMatchObject([failed, failed, { state: "failed" }]);
    expect(await job(jobId)).toMatchObject({ state: "finished", postponedReverts: 0, notReverted: 2 });
    expect(await addresses(ids)).toEqual([to, to, from]);
    expect(await moves()).toHaveLength(2);
    await startRelocation(person(), { from: to, to: from });
  });

  test.each([
    ["it has said so before", { turns: { take: async () => null, usedUpForMs: () => MINUTE_MS } }],
    ["it says so", { execute: async () => ({ kind: "not_sent", message: "Busy.", retryAfterMs: MINUTE_MS }) as const }],
  ])("is made later where the provider accepts no more requests: %s", async (_, change: Partial<LicenseProvider>) => {
    const { from, ids, jobId } = await startReverting();
    const busy: LicenseProvider = { ...world.provider, ...change };
    await run(jobId, { ...world.operator, providers: new Map([[busy.name, busy]]) });
    const postponedReason = "Not reverted yet: The provider accepts no more requests at the moment.";
    expect(await job(jobId)).toMatchObject({ state: "undoing", postponedReverts: 2, postponedReason });
    world.advance(MINUTE_MS);
    expect(await run(jobId)).toMatchObject({ ended: true });
    expect(await addresses(ids)).toEqual([from, from, from]);
    expect(await moves()).toHaveLength(4);
  });

  test("is not postponed by a worker that lost its lease to another, which is making it", async () => {
    const { jobId } = await startReverting();
    let isStalled = false;
    const stall = async () => {
      if (isStalled) return;
      isStalled = true;
      await world.process.fallAsleep();
      const other = { ...world.operator, leases: createTestProcess(world.db).leases };
      await run(jobId, dyingAt(other, "begin_bulk_item")).catch(() => {});
    };
    const ctx = away();
    await run(jobId, { ...ctx, db: runningBefore(ctx.db, "postpone_bulk_item", stall) }).catch(() => {});
    expect(await states(jobId)).toEqual(["succeeded", "running", "failed"]);
  });

  test("does not hold up the reseller's other jobs", async () => {
    const { jobId } = await startReverting();
    await run(jobId, away());
    world.advance(MINUTE_MS);
    const { licenseId } = await reseller.register();
    const other = await startBulkJob(person(), reseller.id, {
      kind: "set_notes",
      parameters: { notes: "moved" },
      items: [{ licenseId }],
      quotedTotal: 0n,
      currency: (await job(jobId)).currency,
    });
    expect(await runBulkTurn(away(), { resellerId: reseller.id })).toEqual({ endedJobId: other });
    expect(await job(jobId)).toMatchObject({ state: "undoing", postponedReverts: 2 });
  });

  test("is tried again after a clock that was ahead", async () => {
    const { jobId } = await startReverting();
    world.advance(1_000 * HOUR_MS);
    await run(jobId, away());
    world.setClock(START);
    await endFalseWaits(world.operator);
    expect(await job(jobId)).toMatchObject({ nextRevertAt: START });
    expect(await run(jobId)).toMatchObject({ done: 2, ended: true });
    expect(await states(jobId)).toEqual(["undone", "undone", "failed"]);
  });
});

test("a revert waits for an open change of its license, while others are made", async () => {
  const { from, ids, jobId } = await startReverting();
  const unknown = answering({ kind: "unknown", message: "" });
  await renewLicense({ ...reseller.context(), providers: unknown.providers }, { licenseId: ids[1] ?? 0 });
  expect(await run(jobId)).toMatchObject({ done: 1, ended: false });
  expect(await states(jobId)).toEqual(["undone", "succeeded", "failed"]);
  await reconcileOperations(world.operator, { early: true });
  world.advance(MINUTE_MS);
  expect(await run(jobId)).toMatchObject({ done: 1, ended: true });
  expect(await addresses(ids)).toEqual([from, from, from]);
});

test.each(["before", "after"])(
  "a revert found lost %s it is recorded is tried again, and ends when the provider rejects it",
  async (when) => {
    const { to, ids, jobId } = await startReverting();
    const lost = answering({ kind: "unknown", message: "" });
    const ask = () => reconcileOperations(world.operator, { early: true });
    await run(jobId, when === "after" ? lost : { ...lost, db: runningBefore(lost.db, "end_bulk_item", ask) });
    if (when === "after") expect(await states(jobId)).toEqual(["pending", "pending", "failed"]);
    await ask();
    expect((await items(jobId))[1]).toEqual({
      state: "succeeded",
      error_message: "Not reverted yet: The provider never received the request.",
    });
    world.advance(MINUTE_MS);
    expect(await run(jobId, answering({ kind: "rejected", message: "No." }))).toMatchObject({ done: 2, ended: true });
    const failed = { state: "failed", error_message: "Not reverted: No." };
    expect(await items(jobId)).toMatchObject([failed, failed, { state: "failed" }]);
    expect(await job(jobId)).toMatchObject({ state: "finished", notReverted: 2 });
    expect((await addresses(ids)).slice(0, 2)).toEqual([to, to]);
    await expect(retryFailedBulkItems(person(), { jobId, agreedTotal: 0n })).rejects.toThrow("all or nothing");
  },
);

test("a job that was stopped while a change was open, which is then rejected, is wholly reverted", async () => {
  const { from, ids } = await fillServer(world, reseller);
  const jobId = await startRelocation(person(), { from, to: world.freshIp() });
  await runBulkJob(world.operator, { jobId, turnMs: 0 });
  await runBulkJob(answering({ kind: "unknown", message: "" }), { jobId, turnMs: 0 });
  await cancelBulkJob(person(), { jobId });
  await reconcileOperations(world.operator, { early: true });
  expect(await run(jobId)).toMatchObject({ ended: true });
  expect(await states(jobId)).toEqual(["undone", "failed", "skipped"]);
  expect(await job(jobId)).toMatchObject({ state: "finished", notReverted: 0 });
  expect(await addresses(ids)).toEqual([from, from, from]);
});

describe("a user who stops the tries", () => {
  test("leaves the licenses at the new address, and the job ends", async () => {
    const { to, ids, jobId } = await startReverting();
    await run(jobId, away());
    expect(await stopBulkReverts(person(), { jobId })).toMatchObject({ state: "undoing", postponedReverts: 0 });
    expect(await run(jobId)).toMatchObject({ done: 0, ended: true });
    const failed = { state: "failed", error_message: "Not reverted: a user stopped the tries." };
    expect(await items(jobId)).toMatchObject([failed, failed, { state: "failed" }]);
    expect(await job(jobId)).toMatchObject({ state: "finished", notReverted: 2 });
    expect((await addresses(ids)).slice(0, 2)).toEqual([to, to]);
    const stopped = { subject: `bulk_job:${jobId}`, action: "bulk.stop_reverts" };
    expect(await world.db.prisma.auditEntry.findMany({ where: stopped })).toMatchObject([{ data: { items: 2 } }]);
    expect(await codeOf(stopBulkReverts(person(), { jobId }))).toBe("state_invalid");
  });

  test("while one is tried ends that one with its outcome", async () => {
    const { from, to, ids, jobId } = await startReverting();
    await run(jobId, away());
    world.advance(MINUTE_MS);
    const stopping = away();
    const provider = {
      ...world.provider,
      execute: async () => {
        await stopBulkReverts(person(), { jobId });
        return { kind: "not_sent", message: "It cannot be reached." } as const;
      },
    };
    await run(jobId, { ...stopping, providers: new Map([[provider.name, provider]]) });
    expect(await items(jobId)).toMatchObject([
      { state: "failed", error_message: "Not reverted: a user stopped the tries." },
      { state: "failed", error_message: "Not reverted: The provider cannot be reached." },
      { state: "failed" },
    ]);
    expect(await job(jobId)).toMatchObject({ state: "finished" });
    expect(await addresses(ids)).toEqual([to, to, from]);
  });

  test("finds nothing to stop in a job whose reverts are made at once", async () => {
    const { jobId } = await startReverting();
    expect(await codeOf(stopBulkReverts(person(), { jobId }))).toBe("state_invalid");
    await run(jobId);
    expect(await states(jobId)).toEqual(["undone", "undone", "failed"]);
  });
});

describe("a revert whose outcome is unknown", () => {
  /** Carries out the first revert, whose answer is lost; others are made. Nothing can be asked. */
  const losingOne = () => {
    let answers = 0;
    const provider: LicenseProvider = {
      ...world.provider,
      async execute(...request) {
        const outcome = await world.provider.execute(...request);
        return ++answers === 1 ? { kind: "unknown", message: "" } : outcome;
      },
      lookUp: async () => ({ kind: "unreachable", message: "" }),
    };
    return { ...world.operator, providers: new Map([[provider.name, provider]]) };
  };
  const waiting = async () => {
    const started = await startReverting();
    const silent = losingOne();
    expect(await run(started.jobId, silent)).toEqual({ done: 2, ended: false, waits: true, unreadable: null });
    return { ...started, silent };
  };
  const stop = (jobId: number) => stopBulkReverts(person(), { jobId });
  const stopped = { state: "pending", error_message: "A user stopped waiting for its outcome." };

  test("holds up only itself, and its job says since when it waits", async () => {
    const { jobId, from, to, ids, silent } = await waiting();
    expect(await states(jobId)).toEqual(["undone", "pending", "failed"]);
    expect(await job(jobId)).toMatchObject({ state: "undoing", awaited: 1, awaitedSince: START, postponedReverts: 0 });
    await reconcileOperations(silent, { early: true });
    world.advance(48 * HOUR_MS);
    expect(await run(jobId)).toMatchObject({ done: 0, ended: false });
    expect(await addresses(ids)).toEqual([from, to, from]);
    await reconcileOperations(world.operator, { early: true });
    expect(await run(jobId)).toMatchObject({ ended: true });
    expect(await states(jobId)).toEqual(["undone", "undone", "failed"]);
    expect(await job(jobId)).toMatchObject({ state: "finished", awaited: 0, awaitedSince: null });
  });

  test("is no longer waited for once a user stops that; its outcome is still recorded", async () => {
    const { jobId, from, to, ids, silent } = await waiting();
    expect(await stop(jobId)).toMatchObject({ state: "undoing", awaited: 0 });
    expect(await items(jobId)).toMatchObject([{ state: "undone" }, stopped, { state: "failed" }]);
    expect(await codeOf(stop(jobId))).toBe("state_invalid");
    expect(await run(jobId)).toMatchObject({ done: 0, ended: true });
    expect(await job(jobId)).toMatchObject({ state: "finished", notReverted: 0, counts: { pending: 1 } });
    // It may have either address, and is not changed meanwhile.
    for (const address of [from, to]) {
      const other = await world.reseller();
      expect(await codeOf(other.register({ type: "web_server", ip: address }))).toBe("registration_address_taken");
    }
    expect(await codeOf(renewLicense(reseller.context(), { licenseId: ids[1] ?? 0 }))).toBe("operation_in_progress");
    await startRelocation(person(), { from, to: world.freshIp() });
    await reconcileOperations(silent, { early: true });
    expect(await states(jobId)).toEqual(["undone", "pending", "failed"]);
    await reconcileOperations(world.operator, { early: true });
    expect(await items(jobId)).toMatchObject([{ state: "undone" }, { state: "undone", error_message: null }, {}]);
    expect(await addresses(ids)).toEqual([from, from, from]);
    expect(await reseller.difference()).toBeNull();
  });

  test("that the provider never received is not made after a user stopped waiting for it, whether the job has ended or not", async () => {
    for (const endsBefore of [true, false]) {
      const { jobId, to, ids } = await startReverting();
      await run(jobId, answering({ kind: "unknown", message: "" }));
      await stop(jobId);
      // A clock that is behind ours settles it.
      world.advance(-HOUR_MS);
      if (endsBefore) expect(await run(jobId)).toMatchObject({ ended: true });
      await reconcileOperations(world.operator, { early: true });
      if (!endsBefore) expect(await run(jobId)).toMatchObject({ ended: true });
      const failed = { state: "failed", error_message: "Not reverted: The provider never received the request." };
      expect(await items(jobId)).toMatchObject([failed, failed, { state: "failed" }]);
      expect(await job(jobId)).toMatchObject({ state: "finished", notReverted: 2 });
      expect((await addresses(ids)).slice(0, 2)).toEqual([to, to]);
    }
  });
});

describe("a move whose outcome is unknown", () => {
  const waiting = async (outcome: ProviderOutcome["kind"]) => {
    const { from, ids } = await fillServer(world, reseller);
    const to = world.freshIp();
    const jobId = await startRelocation(person(), { from, to });
    await runBulkJob(world.operator, { jobId, turnMs: 0 });
    const provider: LicenseProvider = {
      ...world.provider,
      async execute(...request) {
        if (outcome === "succeeded") await world.provider.execute(...request);
        return { kind: "unknown", message: "" };
      },
    };
    const lost = { ...world.operator, providers: new Map([[provider.name, provider]]) };
    await runBulkJob(lost, { jobId, turnMs: 0 });
    expect(await states(jobId)).toEqual(["succeeded", "pending", "queued"]);
    expect(await codeOf(stopBulkReverts(person(), { jobId }))).toBe("state_invalid");
    await cancelBulkJob(person(), { jobId });
    expect(await run(jobId)).toMatchObject({ done: 0, ended: false });
    expect(await stopBulkReverts(person(), { jobId })).toMatchObject({ state: "running", awaited: 0 });
    return { from, to, ids, jobId };
  };

  test("does not keep a stopped job from reverting the others, and is not reverted if it was made", async () => {
    const { from, to, ids, jobId } = await waiting("succeeded");
    expect(await run(jobId)).toMatchObject({ done: 1, ended: true });
    expect(await states(jobId)).toEqual(["undone", "pending", "skipped"]);
    await reconcileOperations(world.operator, { early: true });
    const why = "Not reverted: a user stopped waiting for its outcome.";
    expect((await items(jobId))[1]).toEqual({ state: "failed", error_message: why });
    expect(await job(jobId)).toMatchObject({ state: "finished", notReverted: 1 });
    expect(await addresses(ids)).toEqual([from, to, from]);
    expect(await reseller.difference()).toBeNull();
  });

  test("leaves a stopped job wholly reverted if it was not made", async () => {
    const { from, ids, jobId } = await waiting("rejected");
    await reconcileOperations(world.operator, { early: true });
    expect(await run(jobId)).toMatchObject({ done: 1, ended: true });
    expect(await states(jobId)).toEqual(["undone", "failed", "skipped"]);
    expect(await job(jobId)).toMatchObject({ state: "finished", notReverted: 0 });
    expect(await addresses(ids)).toEqual([from, from, from]);
  });
});
