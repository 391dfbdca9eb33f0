import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ServiceContext } from "#lib/services/context.ts";
import { claimKey, releaseKey, storeAnswer } from "#lib/services/idempotency/claim.ts";
import { registerLicense } from "#lib/services/license/register.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { sql } from "#tests/sql.ts";
import { clearRehearsed, codeOf, dyingAt, ip, rehearsed } from "#tests/support/faults.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { reconcileOperations } from "./reconcile.ts";

let world: World;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  await clearRehearsed(world);
  await world.crash();
  await reconcileOperations(world.operator, { early: true });
  reseller = await world.reseller();
});
afterAll(() => world.close());

const requestHash = createHash("sha256").update("the request").digest();
const key = "order-1";
const claim = () => claimKey(reseller.context(), { key, requestHash });

/** Context of a request that has claimed the key. */
async function claimed(): Promise<ServiceContext> {
  const found = await claim();
  return found.kind === "claimed" ? found.ctx : expect.unreachable();
}

/** The statement at which the process dies. */
type Death = "hold_operations" | "mark_operation_sent" | "settle_operations";

/** Registers with the idempotency key in a process that dies right after (for settling: right before) a statement. */
async function registerAndDie(death: Death, address: string): Promise<void> {
  const ctx = dyingAt(await claimed(), death, { before: death === "settle_operations" });
  const offer = await world.offer(reseller.id, "control_panel");
  await expect(registerLicense(ctx, { ...offer, ipAddress: ip(address) })).rejects.toThrow("process died");
}

async function retry(address: string) {
  const offer = await world.offer(reseller.id, "control_panel");
  return registerLicense(await claimed(), { ...offer, ipAddress: ip(address) });
}

async function licenseCount(): Promise<number> {
  const rows = await world.db.query(sql("select from licenses where reseller_id = $1"), [reseller.id]);
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

describe.each<Death>(["hold_operations", "mark_operation_sent", "settle_operations"])(
  "a process that dies at %s",
  (death) => {
    test("the same request after its death is detected ends in one charge", async () => {
      const address = world.freshIp();
      await registerAndDie(death, address);
      expect(await codeOf(claim())).toBe("idempotency_in_progress");
      await world.crash();
      expect(await retry(address)).toMatchObject({ pending: false, balanceAfter: 98_550n });
      await expectOneCharge(address);
    });

    test("the same request after the sweeper ends in one charge", async () => {
      const address = world.freshIp();
      await registerAndDie(death, address);
      expect(await reconcileOperations(world.operator, { early: false })).toMatchObject({ asked: 0 });
      await world.crash();
      expect(await reconcileOperations(world.operator, { early: false })).toMatchObject({
        asked: 1,
        stillOpen: 0,
      });
      expect(await reseller.difference()).toBeNull();
      expect(await retry(address)).toMatchObject({ pending: false, balanceAfter: 98_550n });
      await expectOneCharge(address);
    });
  },
);

describe("a retry while the provider cannot be asked", () => {
  async function retryUnasked(address: string) {
    const unreachable = async () => ({ kind: "unreachable", message: "away" }) as const;
    const providers = new Map([["sandbox", { ...world.provider, lookUp: unreachable }]]);
    const offer = await world.offer(reseller.id, "control_panel");
    return registerLicense({ ...(await claimed()), providers }, { ...offer, ipAddress: ip(address) });
  }

  test("is pending with the current balance if the request was sent", async () => {
    await registerAndDie("settle_operations", world.freshIp());
    await world.crash();
    expect(await retryUnasked(world.freshIp())).toMatchObject({ pending: true, balanceAfter: 98_550n });
  });

  test("is not pending if nothing was sent, and a later retry registers", async () => {
    const address = world.freshIp();
    await registerAndDie("hold_operations", address);
    await world.crash();
    expect(await codeOf(retryUnasked(address))).toBe("unavailable");
    await world.crash();
    expect(await retry(address)).toMatchObject({ pending: false, balanceAfter: 98_550n });
    await expectOneCharge(address);
  });
});

test("concurrent sweeps settle each operation once", async () => {
  const { licenseId } = await reseller.register({ ip: rehearsed.losesAnswer });
  await registerAndDie("settle_operations", world.freshIp());
  await world.crash();
  const sweeps = await Promise.all([1, 2, 3].map(() => reconcileOperations(world.operator, { early: true })));
  expect(sweeps.reduce((sum, { succeeded }) => sum + succeeded, 0)).toBe(2);
  expect(await reseller.entries()).toEqual([100_000n, -1450n, -1450n]);
  expect((await reseller.license(licenseId)).provisionedAt).not.toBeNull();
  expect((await reseller.eventKinds()).filter((kind) => kind === "operation.settled")).toHaveLength(2);
});

test("the sweeper never claims an operation of a living process", async () => {
  await registerAndDie("mark_operation_sent", world.freshIp());
  await world.db.query(sql("select release_dead_processes()"), []);
  expect(await reconcileOperations(world.operator, { early: true })).toMatchObject({ asked: 0 });
});

describe("idempotency keys (contract 1.11)", () => {
  const answer = { status: 200, body: '{"a":1}' };

  test("another request with the key is rejected, while the first runs and after", async () => {
    const first = await claimed();
    const other = { key, requestHash: createHash("sha256").update("another").digest() };
    expect(await codeOf(claimKey(reseller.context(), other))).toBe("idempotency_key_reused");
    await storeAnswer(first, answer);
    expect(await codeOf(claimKey(reseller.context(), other))).toBe("idempotency_key_reused");
  });

  test("of concurrent requests one runs and the others get idempotency_in_progress", async () => {
    const claims = await Promise.allSettled([claim(), claim(), claim()]);
    expect(claims.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await codeOf(claim())).toBe("idempotency_in_progress");
  });

  test("a key belongs to its reseller", async () => {
    await claim();
    const other = await world.reseller();
    expect(await claimKey(other.context(), { key, requestHash })).toMatchObject({ kind: "claimed" });
  });

  test("after a transient error the key can be retried at once with a new operation", async () => {
    const first = await claimed();
    const { licenseId } = await reseller.register();
    const silent = async () => ({ kind: "not_sent", message: "away" }) as const;
    const providers = new Map([["sandbox", { ...world.provider, execute: silent }]]);
    expect(await codeOf(renewLicense({ ...first, providers }, { licenseId }))).toBe("provider_unavailable");
    await releaseKey(first);
    expect(await renewLicense(await claimed(), { licenseId })).toMatchObject({ pending: false });
    expect(await reseller.entries()).toEqual([100_000n, -1450n, -1450n]);
  });
});
