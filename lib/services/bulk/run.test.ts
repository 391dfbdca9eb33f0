import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { findBulkJob } from "#lib/db/bulk/job.ts";
import type { UserId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import type { Role } from "#lib/domain/roles.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { reconcileOperations } from "#lib/services/operation/reconcile.ts";
import { topUpWallet } from "#lib/services/wallet/top-up.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { clearRehearsed, codeOf, dyingAt, placeLicense, rehearsed, runningBefore } from "#tests/support/faults.ts";
import { createTestProcess } from "#tests/support/process.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { cancelBulkJob } from "./cancel.ts";
import { getBulkJob } from "./get.ts";
import { retryFailedBulkItems } from "./retry.ts";
import { runBulkJob, runBulkTurn } from "./run.ts";
import { type BulkStart, startBulkJob } from "./start.ts";

const PRICE = 1450n;
let world: World;
let reseller: ResellerWorld;

beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  await clearRehearsed(world);
  reseller = await world.reseller();
});
afterAll(() => world.close());

const person = (change = {}) => world.context(actors.user(reseller.id), change);

async function registerMany(count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let made = 0; made < count; made++) ids.push((await reseller.register()).licenseId);
  return ids;
}

async function start(
  kind: BulkStart["kind"],
  licenseIds: readonly number[],
  parameters: unknown = {},
  ctx: ServiceContext = person(),
) {
  const items = await Promise.all(
    licenseIds.map(async (licenseId) => {
      const { expiresAt } = await reseller.license(licenseId);
      return { licenseId, input: kind === "renew" ? { termEndsAt: expiresAt, price: String(PRICE) } : {} };
    }),
  );
  return startBulkJob(ctx, reseller.id, {
    kind,
    parameters,
    items,
    quotedTotal: PRICE * BigInt(items.length),
    currency: "USD" as Currency,
  });
}

async function newUser(kind: "admin" | "reseller", role: Role = "owner"): Promise<UserId> {
  const resellerId = kind === "admin" ? null : reseller.id;
  const data = { email: `${randomUUID()}@user.example`, name: "Robin Example", passwordHash: "", role, resellerId };
  return (await world.db.prisma.user.create({ data, select: { id: true } })).id as UserId;
}

const run = (jobId: number, ctx: ServiceContext = world.operator, turnMs = 60_000) =>
  runBulkJob(ctx, { jobId, turnMs });
const jobOf = async (jobId: number) => (await findBulkJob(world.db, reseller.id, jobId)) ?? expect.unreachable();
const items = (jobId: number) =>
  world.db.query(
    sql<{
      state: string;
      error_code: string | null;
      error_message: string | null;
      charged_amount: bigint;
      license_id: number;
    }>(
      "select state, error_code, error_message, charged_amount, license_id from bulk_job_items where job_id = $1 order by position",
    ),
    [jobId],
  );
const states = async (jobId: number) => (await items(jobId)).map(({ state }) => state);
const renewals = async () => (await reseller.operations()).filter(({ kind }) => kind === "license_renew");

test("every item runs once, as the user who started the job", async () => {
  const ids = await registerMany(3);
  const before = await reseller.spendable();
  const jobId = await start("renew", ids);
  expect(await run(jobId)).toMatchObject({ done: 3, ended: true });
  expect(await jobOf(jobId)).toMatchObject({ state: "finished", chargedTotal: 3n * PRICE, counts: { succeeded: 3 } });
  expect(await reseller.spendable()).toBe(before - 3n * PRICE);
  expect((await renewals()).map((operation) => (operation as never as { actor: string }).actor)).toEqual(
    Array(3).fill("user:1"),
  );
  expect(await run(jobId)).toBeNull();
});

test("a job started by an admin acting as the reseller runs as that admin", async () => {
  const [id] = await registerMany(1);
  const userId = await newUser("admin");
  const acting = person({ actor: { ...actors.user(reseller.id), userId, actingAdmin: true } });
  await run(await start("renew", [id as number], {}, acting));
  const [renewal] = await renewals();
  expect(renewal).toMatchObject({ actor: `user:${userId} as reseller:${reseller.id}` });
});

test("a job runs with the role that its user has now", async () => {
  const ids = await registerMany(2);
  const userId = await newUser("reseller", "manager");
  const jobId = await start("renew", ids, {}, person({ actor: { ...actors.user(reseller.id, "manager"), userId } }));
  await world.db.prisma.user.update({ where: { id: userId }, data: { role: "support" } });
  const before = await reseller.spendable();
  await run(jobId);
  expect(await items(jobId)).toMatchObject(ids.map(() => ({ state: "failed", error_code: "permission_denied" })));
  expect(await reseller.spendable()).toBe(before);
});

test("a job of a kind that only another version knows waits for it, and the reseller's others go on", async () => {
  const ids = await registerMany(2);
  const unknown = await start("renew", [ids[0] as number]);
  const known = await start("renew", [ids[1] as number]);
  await world.db.query(sql("update bulk_jobs set kind = 'of_another_version' where id = $1"), [unknown]);
  expect(await runBulkTurn(world.operator, { resellerId: reseller.id })).toEqual({ endedJobId: known });
  expect(await states(unknown)).toEqual(["queued"]);
  await world.db.query(sql("update bulk_jobs set kind = 'renew' where id = $1"), [unknown]);
  expect(await run(unknown)).toMatchObject({ ended: true });
  expect(await states(unknown)).toEqual(["succeeded"]);
});

test.each([
  ["a field", `input = input || '{"discount": "5"}'`],
  ["no price", `input = input - 'price'`],
])(
  "an item that another version stored with %s waits for one that can read it, and changes nothing",
  async (_, change) => {
    const ids = await registerMany(2);
    const before = await reseller.spendable();
    const jobId = await start("renew", ids);
    const stored = await world.db.query(
      sql<{ input: unknown }>("select input from bulk_job_items where job_id = $1 and position = 1"),
      [jobId],
    );
    await world.db.query(sql(`update bulk_job_items set ${change} where job_id = $1 and position = 1`), [jobId]);
    expect(await run(jobId)).toMatchObject({
      ended: false,
      unreadable: { message: expect.stringMatching("bulk item") },
    });
    await expect(runBulkTurn(world.operator, { resellerId: reseller.id })).rejects.toThrow("1 bulk jobs wait");
    expect(await reseller.spendable()).toBeGreaterThanOrEqual(before - PRICE);
    expect(await states(jobId)).toContain("running");
    await world.db.query(sql("update bulk_job_items set input = $2 where job_id = $1 and position = 1"), [
      jobId,
      stored[0]?.input,
    ]);
    await world.crash();
    expect(await run(jobId)).toMatchObject({ ended: true });
    expect(await states(jobId)).toEqual(["succeeded", "succeeded"]);
    expect(await reseller.spendable()).toBe(before - 2n * PRICE);
  },
);

describe.each([
  ["before an item starts", "begin_bulk_item", { nth: 2, before: true }],
  ["when an item starts", "begin_bulk_item", { nth: 2 }],
  ["after the hold", "hold_operations", { nth: 2 }],
  ["while the provider is called", "mark_operation_sent", { nth: 2 }],
  ["after the provider's answer", "settle_operations", { nth: 2, before: true }],
  ["after the charge", "settle_operations", { nth: 2 }],
  ["before the item's outcome is recorded", "end_bulk_item", { nth: 2, before: true }],
  ["between two items", "end_bulk_item", { nth: 2 }],
] as const)("a worker that dies %s", (_, statement, death) => {
  test("is replaced by another, and nothing is charged twice or skipped", async () => {
    const ids = await registerMany(3);
    const before = await reseller.spendable();
    const jobId = await start("renew", ids);
    await expect(run(jobId, dyingAt(world.operator, statement, death))).rejects.toThrow();
    expect(await run(jobId)).toBeNull();
    await world.crash();
    expect(await run(jobId)).toMatchObject({ ended: true });
    expect(await states(jobId)).toEqual(["succeeded", "succeeded", "succeeded"]);
    expect(await reseller.spendable()).toBe(before - 3n * PRICE);
    expect((await renewals()).filter(({ state }) => state !== "rejected")).toHaveLength(3);
    expect(await reseller.difference()).toBeNull();
  });
});

describe("a worker that lost its lease", () => {
  const another = () => ({ ...world.operator, leases: createTestProcess(world.db).leases });
  /** Stalls right before a statement while another worker takes the job over. */
  const stallingBefore = (statement: string, takeOver: (other: ServiceContext) => Promise<unknown>) => {
    const isStalled = { now: false };
    const stall = async () => {
      if (isStalled.now) return;
      isStalled.now = true;
      await world.process.fallAsleep();
      await takeOver(another()).catch(() => {});
    };
    return { ...world.operator, db: runningBefore(world.operator.db, statement, stall) };
  };

  test("can neither run the item again nor record its outcome", async () => {
    const [id] = await registerMany(1);
    const jobId = await start("renew", [id as number]);
    await run(
      jobId,
      stallingBefore("hold_operations", (other) => run(jobId, other)),
    ).catch(() => {});
    expect(await states(jobId)).toEqual(["succeeded"]);
    expect(await renewals()).toHaveLength(1);
  });

  test("cannot end an item that another is running", async () => {
    const [id] = await registerMany(1);
    const jobId = await start("renew", [id as number]);
    const takeOver = (other: ServiceContext) => run(jobId, dyingAt(other, "begin_bulk_item"));
    await run(jobId, stallingBefore("hold_operations", takeOver)).catch(() => {});
    expect(await states(jobId)).toEqual(["running"]);
  });

  test("starts no other item", async () => {
    const ids = await registerMany(2);
    const jobId = await start("renew", ids);
    const takeOver = (other: ServiceContext) => run(jobId, other, 0);
    await run(jobId, stallingBefore("begin_bulk_item", takeOver)).catch(() => {});
    expect(await states(jobId)).toEqual(["succeeded", "queued"]);
  });
});

test("two concurrent workers run each item once", async () => {
  const ids = await registerMany(4);
  const jobId = await start("renew", ids);
  const turns = await Promise.all([run(jobId), run(jobId), run(jobId)]);
  expect(turns.filter((turn) => turn !== null)).toMatchObject([{ done: 4, ended: true }]);
  expect(await renewals()).toHaveLength(4);
});

test("a job yields after its turn, and continues in the next", async () => {
  const ids = await registerMany(3);
  const jobId = await start("renew", ids);
  const turns = [];
  for (let i = 0; i < 4; i++) turns.push(await run(jobId, world.operator, 0));
  expect(turns).toMatchObject([...Array(3).fill({ done: 1, ended: false }), { done: 0, ended: true }]);
});

test("items beyond the balance fail with the reason, none partly, and free items continue", async () => {
  reseller = await world.reseller({ funds: "60" });
  const ids = await registerMany(2);
  const dear = await reseller.register({ type: "control_panel" });
  const jobId = await start("renew", [...ids, dear.licenseId]);
  await run(jobId);
  expect(await items(jobId)).toMatchObject([
    { state: "succeeded", charged_amount: PRICE },
    { state: "failed", error_code: "insufficient_balance", charged_amount: 0n },
    { state: "failed", error_code: "insufficient_balance", charged_amount: 0n },
  ]);
  expect(await reseller.difference()).toBeNull();
  const free = await start("suspend", ids, { reason: "overdue" });
  await run(free);
  expect(await states(free)).toEqual(["succeeded", "succeeded"]);
});

test("a retry runs the failed items, and charges no finished one again", async () => {
  reseller = await world.reseller({ funds: "45" });
  const ids = await registerMany(2);
  const jobId = await start("renew", ids);
  await run(jobId);
  expect(await states(jobId)).toEqual(["succeeded", "failed"]);
  await topUpWallet(world.operator, { resellerId: reseller.id, amount: "100", note: "" });
  await retryFailedBulkItems(person(), { jobId, agreedTotal: PRICE });
  expect(await codeOf(retryFailedBulkItems(person(), { jobId, agreedTotal: PRICE }))).toBe("state_invalid");
  await run(jobId);
  expect(await states(jobId)).toEqual(["succeeded", "succeeded"]);
  expect(await renewals()).toHaveLength(2);
  expect(await codeOf(retryFailedBulkItems(person(), { jobId, agreedTotal: 0n }))).toBe("state_invalid");
});

test("an item with an unknown outcome is pending, blocks no other, and ends with its operation", async () => {
  const [unknown, refused, other] = await registerMany(3);
  await placeLicense(world, unknown as number, rehearsed.losesAnswer);
  await placeLicense(world, refused as number, rehearsed.losesRequest);
  const jobId = await start("renew", [unknown, refused, other] as number[]);
  expect(await run(jobId)).toMatchObject({ done: 3, ended: true });
  expect(await states(jobId)).toEqual(["pending", "pending", "succeeded"]);
  await reconcileOperations(world.operator, { early: true });
  expect(await items(jobId)).toMatchObject([
    { state: "succeeded", charged_amount: PRICE },
    { state: "failed", error_code: "provider_rejected", charged_amount: 0n },
    { state: "succeeded" },
  ]);
});

test("an outcome that is learned before the item is recorded counts as if it were learned later", async () => {
  const [succeeded, rejected] = await registerMany(2);
  await placeLicense(world, succeeded as number, rehearsed.losesAnswer);
  await placeLicense(world, rejected as number, rehearsed.losesRequest);
  const jobId = await start("renew", [succeeded, rejected] as number[]);
  const ask = () => reconcileOperations(world.operator, { early: true });
  await run(jobId, { ...world.operator, db: runningBefore(world.operator.db, "end_bulk_item", ask) });
  expect(await items(jobId)).toMatchObject([
    { state: "succeeded", charged_amount: PRICE },
    { state: "failed", error_code: "provider_rejected", error_message: "The provider never received the request." },
  ]);
});

test("canceling skips items that have not started, and keeps those done", async () => {
  const ids = await registerMany(3);
  const jobId = await start("renew", ids);
  await run(jobId, world.operator, 0);
  await cancelBulkJob(person(), { jobId });
  expect(await run(jobId)).toMatchObject({ done: 0, ended: true });
  expect(await items(jobId)).toMatchObject([
    { state: "succeeded" },
    { state: "skipped", error_code: "canceled" },
    { state: "skipped", error_code: "canceled" },
  ]);
  expect(await codeOf(cancelBulkJob(person(), { jobId }))).toBe("state_invalid");
});

test("a job of a disabled user stops", async () => {
  const ids = await registerMany(2);
  const userId = await newUser("reseller");
  const jobId = await start("renew", ids);
  await world.db.query(sql("update bulk_jobs set user_id = $2 where id = $1"), [jobId, userId]);
  await run(jobId, world.operator, 0);
  await world.db.prisma.user.update({ where: { id: userId }, data: { disabledAt: new Date() } });
  await run(jobId);
  expect(await states(jobId)).toEqual(["succeeded", "skipped"]);
  const stopped = { subject: `bulk_job:${jobId}`, action: "bulk.cancel" };
  expect(await world.db.prisma.auditEntry.findMany({ where: stopped })).toMatchObject([
    { actor: "system:test", reason: "The user who started it is disabled." },
  ]);
});

test("another reseller's job is not found, and its licenses cannot be selected", async () => {
  const stranger = await world.reseller();
  const { licenseId } = await stranger.register();
  const jobId = await start("renew", await registerMany(1));
  const theirs = world.context(actors.user(stranger.id));
  expect(await codeOf(getBulkJob(theirs, { jobId }))).toBe("not_found");
  expect(await codeOf(cancelBulkJob(theirs, { jobId }))).toBe("not_found");
  expect(await codeOf(retryFailedBulkItems(theirs, { jobId, agreedTotal: 0n }))).toBe("not_found");
  const foreign = await startBulkJob(person(), reseller.id, {
    kind: "set_notes",
    parameters: { notes: "mine now" },
    items: [{ licenseId }],
    quotedTotal: 0n,
    currency: "USD" as Currency,
  });
  await run(foreign);
  expect(await items(foreign)).toMatchObject([{ state: "failed", error_code: "license_not_found" }]);
  expect((await stranger.license(licenseId)).notes).toBe("");
});
