import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { changeLicenseCores } from "#lib/services/license/change-core.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { setLicenseAutoRenew } from "#lib/services/license/set-auto-renew.ts";
import { runDueRenewals } from "#lib/services/renewals/run-due.ts";
import { setPriceRules } from "#lib/services/renewals/set-price-rules.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { createInbox, type Inbox, PRICE } from "#tests/support/inbox.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";

/** Of a web server: today's price of a month and of each further core, when it was bought and later. */
const [WEB, CORE] = [1_800n, 650n];
const RISEN = 9_900n;
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

const setPrice = (cycleId: number, price: bigint) =>
  world.db.query(
    sql(`insert into prices (cycle_id, reseller_id, currency, price, setup_fee) values ($1, $2, 'USD', $3, 0)
           on conflict (cycle_id, currency, reseller_id) do update set price = $3`),
    [cycleId, reseller.id, price],
  );
const setCores = (key: string, cores: number) =>
  inbox.editBooks("update sandbox_provider_licenses set cores = $2 where reference = $1", [key, cores]);

type Table = "licenses" | "bundle_instances";
/** Announces a price for the next renewal. */
const announce = (table: Table, id: number, price: bigint) =>
  world.db.query(
    sql(`update ${table} set announced_renewal_price = $2, renewal_price_announced_at = $3 where id = $1`),
    [id, price, world.now()],
  );
async function pricesOf(table: Table, id: number) {
  const [row] = await world.db.query(
    sql<{ agreed: bigint | null; announced: bigint | null; at: Date | null }>(
      `select agreed_renewal_price as agreed, announced_renewal_price as announced, renewal_price_announced_at as at
         from ${table} where id = $1`,
    ),
    [id],
  );
  return row ?? expect.unreachable();
}

async function bundle() {
  const { bundleId, cycleId } = await world.bundleOffer(reseller.id);
  const { instance } = await registerBundle(reseller.context(), { bundleId, cycleId, ipAddress: world.freshIp() });
  world.advance(1_000);
  const metered = instance.members.find(({ coreMetered }) => coreMetered) ?? expect.unreachable();
  return { instance, metered, cycleId };
}

async function decide(action: "adopt" | "charge" | "refund") {
  await inbox.compare();
  const [found] = await inbox.openCases();
  await inbox.act(found?.id ?? expect.unreachable(), action);
}

test("a renewal that an admin charges does not raise what auto-renew may charge next", async () => {
  const { cycleId } = await world.offer(reseller.id, "control_panel");
  const { licenseId, licenseKey } = await reseller.register();
  await setLicenseAutoRenew(reseller.context(), { licenseId, on: true });
  const user = world.context(actors.user(reseller.id));
  await setPriceRules(user, { noticeDays: 7, maxIncreasePercent: 0 });
  await setPrice(cycleId, RISEN);
  await announce("licenses", licenseId, RISEN);
  const before = await pricesOf("licenses", licenseId);
  await inbox.endTerm(licenseKey, 1);
  await decide("charge");
  expect((await reseller.entries()).at(-1)).toBe(-RISEN);
  expect(await pricesOf("licenses", licenseId)).toEqual(before);
  const { expiresAt } = await reseller.license(licenseId);
  world.setClock(new Date(expiresAt.getTime() - DAY_MS));
  expect(await runDueRenewals(world.operator, { resellerId: reseller.id })).toMatchObject({ renewed: 0, failed: 1 });
});

test("a renewal that an admin charges at a lower price lowers the agreed one, as any renewal", async () => {
  const { cycleId } = await world.offer(reseller.id, "control_panel");
  const { licenseId, licenseKey } = await reseller.register();
  await setPrice(cycleId, PRICE - 100n);
  await inbox.endTerm(licenseKey, 1);
  await decide("charge");
  expect(await pricesOf("licenses", licenseId)).toMatchObject({ agreed: PRICE - 100n });
});

test("a bundle's renewal that an admin charges does not raise its agreed price", async () => {
  const { instance, cycleId } = await bundle();
  await setPrice(cycleId, RISEN);
  await announce("bundle_instances", instance.id, RISEN);
  const before = await pricesOf("bundle_instances", instance.id);
  for (const { key } of instance.members) await inbox.endTerm(key, 1);
  await decide("charge");
  expect((await reseller.entries()).at(-1)).toBe(-RISEN);
  expect(await pricesOf("bundle_instances", instance.id)).toEqual(before);
});

test("cores that an admin charges do not raise the agreed price, of a license or a bundle", async () => {
  const { licenseId, licenseKey } = await reseller.register({ type: "web_server" });
  world.advance(1_000);
  await setCores(licenseKey, 3);
  await decide("charge");
  expect(await reseller.license(licenseId)).toMatchObject({ cores: 3 });
  expect(await pricesOf("licenses", licenseId)).toMatchObject({ agreed: WEB });

  const { instance, metered } = await bundle();
  const before = await pricesOf("bundle_instances", instance.id);
  await setCores(metered.key, 3);
  await decide("charge");
  expect(await pricesOf("bundle_instances", instance.id)).toEqual(before);
});

test.each(["adopt", "refund"] as const)(
  "fewer cores, after %s, are no longer in the agreed or announced price of a license",
  async (action) => {
    const { licenseId, licenseKey } = await reseller.register({ type: "web_server" });
    world.advance(1_000);
    await renewLicense(reseller.context(), { licenseId });
    await changeLicenseCores(reseller.context(), { licenseId, cores: 3 });
    expect(await pricesOf("licenses", licenseId)).toMatchObject({ agreed: WEB + 2n * CORE });
    await announce("licenses", licenseId, RISEN);
    await setCores(licenseKey, 2);
    await decide(action);
    expect(await reseller.license(licenseId)).toMatchObject({ cores: 2 });
    expect(await pricesOf("licenses", licenseId)).toMatchObject({ agreed: WEB + CORE, announced: WEB + CORE });
  },
);

test.each(["adopt", "refund"] as const)(
  "fewer cores, after %s, are no longer in the agreed or announced price of a bundle",
  async (action) => {
    const { instance, metered } = await bundle();
    const { agreed } = await pricesOf("bundle_instances", instance.id);
    await changeLicenseCores(reseller.context(), { licenseId: metered.id, cores: 3 });
    await announce("bundle_instances", instance.id, RISEN);
    await setCores(metered.key, 1);
    await decide(action);
    expect(await pricesOf("bundle_instances", instance.id)).toMatchObject({ agreed, announced: agreed });
  },
);
