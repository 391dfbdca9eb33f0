import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { cancelBulkJob } from "#lib/services/bulk/cancel.ts";
import { getBulkJob } from "#lib/services/bulk/get.ts";
import { runBulkJob } from "#lib/services/bulk/run.ts";
import { changeBundleIp } from "#lib/services/bundle/change-ip.ts";
import { getBundleInstance } from "#lib/services/bundle/get.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { changeLicenseIp } from "#lib/services/license/change-ip.ts";
import { reconcileOperations } from "#lib/services/operation/reconcile.ts";
import { versionOf } from "#lib/services/operation/seen-version.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { formKey } from "#tests/support/claims.ts";
import { clearRehearsed, codeOf, dyingAt, ip, placeLicense, rehearsed } from "#tests/support/faults.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { buyBundle, fillServer, occupy } from "#tests/support/server.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { planRelocation } from "./plan.ts";
import { listPlannedLicenses, startRelocation } from "./start.ts";

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
const run = (jobId: number, ctx: ServiceContext = world.operator) => runBulkJob(ctx, { jobId, turnMs: 60_000 });
const job = (jobId: number) => getBulkJob(person(), { jobId });
const reconcile = () => reconcileOperations(world.operator, { early: true });

const furnish = (options: Parameters<typeof fillServer>[2] = {}) => fillServer(world, reseller, options);
const buy = (address: string) => buyBundle(world, reseller, address);

const addresses = (ids: readonly number[]) =>
  Promise.all(ids.map(async (id) => (await reseller.license(id)).ipAddress));
const booked = async (ids: readonly number[]) => {
  const books = await world.books();
  const keys = await Promise.all(ids.map(async (id) => (await reseller.license(id)).key));
  return keys.map((key) => books.find(({ reference }) => reference === key)?.ipAddress);
};
const items = (jobId: number) =>
  world.db.query(
    sql<{ state: string; error_code: string | null; error_message: string | null; ended_at: Date | null }>(
      "select state, error_code, error_message, ended_at from bulk_job_items where job_id = $1 order by position",
    ),
    [jobId],
  );
const states = async (jobId: number) => (await items(jobId)).map(({ state }) => state);
const moves = async () => (await reseller.operations()).filter(({ kind }) => kind.endsWith("change_ip"));

describe("a relocation", () => {
  test("frees its own addresses when it ends, not those of one that still runs", async () => {
    const [one, other] = [await furnish(), await furnish()];
    const jobId = await startRelocation(person(), { from: one.from, to: world.freshIp() });
    await startRelocation(person(), { from: other.from, to: world.freshIp() });
    expect(await run(jobId)).toMatchObject({ ended: true });
    const again = startRelocation(person(), { from: other.from, to: world.freshIp() });
    await expect(again).rejects.toThrow("Another relocation");
  });

  test("moves licenses and whole bundles, here and at the provider, with events, free of charge", async () => {
    const { from, ids } = await furnish({ types: ["hardened_kernel", "malware_scanner"] });
    const bundle = await buy(from);
    const all = [...ids, ...bundle.members.map(({ id }) => id)];
    const to = world.freshIp();
    const money = await reseller.wallet();
    const jobId = await startRelocation(person(), { from, to });
    expect(await run(jobId)).toMatchObject({ done: 3, ended: true });
    expect(await states(jobId)).toEqual(["succeeded", "succeeded", "succeeded"]);
    expect(new Set([...(await addresses(all)), ...(await booked(all))])).toEqual(new Set([to]));
    expect((await getBundleInstance(reseller.context(), { bundleInstanceId: bundle.id })).ipAddress).toBe(to);
    const told = (await reseller.eventKinds()).filter((kind) => kind.endsWith("ip_changed"));
    expect(told.toSorted()).toEqual(["bundle.ip_changed", ...all.map(() => "license.ip_changed")]);
    expect(await reseller.wallet()).toMatchObject({ posted: money.posted, held: money.held });
    expect(await reseller.difference()).toBeNull();
  });

  test("skips units with obstacles, and lists them in the results", async () => {
    const { from, ids } = await furnish();
    await world.db.query(
      sql("update licenses set anchored_at = '2026-01-01', expires_at = '2026-02-01' where id = $1"),
      [ids[0]],
    );
    const to = world.freshIp();
    const jobId = await startRelocation(person(), { from, to });
    await run(jobId);
    expect(await addresses(ids)).toEqual([from, to, to]);
    expect((await items(jobId))[0]).toMatchObject({ state: "skipped", error_code: "expired" });
  });

  test("whose address was taken after the dry run is undone, here and at the provider", async () => {
    const { from, ids } = await furnish();
    const to = world.freshIp();
    const jobId = await startRelocation(person(), { from, to });
    await occupy(world, to, "malware_scanner");
    await run(jobId);
    expect(await job(jobId)).toMatchObject({ state: "finished", counts: { undone: 2, failed: 1 } });
    expect((await items(jobId))[2]).toMatchObject({ state: "failed", error_code: "ip_change_address_taken" });
    expect([...(await addresses(ids)), ...(await booked(ids))]).toEqual(Array(6).fill(from));
  });

  test("that the provider rejects in part is undone, bundles as a whole; units not started are skipped", async () => {
    const { from, ids } = await furnish({ types: ["hardened_kernel"] });
    const bundle = await buy(from);
    const last = await reseller.register({ type: "malware_scanner", ip: from });
    const all = [...ids, ...bundle.members.map(({ id }) => id), last.licenseId];
    const money = await reseller.spendable();
    const jobId = await startRelocation(person(), { from, to: ip(rehearsed.rejectsLastMember) });
    await run(jobId);
    expect(await states(jobId)).toEqual(["undone", "failed", "skipped"]);
    expect((await items(jobId))[2]).toMatchObject({ error_code: "not_started", ended_at: world.now() });
    expect(new Set([...(await addresses(all)), ...(await booked(all))])).toEqual(new Set([from]));
    expect(await reseller.spendable()).toBe(money);
  });

  test("waits for an unknown outcome before it continues", async () => {
    const { from, ids } = await furnish({ types: ["control_panel", "malware_scanner"] });
    const to = ip(rehearsed.losesAnswer);
    const jobId = await startRelocation(person(), { from, to });
    expect(await run(jobId)).toMatchObject({ done: 1, ended: false });
    expect(await states(jobId)).toEqual(["pending", "queued"]);
    expect(await run(jobId)).toMatchObject({ done: 0, ended: false });
    await reconcile();
    expect(await run(jobId)).toMatchObject({ done: 1, ended: false });
    expect(await states(jobId)).toEqual(["succeeded", "pending"]);
    await reconcile();
    expect(await run(jobId)).toMatchObject({ ended: true });
    expect([...(await addresses(ids)), ...(await booked(ids))]).toEqual(Array(4).fill(to));
  });

  test("waits for an unknown outcome before and while it undoes", async () => {
    const { from, ids } = await furnish({ address: rehearsed.losesRequest, types: [] });
    for (const type of ["control_panel", "malware_scanner"]) {
      const { licenseId } = await reseller.register({ type });
      await placeLicense(world, licenseId, from);
      ids.push(licenseId);
    }
    const to = ip(rehearsed.losesAnswer);
    const jobId = await startRelocation(person(), { from, to });
    await run(jobId);
    await occupy(world, to, "malware_scanner");
    await reconcile();
    await run(jobId);
    // The second failed; the first is being undone, and the provider does not answer.
    expect(await states(jobId)).toEqual(["pending", "failed"]);
    expect(await job(jobId)).toMatchObject({ state: "undoing" });
    await reconcile();
    await run(jobId);
    // The provider never received the undo, which is tried again.
    expect(await items(jobId)).toMatchObject([
      { state: "succeeded", error_message: "Not reverted yet: The provider never received the request." },
      { state: "failed", error_code: "ip_change_address_taken" },
    ]);
    expect(await addresses(ids)).toEqual([to, from]);
    await placeLicense(world, ids[0] ?? 0, from);
    world.advance(60_000);
    await run(jobId);
    expect(await states(jobId)).toEqual(["skipped", "failed"]);
    expect(await job(jobId)).toMatchObject({ state: "finished" });
  });

  test("is undone when canceled", async () => {
    const { from, ids } = await furnish();
    const jobId = await startRelocation(person(), { from, to: world.freshIp() });
    await runBulkJob(world.operator, { jobId, turnMs: 0 });
    await cancelBulkJob(person(), { jobId });
    await run(jobId);
    expect(await states(jobId)).toEqual(["undone", "skipped", "skipped"]);
    expect(await addresses(ids)).toEqual([from, from, from]);
  });

  test("is undone also for what has expired meanwhile", async () => {
    const { from, ids } = await furnish();
    const to = world.freshIp();
    const jobId = await startRelocation(person(), { from, to });
    await occupy(world, to, "malware_scanner");
    for (let turn = 1; turn <= 3; turn++) await runBulkJob(world.operator, { jobId, turnMs: 0 });
    await world.db.query(
      sql("update licenses set anchored_at = '2026-01-01', expires_at = '2026-02-01' where id = $1"),
      [ids[0]],
    );
    expect(await run(jobId)).toMatchObject({ done: 2, ended: true });
    expect(await states(jobId)).toEqual(["undone", "undone", "failed"]);
    expect([...(await addresses(ids)), ...(await booked(ids))]).toEqual(Array(6).fill(from));
  });

  test("is undone in the name of its user, whose role allows nothing any more", async () => {
    const { from, ids } = await furnish();
    const userId = 1_000;
    const data = { id: userId, email: "ada@example.com", name: "Ada", passwordHash: "", resellerId: reseller.id };
    await world.db.prisma.user.create({ data: { ...data, role: "manager" } });
    const manager = world.context({ ...actors.user(reseller.id, "manager"), userId } as ServiceContext["actor"]);
    const jobId = await startRelocation(manager, { from, to: world.freshIp() });
    await runBulkJob(world.operator, { jobId, turnMs: 0 });
    await world.db.prisma.user.update({ where: { id: userId }, data: { role: "viewer" } });
    await run(jobId);
    expect(await states(jobId)).toEqual(["undone", "failed", "skipped"]);
    expect(await addresses(ids)).toEqual([from, from, from]);
    const startedBy = await world.db.query(
      sql<{ actor: string }>("select actor from operations where kind = 'license_change_ip' and reseller_id = $1"),
      [reseller.id],
    );
    expect(startedBy.map(({ actor }) => actor)).toEqual(Array(2).fill(`user:${userId}`));
  });

  test("skips units moved or ended meanwhile, when moving and when undoing", async () => {
    const { from, ids } = await furnish();
    const to = world.freshIp();
    const elsewhere = world.freshIp();
    const jobId = await startRelocation(person(), { from, to });
    await changeLicenseIp(reseller.context(), { licenseId: ids[1] as number, newIp: elsewhere });
    await runBulkJob(world.operator, { jobId, turnMs: 0 });
    await changeLicenseIp(reseller.context(), { licenseId: ids[0] as number, newIp: elsewhere });
    await occupy(world, to, "malware_scanner");
    await run(jobId);
    expect(await items(jobId)).toMatchObject([
      { state: "skipped", error_code: "moved" },
      { state: "skipped", error_code: "moved" },
      { state: "failed", error_code: "ip_change_address_taken" },
    ]);
    expect(await addresses(ids)).toEqual([elsewhere, elsewhere, from]);
  });

  test("is not started from an outdated plan", async () => {
    const { from, ids } = await furnish();
    const to = world.freshIp();
    const seenVersion = versionOf(listPlannedLicenses((await planRelocation(person(), { from, to })).units));
    await changeLicenseIp(reseller.context(), { licenseId: ids[0] as number, newIp: world.freshIp() });
    expect(await codeOf(startRelocation(person({ seenVersion }), { from, to }))).toBe("changed_meanwhile");
  });

  test("is the only one of its addresses until it ends; a repeated submission is one", async () => {
    const { from } = await furnish();
    const to = world.freshIp();
    const form = person(formKey(world.db, "web:1:form"));
    const jobId = await startRelocation(form, { from, to });
    expect(await startRelocation(form, { from, to })).toBe(jobId);
    expect(await codeOf(startRelocation(person(), { from, to }))).toBe("state_invalid");
    expect(await codeOf(startRelocation(person(), { from, to: world.freshIp() }))).toBe("state_invalid");
    await run(jobId);
    const back = await startRelocation(person(), { from: to, to: from });
    await run(back);
    expect(await job(back)).toMatchObject({ state: "finished", counts: { succeeded: 3 } });
  });
});

describe.each([
  // Moving: at the second license. Undoing: at the first of three, after the last was rejected.
  ["when a license starts", "begin_bulk_item", { nth: 2, nthUndo: 4 }],
  ["after the hold", "hold_operations", { nth: 2, nthUndo: 4 }],
  ["while the provider is called", "mark_operation_sent", { nth: 2, nthUndo: 3 }],
  ["after the provider's answer", "settle_operations", { nth: 2, nthUndo: 3, before: true }],
  ["before its outcome is recorded", "end_bulk_item", { nth: 2, nthUndo: 4, before: true }],
] as const)("a relocation whose worker dies %s", (_, statement, { nthUndo, ...death }) => {
  test("is continued by another, which moves each license once", async () => {
    const { from, ids } = await furnish();
    const to = world.freshIp();
    const jobId = await startRelocation(person(), { from, to });
    await expect(run(jobId, dyingAt(world.operator, statement, death))).rejects.toThrow();
    await world.crash();
    await run(jobId);
    expect(await job(jobId)).toMatchObject({ state: "finished", counts: { succeeded: 3 } });
    expect([...(await addresses(ids)), ...(await booked(ids))]).toEqual(Array(6).fill(to));
    expect((await moves()).filter(({ state }) => state === "succeeded")).toHaveLength(3);
  });

  test("and that is then canceled is undone completely by another", async () => {
    const { from, ids } = await furnish();
    const jobId = await startRelocation(person(), { from, to: world.freshIp() });
    await expect(run(jobId, dyingAt(world.operator, statement, death))).rejects.toThrow();
    await cancelBulkJob(person(), { jobId });
    await world.crash();
    await run(jobId);
    expect(await job(jobId)).toMatchObject({ state: "finished", counts: { undone: 2, skipped: 1 } });
    expect([...(await addresses(ids)), ...(await booked(ids))]).toEqual(Array(6).fill(from));
  });

  test("while undoing is undone completely by another", async () => {
    const { from, ids } = await furnish();
    const to = world.freshIp();
    const jobId = await startRelocation(person(), { from, to });
    await occupy(world, to, "malware_scanner");
    await expect(run(jobId, dyingAt(world.operator, statement, { ...death, nth: nthUndo }))).rejects.toThrow();
    await world.crash();
    await run(jobId);
    expect(await job(jobId)).toMatchObject({ state: "finished", counts: { undone: 2, failed: 1 } });
    expect([...(await addresses(ids)), ...(await booked(ids))]).toEqual(Array(6).fill(from));
  });
});

test("a bundle that a user moved meanwhile is skipped", async () => {
  const from = world.freshIp();
  const bundle = await buy(from);
  const elsewhere = world.freshIp();
  const jobId = await startRelocation(person(), { from, to: world.freshIp() });
  await changeBundleIp(reseller.context(), { bundleInstanceId: bundle.id, newIp: elsewhere });
  await run(jobId);
  expect(await items(jobId)).toMatchObject([{ state: "skipped", error_code: "moved" }]);
});
