import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { claimKey, keepAnswer, releaseKey } from "#lib/services/idempotency/claim.ts";
import { registerLicense } from "#lib/services/license/register.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { codeOf, ip, rehearsed, vacateRehearsed } from "#tests/support/faults.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { LEASE_MS, newWorld, type World } from "#tests/support/world.ts";
import { reconcileOperations } from "./reconcile.ts";

let world: World;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  await vacateRehearsed(world);
  world.advance(LEASE_MS);
  await reconcileOperations(world.operator, { unknownNow: true });
  reseller = await world.reseller();
});
afterAll(() => world.close());

const requestHash = createHash("sha256").update("the request").digest();
const idempotencyKey = "order-1";
const claim = () => claimKey(reseller.context(), { key: idempotencyKey, requestHash });

/** Statements after which the process "dies": nothing that it would do later happens. */
type Death = "hold_operation" | "mark_operation_sent" | "settle_operation";

/** Registers under the idempotency key in a process that dies right after (or, for settling, right before) a statement. */
async function registerAndDie(death: Death, address: string): Promise<void> {
  await claim();
  const ctx = reseller.context({ idempotencyKey });
  const mortal: typeof ctx.db.query = async (statement) => {
    if (statement.name === "settle_operation" && death === "settle_operation") throw new Error("process died");
    const rows = await ctx.db.query(statement);
    if (statement.name === death) throw new Error("process died");
    return rows as never;
  };
  const offer = await world.offer(reseller.id, "control_panel");
  const died = registerLicense({ ...ctx, db: { ...ctx.db, query: mortal } }, { ...offer, ipAddress: ip(address) });
  await expect(died).rejects.toThrow("process died");
}

async function retry(address: string) {
  expect(await claim()).toBeNull();
  const offer = await world.offer(reseller.id, "control_panel");
  return registerLicense(reseller.context({ idempotencyKey }), { ...offer, ipAddress: ip(address) });
}

async function licenseCount(): Promise<number> {
  const rows = await world.db.query({ text: "select from licenses where reseller_id = $1", values: [reseller.id] });
  return rows.length;
}

const liveBooksAt = async (address: string) =>
  (await world.books()).filter(({ ipAddress, state }) => ipAddress === address && state !== "terminated").length;

async function expectOneCharge(address: string) {
  expect(await reseller.entries()).toEqual([100_000n, -1450n]);
  expect(await reseller.wallet()).toMatchObject({ held: 0n, pendingCount: 0 });
  expect(await reseller.difference()).toBeNull();
  expect(await licenseCount()).toBe(1);
  expect(await liveBooksAt(address)).toBe(1);
  expect((await reseller.eventKinds()).filter((kind) => kind === "license.activated")).toHaveLength(1);
}

describe.each<Death>(["hold_operation", "mark_operation_sent", "settle_operation"])(
  "a process that dies at %s",
  (death) => {
    test("the same request again, when the lease has run out, ends in one charge", async () => {
      const address = world.freshIp();
      await registerAndDie(death, address);
      expect(await codeOf(claim())).toBe("idempotency_in_progress");
      world.advance(LEASE_MS);
      expect(await retry(address)).toMatchObject({ pending: false, balanceAfter: 98_550n });
      await expectOneCharge(address);
    });

    test("also when the sweeper was there first", async () => {
      const address = world.freshIp();
      await registerAndDie(death, address);
      expect(await reconcileOperations(world.operator, { unknownNow: false })).toMatchObject({ asked: 0 });
      world.advance(LEASE_MS);
      expect(await reconcileOperations(world.operator, { unknownNow: false })).toMatchObject({
        asked: 1,
        stillOpen: 0,
      });
      expect(await reseller.difference()).toBeNull();
      expect(await retry(address)).toMatchObject({ pending: false, balanceAfter: 98_550n });
      await expectOneCharge(address);
    });
  },
);

test("a retry while the outcome is still unknown is pending again, with the balance as it is", async () => {
  await registerAndDie("settle_operation", world.freshIp());
  world.advance(LEASE_MS);
  const unreachable = async () => ({ kind: "unreachable", message: "away" }) as const;
  const providers = new Map([["sandbox", { ...world.provider, lookUp: unreachable }]]);
  await claim();
  const offer = await world.offer(reseller.id, "control_panel");
  const again = await registerLicense(reseller.context({ idempotencyKey, providers }), {
    ...offer,
    ipAddress: world.freshIp(),
  });
  expect(again).toMatchObject({ pending: true, balanceAfter: 98_550n });
});

test("the sweeper gives each operation to one of two that sweep at once, and it is settled once", async () => {
  const { licenseId } = await reseller.register({ ip: rehearsed.losesAnswer });
  await registerAndDie("settle_operation", world.freshIp());
  world.advance(LEASE_MS);
  const sweeps = await Promise.all([1, 2, 3].map(() => reconcileOperations(world.operator, { unknownNow: false })));
  expect(sweeps.reduce((sum, { succeeded }) => sum + succeeded, 0)).toBe(2);
  expect(await reseller.entries()).toEqual([100_000n, -1450n, -1450n]);
  expect((await reseller.license(licenseId)).provisionedAt).not.toBeNull();
  expect((await reseller.eventKinds()).filter((kind) => kind === "operation.settled")).toHaveLength(2);
});

test("an operation of a running process is left alone until its lease has run out", async () => {
  await registerAndDie("mark_operation_sent", world.freshIp());
  world.advance(LEASE_MS - 1);
  expect(await reconcileOperations(world.operator, { unknownNow: true })).toMatchObject({ asked: 0 });
});

describe("idempotency keys (decisions 1.11)", () => {
  const answer = { status: 200, body: '{"a":1}' };

  test("the same request gets the stored answer for 24 hours, then begins anew", async () => {
    expect(await claim()).toBeNull();
    await keepAnswer(reseller.context(), idempotencyKey, answer);
    expect(await claim()).toEqual(answer);
    world.advance(24 * 3_600_000 - 1);
    expect(await claim()).toEqual(answer);
    world.advance(1);
    expect(await claim()).toBeNull();
  });

  test("another request under the key is refused, running or answered", async () => {
    await claim();
    const other = { key: idempotencyKey, requestHash: createHash("sha256").update("another").digest() };
    expect(await codeOf(claimKey(reseller.context(), other))).toBe("idempotency_key_reused");
    await keepAnswer(reseller.context(), idempotencyKey, answer);
    expect(await codeOf(claimKey(reseller.context(), other))).toBe("idempotency_key_reused");
  });

  test("of two at once one runs and the other is told to wait", async () => {
    const claims = await Promise.allSettled([claim(), claim(), claim()]);
    expect(claims.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await codeOf(claim())).toBe("idempotency_in_progress");
  });

  test("a key belongs to its reseller", async () => {
    await claim();
    const other = await world.reseller();
    expect(await claimKey(other.context(), { key: idempotencyKey, requestHash })).toBeNull();
  });

  test("after an answer that is not stored the key can be tried again at once, with a new operation", async () => {
    await claim();
    const { licenseId } = await reseller.register();
    const ctx = reseller.context({ idempotencyKey });
    const silent = async () => ({ kind: "not_sent", message: "away" }) as const;
    const providers = new Map([["sandbox", { ...world.provider, execute: silent }]]);
    expect(await codeOf(renewLicense({ ...ctx, providers }, { licenseId }))).toBe("provider_unavailable");
    await releaseKey(ctx, idempotencyKey);
    expect(await claim()).toBeNull();
    expect(await renewLicense(ctx, { licenseId })).toMatchObject({ pending: false });
    expect(await reseller.entries()).toEqual([100_000n, -1450n, -1450n]);
  });
});
