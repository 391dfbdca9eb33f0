/** A run that is stopped for a while, as a worker whose machine sleeps is, while its reseller changes what it may charge. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { setBundleAutoRenew } from "#lib/services/bundle/set-auto-renew.ts";
import { setLicenseAutoRenew } from "#lib/services/license/set-auto-renew.ts";
import { setRenewalSettings } from "#lib/services/reseller/set-renewal-settings.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { createFaultyDatabase } from "#tests/support/faulty-database.ts";
import { expectBooksToAgree } from "#tests/support/invariants.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { START } from "#tests/support/start.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { announceRisenPrices } from "./announce-prices.ts";
import { runDueRenewals } from "./run-due.ts";
import { setPriceRules } from "./set-price-rules.ts";

const DAY_MS = 86_400_000;
let world: World;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

interface Due {
  readonly reseller: ResellerWorld;
  readonly expiresAt: Date;
  setAutoRenew(on: boolean): Promise<unknown>;
}

async function buy(inBundle: boolean): Promise<Due & { readonly cycleId: number }> {
  const reseller = await world.reseller({ funds: "500" });
  if (!inBundle) {
    const { cycleId } = await world.offer(reseller.id, "control_panel");
    const { licenseId, expiresAt } = await reseller.register({ type: "control_panel" });
    const setAutoRenew = (on: boolean) => setLicenseAutoRenew(reseller.context(), { licenseId, on });
    return { reseller, expiresAt, cycleId, setAutoRenew };
  }
  const { bundleId, cycleId } = await world.bundleOffer(reseller.id);
  const ipAddress = world.freshIp();
  const { instance } = await registerBundle(reseller.context(), { bundleId, cycleId, ipAddress });
  const setAutoRenew = (on: boolean) => setBundleAutoRenew(reseller.context(), { bundleInstanceId: instance.id, on });
  return { reseller, expiresAt: instance.expiresAt, cycleId, setAutoRenew };
}

/** 11 days before its end, at a price that has risen by 7 %. */
async function buyBeforeRise(inBundle: boolean): Promise<Due> {
  world.setClock(START);
  const due = await buy(inBundle);
  await due.setAutoRenew(true);
  await world.db.query(
    sql(`insert into prices (cycle_id, reseller_id, currency, price, setup_fee, price_per_core)
           select cycle_id, $2, currency, price * 107 / 100, 0, price_per_core from prices
            where cycle_id = $1 and reseller_id is null and currency = 'USD'`),
    [due.cycleId, due.reseller.id],
  );
  world.setClock(new Date(due.expiresAt.getTime() - 11 * DAY_MS));
  return due;
}

const announce = ({ reseller }: Due, db = world.db) =>
  announceRisenPrices({ ...world.operator, db }, { resellerId: reseller.id });

/** Due at a price that has risen by 7 % and was announced. */
async function becomeDue(inBundle: boolean): Promise<Due> {
  const due = await buyBeforeRise(inBundle);
  expect(await announce(due)).toBe(1);
  world.setClock(new Date(due.expiresAt.getTime() - 3 * DAY_MS));
  return due;
}

const run = ({ reseller }: Due, db = world.db) =>
  runDueRenewals({ ...world.operator, db }, { resellerId: reseller.id });
const rules = ({ reseller }: Due, noticeDays: number, maxIncreasePercent: number | null) =>
  setPriceRules(world.context(actors.user(reseller.id)), { noticeDays, maxIncreasePercent });

const changes: Record<string, (due: Due) => Promise<unknown>> = {
  "auto-renew is off": (due) => due.setAutoRenew(false),
  "the reseller's limit is below the price": (due) => rules(due, 7, 6),
  "the notice takes longer": (due) => rules(due, 9, null),
  "it renews later": ({ reseller }) =>
    setRenewalSettings(reseller.admin(), { resellerId: reseller.id, renewAheadDays: 1 }),
};

/** The names of its statements up to the hold. */
async function statementsOf(inBundle: boolean): Promise<string[]> {
  const names: string[] = [];
  const { db } = createFaultyDatabase(world.db, null, (name) => names.push(name) > 0);
  expect(await run(await becomeDue(inBundle), db)).toMatchObject({ renewed: 1 });
  return names.slice(0, names.indexOf("hold_operations") + 1);
}

describe.each([
  ["a license", false],
  ["a bundle", true],
])("a run of automatic renewals that resumes before the hold of %s", (_, inBundle) => {
  test.each(Object.entries(changes))("charges nothing once %s", async (_, change) => {
    const statements = await statementsOf(inBundle);
    expect(statements.length).toBeGreaterThan(3);
    for (const at of statements.keys()) {
      const due = await becomeDue(inBundle);
      const { db, paused, resume } = createFaultyDatabase(world.db, { at: at + 1, when: "before", kind: "pause" });
      const running = run(due, db);
      await paused;
      await change(due);
      const before = await due.reseller.spendable();
      resume();
      expect(await running, `stopped before ${statements[at]}`).toMatchObject({ renewed: 0, pending: 0 });
      expect(await due.reseller.spendable()).toBe(before);
    }
    await expectBooksToAgree(world.db);
  });
});

describe.each([
  ["a license", false],
  ["a bundle", true],
])("an announcement of the price of %s", (_, inBundle) => {
  test("begins its notice when it is stored, however long its run has slept since it read the price", async () => {
    for (const at of [1, 2]) {
      const due = await buyBeforeRise(inBundle);
      const { db, paused, resume } = createFaultyDatabase(world.db, { at, when: "after", kind: "pause" });
      const running = announce(due, db);
      await paused;
      world.advance(3 * DAY_MS);
      resume();
      expect(await running).toBe(1);
      const announced = await world.db.query(
        sql<{ occurred_at: Date; data: { charged_from: string } }>(`
          select occurred_at, data from events where reseller_id = $1 and data ? 'charged_from'`),
        [due.reseller.id],
      );
      const chargedFrom = new Date(world.now().getTime() + 7 * DAY_MS).toISOString().replace(".000", "");
      const expected = { occurred_at: world.now(), data: expect.objectContaining({ charged_from: chargedFrom }) };
      expect(announced).toEqual(Array(announced.length || 1).fill(expected));
    }
  });
});
