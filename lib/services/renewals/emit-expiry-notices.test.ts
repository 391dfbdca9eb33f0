import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { renewLicense } from "#lib/services/license/renew.ts";
import { sql } from "#tests/sql.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { emitExpiryNotices } from "./emit-expiry-notices.ts";

const DAY_MS = 86_400_000;
let world: World;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  world.setClock("2027-03-10T12:00:00Z");
  await world.db.query(sql("delete from notice_progress"), []);
  await emitExpiryNotices(world.operator);
});
afterAll(() => world.close());

const notices = (licenseId: number) =>
  world.db.query(
    sql<{ kind: string; days: number | null }>(`select kind, (data ->> 'days_left')::int as days from events
            where license_id = $1 and kind in ('license.expiring_soon', 'license.expired') order by occurred_at`),
    [licenseId],
  );
const soon = (days: number) => ({ kind: "license.expiring_soon", days });
const expired = { kind: "license.expired", days: null };

test("each of the reseller's notices and the expiry are emitted once", async () => {
  const reseller = await world.reseller();
  const { licenseId, expiresAt } = await reseller.register();
  const expected: unknown[] = [];
  for (const [daysLeft, news] of [
    [15, null],
    [14, soon(14)],
    [13, null],
    [4, null],
    [3, soon(3)],
    [1, null],
    [0, expired],
    [-1, null],
  ] as const) {
    world.setClock(new Date(expiresAt.getTime() - daysLeft * DAY_MS));
    await emitExpiryNotices(world.operator);
    await emitExpiryNotices(world.operator);
    if (news) expected.push(news);
    expect(await notices(licenseId)).toEqual(expected);
  }
});

test("two concurrent workers emit every notice once", async () => {
  const reseller = await world.reseller();
  const licenses = await Promise.all(Array.from({ length: 20 }, () => reseller.register()));
  world.advance(40 * DAY_MS);
  const rounds = await Promise.all(Array.from({ length: 4 }, () => emitExpiryNotices(world.operator)));
  await emitExpiryNotices(world.operator);
  expect(rounds.reduce((sum, round) => sum + round.expired, 0)).toBeGreaterThanOrEqual(20);
  for (const { licenseId } of licenses) expect(await notices(licenseId)).toEqual([expired]);
});

test("after weeks of downtime, only the nearest of the missed notices is emitted", async () => {
  const reseller = await world.reseller();
  const { licenseId, expiresAt } = await reseller.register();
  world.setClock(new Date(expiresAt.getTime() - 2 * DAY_MS));
  await emitExpiryNotices(world.operator);
  expect(await notices(licenseId)).toEqual([soon(2)]);
});

test("a renewed license has notices of its new end; a terminated or pending one has none", async () => {
  const reseller = await world.reseller();
  const renewed = await reseller.register();
  const terminated = await reseller.register();
  const pending = await reseller.register();
  const set = (text: string, id: number) => world.db.query(sql(text), [id]);
  await set("update licenses set terminated_at = now() where id = $1", terminated.licenseId);
  await set("update licenses set provisioned_at = null where id = $1", pending.licenseId);
  world.setClock("2027-04-10T12:00:00Z");
  await emitExpiryNotices(world.operator);
  await renewLicense(reseller.context(), { licenseId: renewed.licenseId });
  world.setClock("2027-04-26T12:00:00Z");
  await emitExpiryNotices(world.operator);
  world.setClock("2027-05-10T12:00:00Z");
  await emitExpiryNotices(world.operator);
  expect(await notices(renewed.licenseId)).toEqual([expired, soon(14), expired]);
  expect(await notices(terminated.licenseId)).toEqual([]);
  expect(await notices(pending.licenseId)).toEqual([]);
});

test("notices follow the reseller's days, without those that are too long for the cycle", async () => {
  const reseller = await world.reseller();
  await world.db.query(sql("update resellers set expiring_soon_days = '{60, 7}' where id = $1"), [reseller.id]);
  const monthly = await reseller.register({ months: 1 });
  const quarterly = await reseller.register({ months: 3 });
  for (let day = 0; day < 100; day++) {
    await emitExpiryNotices(world.operator);
    world.advance(DAY_MS);
  }
  expect(await notices(monthly.licenseId)).toEqual([soon(7), expired]);
  expect(await notices(quarterly.licenseId)).toEqual([soon(60), soon(7), expired]);
});

test("days that nobody used for a while apply to ends still farther away, not to all within them", async () => {
  const reseller = await world.reseller();
  const setDays = (days: string) =>
    world.db.query(sql("update resellers set expiring_soon_days = $2::int[] where id = $1"), [reseller.id, days]);
  await setDays("{21, 7}");
  await emitExpiryNotices(world.operator);
  await setDays("{7}");
  const { licenseId, expiresAt } = await reseller.register();
  world.setClock(new Date(expiresAt.getTime() - 15 * DAY_MS));
  await emitExpiryNotices(world.operator);
  await setDays("{21, 7}");
  await emitExpiryNotices(world.operator);
  expect(await notices(licenseId)).toEqual([]);
  const { licenseId: later } = await reseller.register();
  world.advance(10 * DAY_MS);
  await emitExpiryNotices(world.operator);
  expect(await notices(later)).toEqual([soon(21)]);
});

test("a clock that was weeks ahead and was corrected costs no later end its notices", async () => {
  const reseller = await world.reseller();
  world.advance(40 * DAY_MS);
  await emitExpiryNotices(world.operator);
  world.advance(-40 * DAY_MS);
  const { licenseId, expiresAt } = await reseller.register();
  for (const daysLeft of [15, 14, 3, 0]) {
    world.setClock(new Date(expiresAt.getTime() - daysLeft * DAY_MS));
    await emitExpiryNotices(world.operator);
  }
  expect(await notices(licenseId)).toEqual([soon(14), soon(3), expired]);
});

test("batches cover all ends without repetition, even if many are at one instant", async () => {
  const reseller = await world.reseller();
  await reseller.register();
  await world.db.query(
    sql(`insert into licenses (key, reseller_id, product_id, cycle_id, ip_address, issued_at, anchored_at, expires_at, provisioned_at)
           select 'bulk-' || i, l.reseller_id, l.product_id, l.cycle_id, '10.' || i / 65536 || '.' || i / 256 % 256 || '.' || i % 256,
                  l.issued_at, l.anchored_at, l.expires_at + make_interval(secs => i / 4000), now()
             from licenses l, generate_series(1, 6000) i where l.reseller_id = $1`),
    [reseller.id],
  );
  world.advance(40 * DAY_MS);
  expect((await emitExpiryNotices(world.operator)).expired).toBeGreaterThanOrEqual(6_001);
  expect((await emitExpiryNotices(world.operator)).expired).toBe(0);
  const [count] = await world.db.query(
    sql<{ notices: number }>(
      "select count(*)::int as notices from events where reseller_id = $1 and kind = 'license.expired'",
    ),
    [reseller.id],
  );
  expect(count?.notices).toBe(6_001);
});
