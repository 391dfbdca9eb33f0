import { afterAll, beforeAll, expect, test } from "vitest";
import { setListPrice } from "#lib/services/catalog/set-price.ts";
import { claimKey, releaseKey } from "#lib/services/idempotency/claim.ts";
import { actors } from "#tests/support/actors.ts";
import { codeOf } from "#tests/support/faults.ts";
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

test("a repetition under its key answers what it bought, whatever the balance and the price are by then", async () => {
  const reseller = await world.reseller({ funds: "60" });
  const { productId, cycle } = await world.offer(reseller.id, "web_server");
  const order = {
    productId,
    cycleId: cycle.cycleId,
    ipAddress: world.freshIp(),
    cores: 7,
    agreedPrice: 1800n + 6n * 650n,
  };
  const claim = async () => {
    const user = world.context(actors.user(reseller.id));
    const claimed = await claimKey(user, { key: "form-1", requestHash: Buffer.alloc(32) });
    return claimed.kind === "claimed" ? claimed.ctx : expect.unreachable();
  };
  const first = await claim();
  const bought = await registerLicenseWithCores(first, order);
  expect(bought.missingCores).toBeNull();
  await releaseKey(first);
  await setListPrice(world.context(actors.admin(null)), {
    cycleId: cycle.cycleId,
    currency: "USD",
    price: "99",
    setupFee: "0",
    pricePerCore: "9",
  });
  const again = await registerLicenseWithCores(await claim(), order);
  expect(again).toMatchObject({ licenseId: bought.licenseId, missingCores: null });
  expect(await reseller.entries()).toEqual([6_000n, -1800n, -3900n]);
});
