import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { codeOf } from "#tests/support/faults.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { changeLicenseCores } from "./change-core.ts";
import { quoteRenewals } from "./quote-renewal.ts";
import { renewLicense } from "./renew.ts";

let world: World;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  reseller = await world.reseller();
});
afterAll(() => world.close());

test("a renewal has exactly the price and term of its quote, by every cycle (contract 3.4)", async () => {
  const ctx = reseller.context();
  for (const position of [0, 1, 2]) {
    const { licenseId } = await reseller.register({ type: "web_server" });
    await changeLicenseCores(ctx, { licenseId, cores: 3 });
    const quote = (await quoteRenewals(ctx, { licenseId }))[position];
    if (!quote) throw new Error("no quote");
    const before = await reseller.spendable();
    const renewed = await renewLicense(ctx, { licenseId, cycleId: quote.cycleId });
    expect(before - (await reseller.spendable())).toBe(quote.price);
    expect(renewed.newExpiry).toEqual(quote.term.expiresAt);
  }
});

test("quotes are the cycles on sale, shortest first, with the current one marked", async () => {
  const { licenseId } = await reseller.register({ type: "control_panel", months: 3 });
  const quotes = await quoteRenewals(reseller.context(), { licenseId });
  expect(quotes.map(({ months, current }) => [months, current])).toEqual([
    [1, false],
    [3, true],
    [12, false],
  ]);
});

test("a retired cycle is quoted only for licenses that have it", async () => {
  const mine = await reseller.register({ type: "malware_scanner", months: 3 });
  const other = await reseller.register({ type: "malware_scanner", months: 1 });
  const { cycleId } = await world.offer(reseller.id, "malware_scanner", 3);
  await world.db.prisma.billingCycle.update({ where: { id: cycleId }, data: { retiredAt: world.now() } });
  const monthsOf = async (licenseId: number) =>
    (await quoteRenewals(reseller.context(), { licenseId })).map(({ months }) => months);
  expect(await monthsOf(mine.licenseId)).toEqual([1, 3, 12]);
  expect(await monthsOf(other.licenseId)).toEqual([1, 12]);
});

test("a license that cannot be renewed on its own has no quote", async () => {
  const ctx = reseller.context();
  const { licenseId } = await reseller.register();
  await world.db.prisma.license.updateMany({ where: { id: licenseId }, data: { terminatedAt: world.now() } });
  expect(await codeOf(quoteRenewals(ctx, { licenseId }))).toBe("state_invalid");

  const { bundleId, cycleId } = await world.bundleOffer(reseller.id);
  const { instance } = await registerBundle(ctx, { bundleId, cycleId, ipAddress: world.freshIp() });
  expect(await codeOf(quoteRenewals(ctx, { licenseId: Number(instance.members[0]?.id) }))).toBe("state_invalid");
});

test("another reseller's license is not found (contract 1.12)", async () => {
  const { licenseId } = await (await world.reseller()).register();
  expect(await codeOf(quoteRenewals(reseller.context(), { licenseId }))).toBe("license_not_found");
});
