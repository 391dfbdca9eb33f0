import { afterAll, beforeAll, expect, test } from "vitest";
import { findOperation } from "#lib/db/operation/operation.ts";
import { setPrice } from "#lib/services/catalog/set-price.ts";
import { answerOnce } from "#lib/services/idempotency/answer-once.ts";
import { claimKey, releaseKey } from "#lib/services/idempotency/claim.ts";
import { reconcileOperations } from "#lib/services/operation/reconcile.ts";
import { actors } from "#tests/support/actors.ts";
import { clearRehearsed, codeOf, ip, rehearsed } from "#tests/support/faults.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { registerLicenseWithCores } from "./register-with-cores.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

async function register(reseller: ResellerWorld, cores: number, agreedPrice: bigint) {
  const { productId, cycle } = await world.offer(reseller.id, "web_server");
  const input = { productId, cycleId: cycle.cycleId, ipAddress: world.freshIp(), autoRenew: true };
  return registerLicenseWithCores(world.context(actors.user(reseller.id)), { ...input, cores, agreedPrice });
}

test("a license has its cores at once, for the price that was agreed to, and renews with them", async () => {
  const reseller = await world.reseller();
  const { licenseId, missingCores, balanceAfter } = await register(reseller, 4, 1800n + 3n * 650n);
  expect([missingCores, balanceAfter]).toEqual([null, 100_000n - 1800n - 1950n]);
  const stored = await world.db.prisma.license.findFirstOrThrow({ where: { id: licenseId } });
  expect(stored).toMatchObject({ cores: 4, autoRenew: true, agreedRenewalPrice: 3750n });
  expect(await reseller.entries()).toEqual([100_000n, -1800n, -1950n]);
});

test("another price, or a balance for the first core alone, registers and charges nothing", async () => {
  const reseller = await world.reseller({ funds: "20" });
  expect(await codeOf(register(reseller, 4, 3749n))).toBe("price_changed");
  expect(await codeOf(register(reseller, 4, 3750n))).toBe("insufficient_balance");
  expect(await reseller.entries()).toEqual([2_000n]);
});

const form = { key: "form-1", requestHash: Buffer.alloc(32) };
const claim = async (reseller: ResellerWorld) => {
  const claimed = await claimKey(world.context(actors.user(reseller.id)), form);
  return claimed.kind === "claimed" ? claimed.ctx : expect.unreachable();
};
const orderOf = async (reseller: ResellerWorld, address: string = world.freshIp()) => {
  const { productId, cycleId } = await world.offer(reseller.id, "web_server");
  return { productId, cycleId, ipAddress: ip(address), cores: 7, agreedPrice: 1800n + 6n * 650n };
};

test("a repetition after a 202 answers its outcome and adds the cores, with the balance as it is by then", async () => {
  const reseller = await world.reseller({ funds: "80" });
  const order = await orderOf(reseller, rehearsed.losesAnswer);
  const send = () =>
    answerOnce(world.context(actors.user(reseller.id)), form, {
      answer: async (ctx) => {
        const { pending, missingCores, balanceAfter } = await registerLicenseWithCores(ctx, order);
        return { status: 200, body: [pending, missingCores, balanceAfter].join() };
      },
      refuse: ({ code }) => ({ status: 400, body: code }),
    }).then(({ answer }) => answer.body);
  expect(await send()).toBe("true,The provider has not confirmed the license yet.,6200");
  await reconcileOperations(world.operator, { early: true });
  await clearRehearsed(world);
  await reseller.register();
  expect(await send()).toBe("false,,850");
  expect(await reseller.entries()).toEqual([8_000n, -1800n, -1450n, -3900n]);
  expect(await send()).toBe("false,,850");
});

test("a repetition after a 202 answers the provider's rejection, whatever the balance is by then", async () => {
  const reseller = await world.reseller({ funds: "60" });
  const order = await orderOf(reseller, rehearsed.losesRequest);
  const { operation } = await registerLicenseWithCores(await claim(reseller), order);
  await reconcileOperations(world.operator, { early: true });
  await reseller.register();
  const settledOperation = (await findOperation(world.db, operation.id)) ?? expect.unreachable();
  const settled = { ...world.context(actors.user(reseller.id)), settledOperation };
  expect(await codeOf(registerLicenseWithCores(settled, order))).toBe("registration_rejected");
});

test("a repetition of what the provider has rejected is checked like a first request", async () => {
  const reseller = await world.reseller({ funds: "60" });
  const order = await orderOf(reseller, rehearsed.losesRequest);
  const first = await claim(reseller);
  expect(await registerLicenseWithCores(first, order)).toMatchObject({ pending: true });
  await releaseKey(first);
  await reseller.register();
  expect(await codeOf(registerLicenseWithCores(await claim(reseller), order))).toBe("insufficient_balance");
  expect(await reseller.entries()).toEqual([6_000n, -1450n]);
});

test("a repetition under its key answers what it bought, whatever the balance and the price are by then", async () => {
  const reseller = await world.reseller({ funds: "60" });
  const order = await orderOf(reseller);
  const first = await claim(reseller);
  const bought = await registerLicenseWithCores(first, order);
  expect(bought.missingCores).toBeNull();
  await releaseKey(first);
  await setPrice(world.context(actors.admin(null)), {
    resellerId: null,
    cycleId: order.cycleId,
    currency: "USD",
    price: "99",
    setupFee: "0",
    pricePerCore: "9",
  });
  const again = await registerLicenseWithCores(await claim(reseller), order);
  expect(again).toMatchObject({ licenseId: bought.licenseId, missingCores: null, balanceAfter: 300n });
  expect(await reseller.entries()).toEqual([6_000n, -1800n, -3900n]);
});
