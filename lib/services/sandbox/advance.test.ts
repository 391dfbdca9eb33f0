import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openDatabase } from "#lib/db/connection/client.ts";
import { advanceLicenseRow } from "#lib/db/reseller/sandbox.ts";
import { deriveLicenseStatus } from "#lib/domain/license-status.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { changeLicenseCores } from "#lib/services/license/change-core.ts";
import { setLicenseAutoRenew } from "#lib/services/license/set-auto-renew.ts";
import { terminateLicense } from "#lib/services/license/terminate.ts";
import { reconcileOperations } from "#lib/services/operation/reconcile.ts";
import { emitExpiryNotices } from "#lib/services/renewals/emit-expiry-notices.ts";
import { runDueRenewals } from "#lib/services/renewals/run-due.ts";
import { checkLedger } from "#lib/services/wallet/check-ledger.ts";
import { sql } from "#tests/sql.ts";
import { codeOf } from "#tests/support/faults.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { sandboxOf, userOf } from "#tests/support/sandbox.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { advanceLicense } from "./advance.ts";
import { setRehearsal } from "./rehearsal.ts";

const DAY_MS = 86_400_000;
let world: World;
let live: ResellerWorld;
let sandbox: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  live = await world.reseller();
  sandbox = await sandboxOf(world, live);
});
afterAll(() => world.close());

const user = (reseller: ResellerWorld) => userOf(world, reseller);
async function rows<Row>(text: string, ...values: unknown[]): Promise<Row[]> {
  return world.db.query(sql<Row & Record<string, unknown>>(text), values) as Promise<Row[]>;
}
const statusOf = async (reseller: ResellerWorld, id: number) =>
  deriveLicenseStatus(await reseller.license(id), world.now());

describe("a license of a sandbox moves ahead", () => {
  test("to its end: it expires, with its event, once", async () => {
    const { licenseId } = await sandbox.register({ months: 12 });
    await advanceLicense(user(sandbox), { licenseId, daysBeforeEnd: 0 });
    expect(await statusOf(sandbox, licenseId)).toBe("active");
    world.advance(11_000);
    await emitExpiryNotices(world.operator);
    await emitExpiryNotices(world.operator);
    expect(await statusOf(sandbox, licenseId)).toBe("expired");
    expect(await sandbox.eventKinds()).toEqual(["license.activated", "license.expired"]);
    expect(await codeOf(advanceLicense(user(sandbox), { licenseId, daysBeforeEnd: 0 }))).toBe("state_invalid");
  });

  test("to the very second, whatever the session's time zone", async () => {
    world.setClock("2027-06-15T12:00:00Z");
    const { licenseId } = await sandbox.register({ type: "web_server", months: 12 });
    await changeLicenseCores(sandbox.context(), { licenseId, cores: 3 });
    const db = openDatabase({ url: world.url, poolSize: 1 });
    await db.query(sql("set timezone = 'America/New_York'"), []);
    try {
      await advanceLicense({ ...user(sandbox), db }, { licenseId, daysBeforeEnd: 180 });
    } finally {
      await db.close();
    }
    const times = `select l.expires_at as "expiresAt", t.ends_at - t.starts_at = make_interval(days => 366) as "isWhole"
                     from licenses l join paid_terms t on t.license_id = l.id where l.id = $1`;
    const expiresAt = new Date(world.now().getTime() + 180 * DAY_MS + 10_000);
    expect(await rows(times, licenseId)).toEqual([{ expiresAt, isWhole: true }]);
  });

  test("to its automatic renewal, which extends the term from its moved end", async () => {
    const { licenseId } = await sandbox.register();
    const { price } = (await world.offer(sandbox.id, "control_panel")).cycle;
    await setLicenseAutoRenew(user(sandbox), { licenseId, on: true, agreedPrice: price });
    await advanceLicense(user(sandbox), { licenseId, daysBeforeEnd: 3 });
    const { expiresAt } = await sandbox.license(licenseId);
    world.advance(11_000);
    await runDueRenewals(world.operator);
    const renewed = await sandbox.license(licenseId);
    expect(renewed.expiresAt.getTime() - expiresAt.getTime()).toBeGreaterThan(27 * DAY_MS);
    expect((await sandbox.entries()).slice(1)).toEqual([-price, -price]);
  });

  test("with its cores: what is given back later is credited for the moved term", async () => {
    const { licenseId } = await sandbox.register({ type: "web_server", months: 12 });
    const added = await changeLicenseCores(sandbox.context(), { licenseId, cores: 3 });
    const { expiresAt } = await sandbox.license(licenseId);
    await advanceLicense(user(sandbox), { licenseId, daysBeforeEnd: 30 });
    const credit = await changeLicenseCores(sandbox.context(), { licenseId, cores: 1 });
    const share = (30 * DAY_MS) / (expiresAt.getTime() - world.now().getTime());
    expect(Number(-credit.price) / Number(added.price)).toBeCloseTo(share, 2);
  });

  test("after a credit for cores, and the operator's ledger check stays without differences", async () => {
    const { licenseId } = await sandbox.register({ type: "web_server", months: 12 });
    for (const cores of [3, 1]) {
      world.advance(1_000);
      await changeLicenseCores(sandbox.context(), { licenseId, cores });
    }
    await advanceLicense(user(sandbox), { licenseId, daysBeforeEnd: 30 });
    expect(await checkLedger(world.operator)).toEqual({ differences: 0 });
  });

  test("not while another license of its bundle is being changed", async () => {
    const { bundleId, cycleId } = await world.bundleOffer(sandbox.id);
    const { instance } = await registerBundle(sandbox.context(), { bundleId, cycleId, ipAddress: world.freshIp() });
    const [metered, other] = [true, false].map((isMetered) =>
      instance.members.find(({ cores }) => (cores !== null) === isMetered),
    );
    await setRehearsal(user(sandbox), { outcome: "lose_answer", remaining: 1 });
    await changeLicenseCores(sandbox.context(), { licenseId: metered?.id as never, cores: 3 });
    const ahead = { licenseId: other?.id as never, daysBeforeEnd: 3 };
    expect(await codeOf(advanceLicense(user(sandbox), ahead))).toBe("state_invalid");
    world.advance(60_000);
    await reconcileOperations(world.operator, { early: true });
    await advanceLicense(user(sandbox), ahead);
  });

  test("with the whole bundle, and every date of it by the same time", async () => {
    const { bundleId, cycleId } = await world.bundleOffer(sandbox.id);
    const { instance } = await registerBundle(sandbox.context(), { bundleId, cycleId, ipAddress: world.freshIp() });
    const licenseId = instance.members.find(({ cores }) => cores !== null)?.id as never;
    for (const cores of [3, 1]) {
      world.advance(1_000);
      await changeLicenseCores(sandbox.context(), { licenseId, cores });
    }
    await rows("update bundle_instances set renewal_price_announced_at = issued_at where id = $1", instance.id);
    await rows(
      `update licenses set renewal_price_announced_at = issued_at, suspended_at = issued_at, suspended_by = 'admin'
        where bundle_instance_id = $1`,
      instance.id,
    );
    const datesOf = () =>
      rows<{ name: string; at: Date }>(
        `with unit as (select * from licenses where bundle_instance_id = $1), found (source, facts) as (
           select 'license', to_jsonb(u) from unit u
           union all select 'bundle', to_jsonb(b) from bundle_instances b where b.id = $1
           union all select 'term', to_jsonb(t) from paid_terms t join unit u on u.id = t.license_id
           union all select 'lot', to_jsonb(t) from core_lots t join unit u on u.id = t.license_id
           union all select 'credit', to_jsonb(c) from core_credits c join core_lots t on t.id = c.lot_id
                                                                     join unit u on u.id = t.license_id
           union all select 'provider', to_jsonb(s) from sandbox_provider_licenses s join unit u on u.key = s.reference)
         select source || ' ' || key as name, value::timestamptz as at from found, jsonb_each_text(facts)
          where value ~ '^\\d{4}-\\d\\d-\\d\\dT' order by 1, 2`,
        instance.id,
      );
    const before = await datesOf();
    const { expiresAt } = await sandbox.license(licenseId);
    await advanceLicense(user(sandbox), { licenseId, daysBeforeEnd: 5 });
    const shift = expiresAt.getTime() - (await sandbox.license(licenseId)).expiresAt.getTime();
    expect(await datesOf()).toEqual(before.map(({ name, at }) => ({ name, at: new Date(at.getTime() - shift) })));
    expect(new Set(before.map(({ name }) => name.split(" ")[0])).size).toBe(6);
  });

  test("not once it is terminated", async () => {
    const { licenseId } = await sandbox.register();
    await terminateLicense(sandbox.context(), { licenseId });
    expect(await codeOf(advanceLicense(user(sandbox), { licenseId, daysBeforeEnd: 3 }))).toBe("state_invalid");
  });

  test("a license outside of a sandbox is never moved ahead, even if the service lets it through", async () => {
    const { licenseId } = await live.register();
    const { expiresAt } = await live.license(licenseId);
    const ahead = new Date(expiresAt.getTime() - DAY_MS);
    expect(await advanceLicenseRow(world.db, live.id, licenseId, ahead)).toBe(false);
    expect(await live.license(licenseId)).toMatchObject({ expiresAt });
  });

  test.each([-1, 0.5, 3_651])("not to %s days before its end", async (daysBeforeEnd) => {
    const { licenseId } = await sandbox.register();
    expect(await codeOf(advanceLicense(user(sandbox), { licenseId, daysBeforeEnd }))).toBe("parameters_invalid");
  });
});
