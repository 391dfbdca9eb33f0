import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { renewBundle } from "#lib/services/bundle/renew.ts";
import { changeLicenseCores } from "#lib/services/license/change-core.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { getRevenue } from "#lib/services/overview/revenue.ts";
import { checkLedger } from "#lib/services/wallet/check-ledger.ts";
import { refundCharge } from "#lib/services/wallet/refund.ts";
import { sql } from "#tests/sql.ts";
import { createInbox, FUNDS, type Inbox, PRICE } from "#tests/support/inbox.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";

const DAY_MS = 86_400_000;

let world: World;
let inbox: Inbox;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
  inbox = createInbox(world);
});
beforeEach(async () => {
  inbox.enterMidMonth();
  reseller = await inbox.begin();
});
afterAll(() => world.close());

const spent = async () => FUNDS - (await reseller.wallet()).posted;

test("a term that an admin charged and the provider later lost is refunded whole", async () => {
  const { details } = await inbox.otherTerm(1);
  await inbox.act(details.id, "charge");
  await inbox.compare();
  world.advance(1_000);
  await inbox.endTerm(details.reference, -1);
  const lost = await inbox.theCase("differs");
  await inbox.act(lost.details.id, "refund");
  expect(await spent()).toBe(PRICE);
  await inbox.expectDone(lost.details.id, "refunded");
});

test("after two renewals were cut and one was made again, cores added cost each month once", async () => {
  const { licenseId, licenseKey } = await reseller.register({ type: "web_server" });
  world.advance(1_000);
  for (let renewals = 0; renewals < 2; renewals++) await renewLicense(reseller.context(), { licenseId });
  await inbox.endTerm(licenseKey, -2);
  const { details } = await inbox.theCase("differs");
  await inbox.act(details.id, "refund");
  world.advance(1_000);
  const whole = await reseller.register({ type: "web_server" });
  for (const license of [licenseId, whole.licenseId]) await renewLicense(reseller.context(), { licenseId: license });
  const [cut, uncut] = [
    await changeLicenseCores(reseller.context(), { licenseId, cores: 2 }),
    await changeLicenseCores(reseller.context(), { licenseId: whole.licenseId, cores: 2 }),
  ];
  expect(cut.price).toBe(uncut.price);
  expect(await checkLedger(world.operator)).toEqual({ differences: 0 });
});

test("a bundle's term that an admin charged and the provider later lost is refunded whole", async () => {
  const { bundleId, cycleId } = await world.bundleOffer(reseller.id);
  const { instance, operation } = await registerBundle(reseller.context(), {
    bundleId,
    cycleId,
    ipAddress: world.freshIp(),
  });
  for (const { key } of instance.members) await inbox.endTerm(key, 1);
  await inbox.compare();
  const [ahead] = await inbox.openCases();
  await inbox.act(ahead?.id ?? 0, "charge");
  await inbox.compare();
  world.advance(1_000);
  for (const { key } of instance.members) await inbox.endTerm(key, -1);
  await inbox.compare();
  const [lost] = await inbox.openCases();
  await inbox.act(lost?.id ?? 0, "refund");
  expect(await spent()).toBe(operation.price);
  await inbox.expectDone(lost?.id ?? 0, "refunded");
});

const endAt = (key: string, at: Date) =>
  inbox.editBooks("update sandbox_provider_licenses set expires_at = $2 where reference = $1", [key, at]);

/** What the cores of a license's first term cost, less credits. */
async function chargedForFirstCores(licenseId: number): Promise<bigint> {
  const [row] = await world.db.query<{ charged: bigint }>(
    sql(`select (sum(lot.amount - used.credited_amount))::bigint as charged
           from core_lots lot cross join lateral core_lot_use(lot.id) used
          where lot.paid_term_id = (select min(id) from paid_terms where license_id = $1)`),
    [licenseId],
  );
  expect(row?.charged).toBeGreaterThan(0n);
  return row?.charged ?? 0n;
}

async function lose(licenseKey: string) {
  await inbox.forget(licenseKey);
  const { details, actions } = await inbox.theCase("charged_not_provisioned");
  const offer = actions.find(({ action }) => action === "refund");
  const before = await spent();
  await inbox.act(details.id, "refund");
  expect(before - (await spent())).toBe(offer?.money.wallet);
  await inbox.expectDone(details.id, "refunded");
}

async function restore(licenseKey: string, address: string) {
  await inbox.hold(licenseKey, address);
  const { details } = await inbox.theCase("provisioned_not_charged");
  await inbox.act(details.id, "adopt");
  await inbox.expectDone(details.id, "adopted");
}

test("a lost license is refunded its term and the renewals ahead; restored, it is charged the same again", async () => {
  const { licenseId, licenseKey } = await reseller.register({ months: 12 });
  world.advance(1_000);
  const { cycleId } = await world.offer(reseller.id, "control_panel", 1);
  await renewLicense(reseller.context(), { licenseId, cycleId });
  const paid = await spent();
  expect(paid).toBeGreaterThan(PRICE);
  for (const _ of ["once", "again"]) {
    await lose(licenseKey);
    expect(await spent()).toBe(0n);
    await restore(licenseKey, (await reseller.license(licenseId)).ipAddress);
    expect(await spent()).toBe(paid);
  }
});

test("a license that is lost in its second term is refunded that term, not the first", async () => {
  const { licenseId, licenseKey } = await reseller.register();
  world.advance(1_000);
  await renewLicense(reseller.context(), { licenseId });
  world.advance(40 * DAY_MS);
  await lose(licenseKey);
  expect(await spent()).toBe(PRICE);
});

test("a license that is lost in its second term is refunded the cores of that term, less what was credited for them", async () => {
  const { licenseId, licenseKey, operation } = await reseller.register({ type: "web_server" });
  world.advance(1_000);
  await renewLicense(reseller.context(), { licenseId });
  await changeLicenseCores(reseller.context(), { licenseId, cores: 5 });
  world.advance(1_000);
  await changeLicenseCores(reseller.context(), { licenseId, cores: 3 });
  world.advance(40 * DAY_MS);
  await changeLicenseCores(reseller.context(), { licenseId, cores: 2 });
  await lose(licenseKey);
  expect(await spent()).toBe(operation.price + (await chargedForFirstCores(licenseId)));
});

test("a bundle that is lost in its second term is refunded the cores of that term, not those of the first", async () => {
  const { bundleId, cycleId } = await world.bundleOffer(reseller.id);
  const order = { bundleId, cycleId, ipAddress: world.freshIp() };
  const { instance, operation } = await registerBundle(reseller.context(), order);
  const { id, key } = instance.members.find(({ coreMetered }) => coreMetered) ?? expect.unreachable();
  world.advance(1_000);
  await renewBundle(reseller.context(), { bundleInstanceId: instance.id });
  await changeLicenseCores(reseller.context(), { licenseId: id, cores: 5 });
  world.advance(40 * DAY_MS);
  await inbox.forget(key);
  await inbox.compare();
  const lost = (await inbox.openCases()).find(({ kind }) => kind === "charged_not_provisioned") ?? expect.unreachable();
  await inbox.act(lost.id, "refund");
  expect(await spent()).toBe(operation.price + (await chargedForFirstCores(id)));
});

test("a term that is cut and renewed and loses that renewal is refunded the renewal alone", async () => {
  for (const action of ["refund", "adopt"] as const) {
    reseller = await inbox.begin();
    const { licenseId, licenseKey, expiresAt } = await reseller.register();
    const half = new Date(Math.round((world.now().getTime() + expiresAt.getTime()) / 2_000) * 1_000);
    await endAt(licenseKey, half);
    const cut = await inbox.theCase("differs");
    await inbox.act(cut.details.id, action);
    const left = await spent();
    world.advance(1_000);
    await renewLicense(reseller.context(), { licenseId });
    await endAt(licenseKey, half);
    const lost = await inbox.theCase("differs");
    await inbox.act(lost.details.id, "refund");
    expect(await spent()).toBe(left);
    await inbox.expectDone(lost.details.id, "refunded");
  }
});

test("a license that is refunded and restored costs us its price at the provider once", async () => {
  await world.db.query(sql("update billing_cycles set cost_currency = 'USD', cost_price = 100"), []);
  const { licenseId, licenseKey } = await reseller.register();
  await lose(licenseKey);
  await restore(licenseKey, (await reseller.license(licenseId)).ipAddress);
  const { products } = await getRevenue(inbox.admin(), { resellerId: reseller.id });
  expect(products).toMatchObject([{ revenue: PRICE, cost: 100n, uncosted: 0n }]);
});

test("a restored license is not charged what an admin had refunded before it ended", async () => {
  const { operation, licenseId, licenseKey } = await reseller.register();
  await refundCharge(world.operator, { operationId: operation.id, amount: "4.50", reason: "Goodwill" });
  const left = await spent();
  expect(left).toBe(PRICE - 450n);
  world.advance(60_000);
  await lose(licenseKey);
  expect(await spent()).toBe(0n);
  await restore(licenseKey, (await reseller.license(licenseId)).ipAddress);
  expect(await spent()).toBe(left);
});

test("a restored license is not charged for a renewal that was refunded before it ended", async () => {
  const { details } = await inbox.otherTerm(-1);
  await inbox.act(details.id, "refund");
  await inbox.expectDone(details.id, "refunded");
  expect(await spent()).toBe(PRICE);
  const { ipAddress } = await reseller.license(details.licenseId ?? 0);
  await lose(details.reference);
  expect(await spent()).toBe(0n);
  await restore(details.reference, ipAddress);
  expect(await spent()).toBe(PRICE);
});
