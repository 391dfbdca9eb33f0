import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { renewBundle } from "#lib/services/bundle/renew.ts";
import { previewCharge } from "#lib/services/operation/preview-charge.ts";
import { reconcileOperations } from "#lib/services/operation/reconcile.ts";
import { refundCharge } from "#lib/services/wallet/refund.ts";
import { sql } from "#tests/sql.ts";
import { registerMeteredBundle } from "#tests/support/core-lots.ts";
import { clearRehearsed, codeOf, placeLicense, rehearsed } from "#tests/support/faults.ts";
import { expectBooksToAgree } from "#tests/support/invariants.ts";
import { whileWalletIsLocked } from "#tests/support/locks.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { changeLicenseCores } from "./change-core.ts";
import { changeLicenseIp } from "./change-ip.ts";
import { quoteCoreChange } from "./quote-core-change.ts";
import { renewLicense } from "./renew.ts";
import { suspendLicense } from "./suspend.ts";

const FUNDS = 1_000_000n;
let world: World;
let reseller: ResellerWorld;
let licenseId: number;
/** 31 cores of April for 201.50. */
let upgrade: string;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  world.setClock("2027-04-01T00:00:00Z");
  await clearRehearsed(world);
  reseller = await world.reseller({ funds: "10000" });
  ({ licenseId } = await reseller.register({ type: "web_server" }));
  await change(32);
  upgrade = (await reseller.operations()).at(-1)?.id ?? "";
});
afterEach(() => expectBooksToAgree(world.db));
afterAll(() => world.close());

const change = (cores: number) => changeLicenseCores(reseller.context(), { licenseId, cores });
const refund = (amount?: string) =>
  refundCharge(world.operator, { operationId: upgrade, reason: "by mistake", ...(amount ? { amount } : {}) });
const spent = async () => FUNDS - (await reseller.spendable());

describe("a charge is returned once", () => {
  test("cores that were credited cannot be refunded", async () => {
    await change(1);
    expect(await codeOf(refund())).toBe("conflict");
    expect(await codeOf(refund("0.01"))).toBe("conflict");
  });

  test("partly credited cores can be refunded for the rest", async () => {
    expect((await change(22)).price).toBe(-6_500n);
    expect(await codeOf(refund("136.51"))).toBe("conflict");
    expect(await refund()).toMatchObject({ amount: 13_650n });
    expect((await change(1)).price).toBe(0n);
    expect(await spent()).toBe(1_800n);
  });

  test("a refunded charge is not credited again, and the quote shows it", async () => {
    await refund();
    expect(await quoteCoreChange(reseller.context(), { licenseId, cores: 1 })).toMatchObject({ price: 0n });
    expect((await change(1)).price).toBe(0n);
    expect(await spent()).toBe(1_800n);
  });

  test("a partly refunded charge credits at most the rest", async () => {
    await refund("200");
    expect((await change(1)).price).toBe(-150n);
    expect(await spent()).toBe(1_800n);
  });

  test("a credit, which holds no money, waits while its wallet is locked", async () => {
    const credited = await whileWalletIsLocked({ resellerId: reseller.id }, () => codeOf(change(1)), world.url);
    expect(credited).toBe("unavailable");
    expect((await change(1)).price).toBe(-20_150n);
  });

  test("a race of refund and removal returns the charge once", async () => {
    for (let round = 0; round < 8; round++) {
      reseller = await world.reseller({ funds: "10000" });
      ({ licenseId } = await reseller.register({ type: "web_server" }));
      await change(32);
      upgrade = (await reseller.operations()).at(-1)?.id ?? "";
      await Promise.allSettled([change(1), refund("150"), refund("150")]);
      expect(await spent()).toBeGreaterThanOrEqual(1_800n);
    }
  });

  test("two members of a bundle credit their shares of one renewal, together at most its rest", async () => {
    const { bundleInstanceId, memberIds } = await registerMeteredBundle(world, reseller);
    const cores = (id: number | undefined, wanted: number) =>
      changeLicenseCores(reseller.context(), { licenseId: id ?? 0, cores: wanted });
    for (const id of memberIds) await cores(id, 3);
    world.setClock("2027-04-30T00:00:00Z");
    const { operation } = await renewBundle(reseller.context(), { bundleInstanceId });
    expect(operation.price).toBe(1_000n + 4n * 500n);
    await refundCharge(world.operator, { operationId: operation.id, amount: "25", reason: "goodwill" });
    const before = await reseller.spendable();
    // The rest of April, and of May what the refund has left of the renewal's 30.00.
    const removed = await Promise.allSettled(memberIds.map((id) => cores(id, 1)));
    for (const id of memberIds) await cores(id, 1);
    expect(removed.some(({ status }) => status === "fulfilled")).toBe(true);
    const april = 4n * 500n - (4n * 500n * 29n) / 30n;
    expect((await reseller.spendable()) - before).toBeLessThanOrEqual(500n + april);
  });
});

describe("a credit with an unknown outcome", () => {
  test("is reserved until the provider confirms it, then posted", async () => {
    await placeLicense(world, licenseId, rehearsed.losesAnswer);
    const before = await reseller.wallet();
    expect(await change(1)).toMatchObject({ providerStatus: "pending", price: -20_150n });
    expect(await reseller.wallet()).toMatchObject({ posted: before.posted, held: 0n });
    expect(await codeOf(refund())).toBe("conflict");
    await reconcileOperations(world.operator, { early: true });
    expect(await spent()).toBe(1_800n);
  });

  test("is void if the provider has not done it; the cores stay and can be credited later", async () => {
    await placeLicense(world, licenseId, rehearsed.losesRequest);
    expect(await change(1)).toMatchObject({ providerStatus: "pending" });
    await reconcileOperations(world.operator, { early: true });
    expect(await reseller.license(licenseId)).toMatchObject({ cores: 32 });
    await clearRehearsed(world);
    world.setClock("2027-04-16T00:00:00Z");
    expect((await change(1)).price).toBe(-10_075n);
  });

  test("is void if the provider rejects it, and the charge can be refunded", async () => {
    await placeLicense(world, licenseId, rehearsed.rejects);
    expect(await codeOf(change(1))).toBe("core_change_rejected");
    expect(await refund()).toMatchObject({ amount: 20_150n });
  });
});

async function resellerAt(pricePerCore: bigint): Promise<ResellerWorld> {
  const dear = await world.reseller({ funds: "9000000" });
  const { cycleId } = await world.offer(dear.id, "web_server");
  const text =
    "insert into prices (cycle_id, reseller_id, currency, price, price_per_core) values ($1, $2, 'USD', 1800, $3)";
  await world.db.query(sql(text), [cycleId, dear.id, pricePerCore]);
  return dear;
}

describe("the price of a dry run is accepted for a minute, whatever a core costs (contract 3.6, 3.18)", () => {
  test.each([
    ["in the middle of a term", "2027-04-11T10:00:00Z"],
    ["while the first of two terms ends", "2027-04-30T23:59:30Z"],
  ])("%s", async (_, time) => {
    const dear = await resellerAt(10_000_000n);
    const license = await dear.register({ type: "web_server" });
    const order = { licenseId: license.licenseId, cores: 16 };
    await renewLicense(dear.context(), order);
    await changeLicenseCores(dear.context(), order);
    const at = (ms: number) => new Date(Date.parse(time) + ms);
    for (const cores of [1, 15, 17, 32]) {
      const preview = (agreed: { readonly agreedPrice?: bigint } = {}) =>
        previewCharge(dear.context(), (ctx) => changeLicenseCores(ctx, { ...order, cores, ...agreed }));
      world.setClock(at(0));
      const { price: agreedPrice } = await preview();
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 0, max: 60_000 }), async (ms) => {
          world.setClock(at(ms));
          expect((await preview({ agreedPrice })).price).toBe(agreedPrice);
        }),
        { numRuns: 20, examples: [[60_000]] },
      );
      world.setClock(at(61_000));
      expect(await codeOf(preview({ agreedPrice }))).toBe("price_changed");
    }
  });
});

test("a price quoted before a term's end is charged exactly after it, and the lots add up to it", async () => {
  // The term that ends costs a cent for each 2.6 seconds.
  const dear = await resellerAt(1_000_000n);
  const { licenseId } = await dear.register({ type: "web_server" });
  await renewLicense(dear.context(), { licenseId });
  world.setClock("2027-04-30T23:59:30Z");
  const { price } = await quoteCoreChange(dear.context(), { licenseId, cores: 2 });
  expect(price).toBe(1_000_012n);
  world.setClock("2027-05-01T00:00:20Z");
  const changed = await changeLicenseCores(dear.context(), { licenseId, cores: 2, agreedPrice: price });
  expect(changed).toMatchObject({ price, providerStatus: "updated" });
  // Only the term that is ahead is credited.
  const removed = await changeLicenseCores(dear.context(), { licenseId, cores: 1 });
  expect(removed.price).toBe(-999_992n);
});

describe("changes other than of cores do not change lots", () => {
  test("suspension and another address", async () => {
    await suspendLicense(reseller.context(), { licenseId });
    await changeLicenseIp(reseller.context(), { licenseId, newIp: world.freshIp() });
    expect((await change(1)).price).toBe(-20_150n);
  });

  test("the end of a term: an unused lot is not credited, and the renewal has its own lot", async () => {
    world.setClock("2027-06-10T08:00:00Z");
    expect(await codeOf(change(1))).toBe("state_invalid");
    await renewLicense(reseller.context(), { licenseId });
    world.setClock("2027-06-25T08:00:00Z");
    // Half of the 30 days from 10 June.
    expect((await change(1)).price).toBe(-10_075n);
    expect(await codeOf(refund("201.51"))).toBe("conflict");
    expect(await refund()).toMatchObject({ amount: 20_150n });
  });

  test("a retired cycle: cores cannot be added, and removing them credits their charge", async () => {
    const { cycleId } = await world.offer(reseller.id, "web_server");
    await world.db.query(sql("update prices set currency = 'CHF' where cycle_id = $1 and currency = 'USD'"), [cycleId]);
    try {
      expect((await change(2)).price).toBe(-19_500n);
      expect(await codeOf(change(3))).toBe("cycle_not_found");
      expect(await quoteCoreChange(reseller.context(), { licenseId, cores: 1 })).toMatchObject({
        price: -649n,
        renewalChange: null,
        renewalPrice: null,
      });
    } finally {
      await world.db.query(sql("update prices set currency = 'USD' where cycle_id = $1 and currency = 'CHF'"), [
        cycleId,
      ]);
    }
  });
});
