import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { parseLicenseKey } from "#lib/domain/license-key.ts";
import { reconcileOperations } from "#lib/services/operation/reconcile.ts";
import { sql } from "#tests/sql.ts";
import { clearRehearsed, codeOf, ip, rehearsed } from "#tests/support/faults.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { registerLicense } from "./register.ts";

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

test("a registration charges price and setup fee once, and starts a metered product with one core (contract 3.3)", async () => {
  const result = await reseller.register({ type: "web_server" });
  expect(result).toMatchObject({ pending: false, balanceAfter: 100_000n - 1800n });
  expect(parseLicenseKey(result.licenseKey)).toBe(result.licenseKey);
  expect(result.expiresAt.toISOString()).toBe("2027-04-10T12:00:00.000Z");
  expect(await reseller.license(result.licenseId)).toMatchObject({ cores: 1, type: "web_server", hostname: "" });
  const withFee = await reseller.register({ type: "backup_agent" });
  expect(withFee.balanceAfter).toBe(100_000n - 1800n - 475n - 500n);
  expect(await reseller.license(withFee.licenseId)).toMatchObject({ cores: null });
  expect(await reseller.entries()).toEqual([100_000n, -1800n, -975n]);
  expect(await reseller.eventKinds()).toEqual(["license.activated", "license.activated"]);
});

test("the event has the license's id, type and server (contract 4.1)", async () => {
  const { licenseId } = await reseller.register({ type: "control_panel", ip: "203.0.113.9" });
  const [event] = await world.db.query(
    sql("select data from events where kind = 'license.activated' and license_id = $1"),
    [licenseId],
  );
  expect(event?.data).toEqual({ license_id: `lic_${licenseId}`, type: "control_panel", server: "203.0.113.9" });
});

test("a rejected registration leaves no license, no charge and no live entry in the provider's books", async () => {
  expect(await codeOf(reseller.register({ ip: rehearsed.rejects }))).toBe("registration_rejected");
  const rows = await world.db.query(sql("select id from licenses where reseller_id = $1"), [reseller.id]);
  expect(rows).toEqual([]);
  expect(await reseller.wallet()).toMatchObject({ held: 0n, posted: 100_000n });
  expect(await reseller.eventKinds()).toEqual(["license.registration_failed"]);
  expect((await world.books()).filter(({ ipAddress }) => ipAddress === rehearsed.rejects)).toEqual([]);
});

test("an unreachable provider is PROVIDER_UNAVAILABLE: the address stays free, and no event reports a rejection", async () => {
  expect(await codeOf(reseller.register({ ip: rehearsed.refusesConnection }))).toBe("provider_unavailable");
  expect(await codeOf(reseller.register({ ip: rehearsed.refusesConnection }))).toBe("provider_unavailable");
  expect(await reseller.wallet()).toMatchObject({ held: 0n, posted: 100_000n, pendingCount: 0 });
  expect(await reseller.eventKinds()).toEqual([]);
});

test.each([
  ["done", rehearsed.losesAnswer, "active"],
  ["done, told unreadably", rehearsed.garblesAnswer, "active"],
  ["not done", rehearsed.losesRequest, null],
])("unknown outcome, %s: pending and held until the provider is asked (contract 3.11)", async (_, address, after) => {
  const result = await reseller.register({ ip: address });
  expect(result).toMatchObject({ pending: true, balanceAfter: 100_000n - 1450n });
  expect(await reseller.license(result.licenseId)).toMatchObject({ provisionedAt: null });
  expect(await reseller.wallet()).toMatchObject({ held: 1450n, posted: 100_000n, pendingCount: 1 });

  await reconcileOperations(world.operator, { early: true });
  if (after === null) {
    expect(await codeOf(reseller.license(result.licenseId))).toBe("license_not_found");
    expect(await reseller.entries()).toEqual([100_000n]);
    expect(await reseller.eventKinds()).toEqual(["license.registration_failed", "operation.settled"]);
  } else {
    expect((await reseller.license(result.licenseId)).provisionedAt).not.toBeNull();
    expect(await reseller.entries()).toEqual([100_000n, -1450n]);
    expect(await reseller.eventKinds()).toEqual(["license.activated", "operation.settled"]);
  }
  expect(await reseller.wallet()).toMatchObject({ held: 0n, pendingCount: 0 });
});

test("insufficient balance, without held money, is INSUFFICIENT_BALANCE before sending", async () => {
  const poor = await world.reseller({ funds: "28.99" });
  await poor.register({ ip: rehearsed.losesAnswer });
  const books = await world.books();
  expect(await codeOf(poor.register())).toBe("insufficient_balance");
  expect(await world.books()).toEqual(books);
  expect(await poor.wallet()).toMatchObject({ held: 1450n, posted: 2899n });
});

test("a product without a price in the reseller's currency is not for sale (contract 3.8)", async () => {
  const dollar = await world.offer(reseller.id, "control_panel");
  const franc = await world.reseller({ currency: "CHF" });
  const buy = (input: { productId: number; cycleId: number }) =>
    registerLicense(franc.context(), { ...input, ipAddress: ip(world.freshIp()) });
  expect(await codeOf(buy(dollar))).toBe("product_not_found");
});

test("a cycle of another product is not found (contract 3.2)", async () => {
  const panel = await world.offer(reseller.id, "control_panel");
  const kernel = await world.offer(reseller.id, "hardened_kernel");
  const input = { productId: panel.productId, cycleId: kernel.cycleId, ipAddress: world.freshIp() };
  expect(await codeOf(registerLicense(reseller.context(), input))).toBe("cycle_not_found");
  expect(await codeOf(registerLicense(reseller.context(), { ...input, productId: 9999 }))).toBe("product_not_found");
});

test("currencies of no and of three minor digits are charged exactly (contract 1.9)", async () => {
  const yen = await world.reseller({ currency: "JPY", funds: "10000" });
  expect((await yen.register()).balanceAfter).toBe(10_000n - 2175n);
  const dinar = await world.reseller({ currency: "KWD", funds: "10" });
  expect((await dinar.register()).balanceAfter).toBe(10_000n - 4495n);
});
