/** The effects of a suspension: each row of the table in docs/suspension.md. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ResellerId } from "#lib/domain/ids.ts";
import { scopes } from "#lib/domain/scopes.ts";
import { createResellerApiKey } from "#lib/services/api-key/create.ts";
import { createKeyring } from "#lib/services/api-key/keyring.ts";
import { cancelBulkJob } from "#lib/services/bulk/cancel.ts";
import { getBulkJob } from "#lib/services/bulk/get.ts";
import { listBulkItems } from "#lib/services/bulk/list-items.ts";
import { quoteLicenseBulk } from "#lib/services/bulk/quote-licenses.ts";
import { runBulkJob, wakeDroppedBulkJobs } from "#lib/services/bulk/run.ts";
import { startLicenseBulk } from "#lib/services/bulk/start-licenses.ts";
import { changeLicenseIp } from "#lib/services/license/change-ip.ts";
import { planLicenseImport } from "#lib/services/license/plan-import.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { setLicenseAutoRenew } from "#lib/services/license/set-auto-renew.ts";
import { startLicenseImport } from "#lib/services/license/start-import.ts";
import { reconcileOperations } from "#lib/services/operation/reconcile.ts";
import { startRelocation } from "#lib/services/relocation/start.ts";
import { runDueRenewals, wakeRenewals } from "#lib/services/renewals/run-due.ts";
import { createUser } from "#lib/services/user/create.ts";
import { resetUserPassword } from "#lib/services/user/reset-password.ts";
import { findSession, signIn } from "#lib/services/user/sign-in.ts";
import { createSignInGate } from "#lib/services/user/sign-in-gate.ts";
import { topUpWallet } from "#lib/services/wallet/top-up.ts";
import { actors } from "#tests/support/actors.ts";
import { clearRehearsed, codeOf, rehearsed, runningBefore } from "#tests/support/faults.ts";
import { expectBooksToAgree } from "#tests/support/invariants.ts";
import { anyLookUp } from "#tests/support/look-up-quota.ts";
import { type Receiver, startReceiver } from "#tests/support/receiver.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { fillServer } from "#tests/support/server.ts";
import { newWebhooks, type Webhooks } from "#tests/support/webhooks.ts";
import { newWorld, PEPPER, type World } from "#tests/support/world.ts";
import { setResellerSuspended } from "./settings.ts";

const DAY_MS = 86_400_000;
const PRICE = 1450n;
let world: World;
let reseller: ResellerWorld;
let webhooks: Webhooks;
beforeAll(async () => {
  world = await newWorld({ poolSize: 12, start: new Date() });
  webhooks = newWebhooks(world);
});
beforeEach(async () => {
  await clearRehearsed(world);
  reseller = await world.reseller();
});
afterAll(async () => {
  await webhooks.sender.close();
  await world.close();
});

const set = (suspended: boolean, resellerId: ResellerId = reseller.id) =>
  setResellerSuspended(world.operator, { resellerId, suspended, reason: suspended ? "Unpaid" : "" });
const suspend = () => set(true);
const lift = () => set(false);
const person = (change = {}) => world.context(actors.user(reseller.id), change);
const run = (jobId: number, ctx = world.operator) => runBulkJob(ctx, { jobId, turnMs: 60_000 });
const jobOf = (jobId: number) => getBulkJob(person(), { jobId });
const statesOf = async (jobId: number) =>
  (await listBulkItems(person(), { jobId, after: 0, limit: 100 })).items.map(({ state }) => state);
const held = async () => (await reseller.operations()).filter(({ hold_amount }) => hold_amount > 0n).length;

async function startRenewal(count: number): Promise<number> {
  for (let made = 0; made < count; made++) await reseller.register();
  const input = { change: { kind: "renew" }, selection: { filter: {} } } as const;
  const agreed = await quoteLicenseBulk(person(), input);
  return (await startLicenseBulk(person(), { ...input, agreed })).jobId;
}

async function startImport(count: number): Promise<number> {
  const rows = Array.from({ length: count }, () => `control_panel,1,${world.freshIp()}`);
  const text = ["product,cycle,ip_address", ...rows].join("\n");
  const { registrations, total } = await planLicenseImport(person(), { text });
  const agreed = { text, agreedCount: registrations.length, agreedTotal: total, allowPrivateAddresses: false };
  return (await startLicenseImport(person(), agreed)).jobId;
}

/** Suspends the reseller right before its nth statement of this name. */
function suspendingBefore(statementName: string, nth: number) {
  const ctx = world.operator;
  let seen = 0;
  const db = runningBefore(ctx.db, statementName, async () => {
    if (++seen === nth) await suspend();
  });
  return { ...ctx, db };
}

test("the table in docs/suspension.md has a test for every row", () => {
  const rows = [...readFileSync("docs/suspension.md", "utf8").matchAll(/^\| \*\*(.+?)\*\* \|/gm)].map(([, row]) => row);
  const source = readFileSync(new URL(import.meta.url), "utf8");
  const titles = [...source.matchAll(/^describe\("(.+?)"/gm)].map(([, title]) => title);
  expect(rows.length).toBeGreaterThan(0);
  expect(titles).toEqual(rows);
});

describe("Charges", () => {
  test("are refused to everybody, an admin included, and nothing is held", async () => {
    const { licenseId } = await reseller.register();
    await suspend();
    for (const ctx of [reseller.context(), person(), reseller.admin()]) {
      expect(await codeOf(renewLicense(ctx, { licenseId, agreedPrice: PRICE }))).toBe("reseller_suspended");
    }
    expect(await codeOf(reseller.register())).toBe("reseller_suspended");
    expect(await held()).toBe(1);
    await lift();
    expect(await renewLicense(reseller.context(), { licenseId })).toMatchObject({ pending: false });
  });

  test("that race with a suspension are held before its commit, or not at all", async () => {
    for (let round = 0; round < 10; round++) {
      const racer = await world.reseller();
      const charges = Array.from({ length: 8 }, () => racer.register());
      const outcomes = Promise.allSettled(charges);
      await set(true, racer.id);
      const { held: heldThen } = await racer.wallet();
      const before = await racer.operations();
      await outcomes;
      const after = await racer.operations();
      expect(after.map(({ id }) => id).toSorted()).toEqual(before.map(({ id }) => id).toSorted());
      expect(heldThen).toBeLessThanOrEqual(PRICE * BigInt(before.length));
      expect((await racer.wallet()).posted).toBe(100_000n - PRICE * BigInt(after.length));
      expect(await racer.difference()).toBeNull();
    }
  });
});

describe("Money held before", () => {
  test("is charged or released as the provider says", async () => {
    const { licenseId } = await reseller.register({ ip: rehearsed.losesAnswer });
    const lost = await reseller.register({ ip: rehearsed.losesRequest });
    await suspend();
    await reconcileOperations(world.operator, { early: true });
    expect((await reseller.license(licenseId)).provisionedAt).not.toBeNull();
    expect(await codeOf(reseller.license(lost.licenseId))).toBe("license_not_found");
    expect(await reseller.wallet()).toMatchObject({ posted: 100_000n - PRICE, held: 0n });
  });
});

describe("Free changes", () => {
  test("are left to admins, who act on its behalf", async () => {
    const { licenseId } = await reseller.register();
    await suspend();
    const newIp = world.freshIp();
    await changeLicenseIp(reseller.admin(), { licenseId, newIp });
    expect((await reseller.license(licenseId)).ipAddress).toBe(newIp);
  });

  test("top-ups among them: money that arrives is booked", async () => {
    await suspend();
    await topUpWallet(world.operator, { resellerId: reseller.id, amount: "5", note: "" });
    expect(await reseller.spendable()).toBe(100_500n);
  });
});

describe("API keys", () => {
  test("are refused, and work again afterwards", async () => {
    const { apiKey } = await createResellerApiKey(world.operator, { resellerId: reseller.id, name: "shop", scopes });
    const authenticate = () => createKeyring(world.db, PEPPER).authenticate(apiKey, world.now(), anyLookUp);
    expect(await authenticate()).not.toBeNull();
    await suspend();
    expect(await authenticate()).toBeNull();
    await lift();
    expect(await authenticate()).not.toBeNull();
  });
});

describe("Sessions", () => {
  const visitor = { address: "203.0.113.9", userAgent: "Firefox", findDevices: () => [] };
  const limits = { idleMinutes: 60, maxHours: 48 };
  const gate = createSignInGate();
  async function newPerson() {
    const email = `person${reseller.id}@example.com`;
    const { userId } = await createUser(world.operator, {
      email,
      name: "Robin",
      resellerId: reseller.id,
      role: "owner",
    });
    const { oneTimePassword } = await resetUserPassword(world.operator, { userId });
    const enter = (db = world.db) => signIn(db, { email, password: oneTimePassword, ...visitor }, limits, gate);
    return { enter };
  }
  const sessionOf = (sessionId: string) => findSession(world.db, sessionId);

  test("end at once and for good: afterwards one signs in anew", async () => {
    const { enter } = await newPerson();
    const session = await enter();
    if (session.kind !== "signed_in") throw new Error("not signed in");
    expect(await sessionOf(session.sessionId)).not.toBeNull();
    await suspend();
    expect(await sessionOf(session.sessionId)).toBeNull();
    expect(await enter()).toEqual({ kind: "refused" });
    await lift();
    expect(await sessionOf(session.sessionId)).toBeNull();
    expect(await enter()).toMatchObject({ kind: "signed_in" });
  });

  test("that are opened while the suspension is being written end with it", async () => {
    const { enter } = await newPerson();
    const { db } = suspendingBefore("insert_session", 1);
    expect(await enter(db)).toEqual({ kind: "refused" });
    await lift();
    const attempts = await Promise.all([enter(), suspend(), enter(), enter()]);
    await lift();
    for (const attempt of attempts) {
      if (attempt?.kind === "signed_in") expect(await sessionOf(attempt.sessionId)).toBeNull();
    }
  });
});

describe("Bulk jobs and imports", () => {
  describe.each([
    ["a renewal", startRenewal],
    ["an import", startImport],
  ])("%s", (_, start) => {
    test.each([
      ["before an item is taken up", "begin_bulk_item"],
      ["before an item's money is held", "hold_operations"],
    ])("that runs when the suspension comes %s charges nothing more, and goes on afterwards", async (_when, name) => {
      const jobId = await start(5);
      const before = await held();
      const nth = 3;
      await run(jobId, suspendingBefore(name, nth));
      expect(await held()).toBe(before + nth - 1);
      expect(await statesOf(jobId)).toEqual(["succeeded", "succeeded", "queued", "queued", "queued"]);
      expect(await jobOf(jobId)).toMatchObject({ state: "running", paused: true });
      for (let turn = 0; turn < 3; turn++) await run(jobId);
      expect(await held()).toBe(before + nth - 1);

      await lift();
      expect(await jobOf(jobId)).toMatchObject({ paused: false });
      expect(await run(jobId)).toMatchObject({ done: 3, ended: true });
      expect(await statesOf(jobId)).toEqual(Array(5).fill("succeeded"));
      expect(await reseller.difference()).toBeNull();
    });
  });

  test("that run while the suspension is written charge nothing after its commit", async () => {
    const jobId = await startRenewal(8);
    const running = run(jobId);
    await suspend();
    const heldThen = await held();
    await running;
    expect(await held()).toBe(heldThen);
    const states = await statesOf(jobId);
    expect(states.filter((state) => state !== "succeeded" && state !== "queued")).toEqual([]);
    await lift();
    await run(jobId);
    expect(await statesOf(jobId)).toEqual(Array(8).fill("succeeded"));
  });

  test("that have not begun do not begin, and nobody is woken for them until the end of the suspension", async () => {
    const jobId = await startRenewal(1);
    await suspend();
    const woken = await wakeDroppedBulkJobs(world.operator);
    expect(await run(jobId)).toBeNull();
    expect(await jobOf(jobId)).toMatchObject({ state: "queued", paused: true });
    await lift();
    expect(await wakeDroppedBulkJobs(world.operator)).toBe(woken + 1);
  });

  test("can be canceled by an admin meanwhile", async () => {
    const jobId = await startRenewal(2);
    await suspend();
    await cancelBulkJob(reseller.admin(), { jobId });
    expect(await run(jobId)).toMatchObject({ ended: true });
    expect(await statesOf(jobId)).toEqual(["skipped", "skipped"]);
  });
});

describe("Relocations", () => {
  const addressesOf = (ids: readonly number[]) =>
    Promise.all(ids.map(async (id) => (await reseller.license(id)).ipAddress));

  test("wait half-way, and finish afterwards", async () => {
    const { from, ids } = await fillServer(world, reseller, {});
    const to = world.freshIp();
    const jobId = await startRelocation(person(), { from, to });
    await run(jobId, suspendingBefore("begin_bulk_item", 2));
    expect(await jobOf(jobId)).toMatchObject({ state: "running", paused: true });
    expect(new Set(await addressesOf(ids))).toEqual(new Set([from, to]));
    await lift();
    await run(jobId);
    expect(await addressesOf(ids)).toEqual(ids.map(() => to));
  });

  test("can be undone meanwhile: that costs nothing", async () => {
    const { from, ids } = await fillServer(world, reseller, {});
    const jobId = await startRelocation(person(), { from, to: world.freshIp() });
    await run(jobId, suspendingBefore("begin_bulk_item", 2));
    await cancelBulkJob(reseller.admin(), { jobId });
    expect(await run(jobId)).toMatchObject({ ended: true });
    expect(await addressesOf(ids)).toEqual(ids.map(() => from));
    expect(await jobOf(jobId)).toMatchObject({ state: "finished", paused: false });
  });

  test("that are being undone go on", async () => {
    const { from, ids } = await fillServer(world, reseller, {});
    const jobId = await startRelocation(person(), { from, to: world.freshIp() });
    await runBulkJob(world.operator, { jobId, turnMs: 0 });
    await cancelBulkJob(person(), { jobId });
    await run(jobId, suspendingBefore("begin_bulk_item", 1));
    expect(await addressesOf(ids)).toEqual(ids.map(() => from));
    expect(await jobOf(jobId)).toMatchObject({ state: "finished" });
  });
});

describe("Automatic renewals", () => {
  test("wait without failing, and are made afterwards, if the term still runs", async () => {
    const { licenseId, expiresAt } = await reseller.register();
    await setLicenseAutoRenew(reseller.context(), { licenseId, on: true });
    world.setClock(new Date(expiresAt.getTime() - DAY_MS));
    await suspend();
    const woken = await wakeRenewals(world.operator);
    expect(await runDueRenewals(world.operator, { resellerId: reseller.id })).toMatchObject({ renewed: 0, failed: 0 });
    await lift();
    expect(await wakeRenewals(world.operator)).toBe(woken + 1);
    const raced = await runDueRenewals(suspendingBefore("hold_operations", 1), { resellerId: reseller.id });
    expect(raced).toEqual({ renewed: 0, pending: 0, failed: 0, waiting: 0, skipped: 1 });
    expect(await reseller.eventKinds()).not.toContain("license.renewal_failed");
    await lift();
    expect(await runDueRenewals(world.operator, { resellerId: reseller.id })).toMatchObject({ renewed: 1 });
  });
});

describe("Webhooks", () => {
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await startReceiver();
    world.setClock(new Date());
  });

  test("tell what happened before and what happens meanwhile", async () => {
    await webhooks.endpoint(reseller.id, { url: receiver.url });
    await webhooks.emit(reseller.id, "wallet.topped_up", { amount: 5, currency: "USD" });
    await suspend();
    await webhooks.emit(reseller.id, "wallet.low_balance", { balance: 1, threshold: 2, currency: "USD" });
    await webhooks.deliver();
    const kinds = receiver.received.map(({ body }) => (JSON.parse(body) as { event: string }).event);
    expect(kinds.toSorted()).toEqual(["wallet.low_balance", "wallet.topped_up"]);
    await receiver.close();
  });
});

test("the books agree after all of it", () => expectBooksToAgree(world.db));
