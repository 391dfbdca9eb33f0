import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { reconcileOperations } from "#lib/services/operation/reconcile.ts";
import { sql } from "#tests/sql.ts";
import { codeOf, placeLicense, rehearsed } from "#tests/support/faults.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { changeLicenseCores } from "./change-core.ts";
import { readCoreChange } from "./core-change.ts";
import { renewLicense } from "./renew.ts";

let world: World;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  world.setClock("2027-04-01T00:00:00Z");
  reseller = await world.reseller();
});
afterAll(() => world.close());

const change = (licenseId: number, cores: number) => changeLicenseCores(reseller.context(), { licenseId, cores });

test("charges cores added × price per core × remaining share of the cycle (contract 3.6)", async () => {
  const { licenseId } = await reseller.register({ type: "web_server" });
  // On 16 April, half of 30 days remain.
  world.setClock("2027-04-16T00:00:00Z");
  expect(await change(licenseId, 4)).toMatchObject({
    oldCores: 1,
    newCores: 4,
    price: 975n,
    currency: "USD",
    balanceAfter: 100_000n - 1800n - 975n,
    providerStatus: "updated",
  });
  expect(await reseller.license(licenseId)).toMatchObject({ cores: 4 });
});

test("a reduction is a negative price: cores removed at once credit their full charge", async () => {
  const { licenseId } = await reseller.register({ type: "web_server" });
  world.setClock("2027-04-10T07:13:00Z");
  const up = await change(licenseId, 8);
  const down = await change(licenseId, 1);
  expect(down.price).toBe(-up.price);
  expect(down.balanceAfter).toBe(100_000n - 1800n);
  expect(await reseller.entries()).toEqual([100_000n, -1800n, -up.price, up.price]);
  expect(await reseller.difference()).toBeNull();
});

test("a charge requires balance, a credit does not", async () => {
  const poor = await world.reseller({ funds: "31" });
  const { licenseId } = await poor.register({ type: "web_server" });
  const ctx = poor.context();
  expect(await changeLicenseCores(ctx, { licenseId, cores: 3 })).toMatchObject({ price: 1300n, balanceAfter: 0n });
  expect(await codeOf(changeLicenseCores(ctx, { licenseId, cores: 4 }))).toBe("insufficient_balance");
  expect(await changeLicenseCores(ctx, { licenseId, cores: 2 })).toMatchObject({ price: -650n, balanceAfter: 650n });
});

test("a license renewed ahead pays for the rest of the current cycle and every later one", async () => {
  const { licenseId } = await reseller.register({ type: "web_server" });
  await renewLicense(reseller.context(), { licenseId });
  world.setClock("2027-04-16T00:00:00Z");
  // Half of April and all of May.
  expect(await change(licenseId, 2)).toMatchObject({ price: 325n + 650n });
});

test("each term costs its own cycle's price for its own length, also in a leap year", async () => {
  const { licenseId } = await reseller.register({ type: "web_server" });
  const { cycleId } = await world.offer(reseller.id, "web_server", 12);
  await renewLicense(reseller.context(), { licenseId, cycleId });
  // April by the month, and from 1 May 2027 to 1 May 2028 by the year.
  expect(await change(licenseId, 2)).toMatchObject({ price: 650n + 6_500n });
  world.setClock("2028-03-01T00:00:00Z");
  // 61 of the 366 days.
  expect(await change(licenseId, 1)).toMatchObject({ price: -1_083n });
});

test("the same number of cores: price 0, unchanged, nothing sent", async () => {
  const { licenseId } = await reseller.register({ type: "web_server" });
  expect(await change(licenseId, 1)).toMatchObject({
    price: 0n,
    providerStatus: "unchanged",
    balanceAfter: 98_200n,
    operationId: null,
  });
  expect(await reseller.operations()).toHaveLength(1);
});

test("a product without cores: NOT_CORE_METERED", async () => {
  const { licenseId } = await reseller.register({ type: "control_panel" });
  expect(await codeOf(change(licenseId, 2))).toBe("not_core_metered");
});

test("an expired license is rejected: renew first (docs/decisions/0003)", async () => {
  const { licenseId, expiresAt } = await reseller.register({ type: "web_server" });
  world.setClock(expiresAt);
  expect(await codeOf(change(licenseId, 2))).toBe("state_invalid");
});

test("a change that is planned while a paid term ends is priced at its start, and settles", async () => {
  for (const readings of [1, 2, 3, 4]) {
    for (const isRenewedAhead of [false, true]) {
      const { licenseId, expiresAt } = await reseller.register({ type: "web_server" });
      if (isRenewedAhead) await renewLicense(reseller.context(), { licenseId });
      let left = readings;
      const now = () => new Date(expiresAt.getTime() + (left-- > 0 ? -2 : 3));
      const changed = await changeLicenseCores({ ...reseller.context(), now }, { licenseId, cores: 2 });
      expect(changed).toMatchObject({ providerStatus: "updated", price: isRenewedAhead ? 650n : 0n });
      expect((await reseller.license(licenseId)).openOperationId).toBeNull();
    }
  }
});

test("a license that loses its last paid term while it is read is expired", async () => {
  const { licenseId, expiresAt } = await reseller.register({ type: "web_server" });
  const license = await reseller.license(licenseId);
  const reading = readCoreChange(reseller.context(), reseller.id, license, { newCores: 2, now: expiresAt });
  expect(await codeOf(reading)).toBe("state_invalid");
});

test("an operation whose plan has a lot without time settles without that lot", async () => {
  const { licenseId, expiresAt } = await reseller.register({ type: "web_server" });
  await renewLicense(reseller.context(), { licenseId });
  await placeLicense(world, licenseId, rehearsed.losesAnswer);
  world.setClock(new Date(expiresAt.getTime() - 2));
  expect(await change(licenseId, 2)).toMatchObject({ providerStatus: "pending", price: 650n });
  await world.db.query(
    sql(`update operations set plan = jsonb_set(plan, '{onSuccess,coreLots,0,startsAt}', plan #> '{onSuccess,coreLots,0,endsAt}')
          where license_id = $1 and state = 'unknown'`),
    [licenseId],
  );
  world.advance(60_000);
  expect(await reconcileOperations(world.operator, { early: true })).toMatchObject({ succeeded: 1 });
  expect(await reseller.license(licenseId)).toMatchObject({ cores: 2, openOperationId: null });
});
