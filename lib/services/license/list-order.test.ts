import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ipv4Number } from "#lib/domain/ipv4.ts";
import { parseIpv4Range } from "#lib/domain/ipv4-range.ts";
import { type LicenseCursor, type LicenseOrder, licenseOrders } from "#lib/domain/license-order.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { setBundleAutoRenew } from "#lib/services/bundle/set-auto-renew.ts";
import { sql } from "#tests/sql.ts";
import { ip } from "#tests/support/faults.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { countLicenses, type LicenseFilter, type LicenseListItem, listLicenses } from "./list.ts";
import { setLicenseAutoRenew } from "./set-auto-renew.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

const DAY_MS = 86_400_000;
/** Would sort differently as text. */
const addresses = ["10.0.0.9", "10.0.0.10", "9.255.255.255", "100.0.0.1", "203.0.113.7", "10.0.1.0", "2.2.2.2"];

interface Row {
  readonly ip: string;
  readonly endsInDays: number;
}

const rows: fc.Arbitrary<readonly Row[]> = fc.uniqueArray(
  fc.record({ ip: fc.constantFrom(...addresses), endsInDays: fc.constantFrom(1, 2, 3) }),
  { selector: ({ ip }) => ip },
);

/** Terminated, as an address has at most one live license of a product. */
async function insert(reseller: ResellerWorld, made: readonly Row[]): Promise<void> {
  const { productId, cycleId } = await world.offer(reseller.id, "control_panel");
  const now = Date.now();
  for (const { ip, endsInDays } of made) {
    await world.db.query(
      sql(`insert into licenses (key, reseller_id, product_id, cycle_id, ip_address, issued_at, anchored_at, expires_at, terminated_at)
             values (gen_random_uuid()::text, $1, $2, $3, $4, $5, $5, $6, $5)`),
      [reseller.id, productId, cycleId, ip, new Date(now - DAY_MS), new Date(now + endsInDays * DAY_MS)],
    );
  }
}

const sortKeys: Record<LicenseOrder, (license: LicenseListItem) => readonly [number, number]> = {
  newest: ({ id }) => [-id, 0],
  oldest: ({ id }) => [id, 0],
  ends_first: ({ expiresAt, id }) => [expiresAt.getTime(), id],
  ends_last: ({ expiresAt, id }) => [-expiresAt.getTime(), -id],
  address: ({ ipAddress, id }) => [ipv4Number(ipAddress), id],
  address_last: ({ ipAddress, id }) => [-ipv4Number(ipAddress), -id],
};

function inOrder(licenses: readonly LicenseListItem[], order: LicenseOrder): number[] {
  const key = sortKeys[order];
  return licenses.toSorted((a, b) => key(a)[0] - key(b)[0] || key(a)[1] - key(b)[1]).map(({ id }) => id);
}

test("in every order, paging forward lists each license once, and paging back shows the same pages", async () => {
  await fc.assert(
    fc.asyncProperty(rows, fc.integer({ min: 1, max: 4 }), async (made, limit) => {
      const reseller = await world.reseller({ funds: "0" });
      await insert(reseller, made);
      const ctx = reseller.context();
      const all = (await listLicenses(ctx, { filter: {}, order: "newest", after: null, limit: 100 })).rows;
      for (const order of licenseOrders) {
        const forth: number[][] = [];
        let after: LicenseCursor | null = null;
        let back: LicenseCursor | null = null;
        do {
          const page: Awaited<ReturnType<typeof listLicenses>> = await listLicenses(ctx, {
            filter: {},
            order,
            after,
            limit,
          });
          forth.push(page.rows.map(({ id }) => id));
          back = page.previous;
          after = page.next;
        } while (after !== null);
        expect(forth.flat()).toEqual(inOrder(all, order));
        for (const expected of forth.slice(0, -1).toReversed()) {
          const page = await listLicenses(ctx, { filter: {}, order, after: null, before: back, limit });
          expect(page.rows.map(({ id }) => id)).toEqual(expected);
          back = page.previous;
        }
        expect(back).toBeNull();
      }
    }),
    { numRuns: 12 },
  );
});

async function found(reseller: ResellerWorld, filter: LicenseFilter): Promise<number[]> {
  const ctx = reseller.context();
  const { rows: licenses } = await listLicenses(ctx, { filter, order: "oldest", after: null, limit: 100 });
  expect(await countLicenses(ctx, { filter })).toEqual({ count: licenses.length, more: false });
  return licenses.map(({ id }) => id);
}

test("a range matches addresses as numbers, not text", async () => {
  const reseller = await world.reseller({ funds: "0" });
  await insert(
    reseller,
    addresses.map((ip) => ({ ip, endsInDays: 1 })),
  );
  const all = (await listLicenses(reseller.context(), { filter: {}, order: "oldest", after: null, limit: 100 })).rows;
  const on = (prefix: string) =>
    all.filter(({ ipAddress }) => ipAddress.startsWith(prefix)).map(({ id }) => id as number);
  for (const [text, prefix] of [
    ["10.0.0", "10.0.0."],
    ["10", "10."],
    ["203.0.113.7", "203.0.113.7"],
    ["2", "2."],
  ] as const) {
    const range = parseIpv4Range(text);
    if (range === null) return expect.unreachable();
    expect(await found(reseller, { addresses: range }), text).toEqual(on(prefix));
  }
});

test("filters by auto-renew and bundle use the bundle's renewal for its members", async () => {
  const reseller = await world.reseller();
  const manual = (await reseller.register()).licenseId;
  const automatic = (await reseller.register()).licenseId;
  await setLicenseAutoRenew(reseller.context(), { licenseId: automatic, on: true });
  const { bundleId, cycleId } = await world.bundleOffer(reseller.id);
  const { instance } = await registerBundle(reseller.context(), { bundleId, cycleId, ipAddress: ip(world.freshIp()) });
  const members = instance.members.map(({ id }) => id as number).toSorted((a, b) => a - b);
  await setBundleAutoRenew(reseller.context(), { bundleInstanceId: instance.id, on: true });

  expect(await found(reseller, { renewal: "manual" })).toEqual([manual]);
  expect(await found(reseller, { renewal: "automatic" })).toEqual([automatic]);
  expect(await found(reseller, { renewal: "bundle" })).toEqual(members);
  expect(await found(reseller, { bundleInstanceId: instance.id })).toEqual(members);
  expect(await found(reseller, { bundleId })).toEqual(members);
  expect(await found(reseller, { bundleId: bundleId + 1000 })).toEqual([]);
  expect(await found(await world.reseller(), { bundleInstanceId: instance.id })).toEqual([]);
  expect(await found(await world.reseller(), { bundleId })).toEqual([]);
  const { rows: licenses } = await listLicenses(reseller.context(), {
    filter: {},
    order: "oldest",
    after: null,
    limit: 9,
  });
  expect(licenses.map(({ autoRenew, bundleName }) => [autoRenew, bundleName !== null])).toEqual([
    [false, false],
    [true, false],
    ...members.map(() => [true, true]),
  ]);
});

test("a count stops at 10,000 and reports that there are more", async () => {
  const reseller = await world.reseller({ funds: "0" });
  const { productId, cycleId } = await world.offer(reseller.id, "control_panel");
  const now = new Date();
  const add = (from: number, to: number) =>
    world.db.query(
      sql(`insert into licenses (key, reseller_id, product_id, cycle_id, ip_address, issued_at, anchored_at, expires_at)
             select gen_random_uuid()::text, $1, $2, $3, '10.7.' || n / 256 || '.' || n % 256, $4, $4, $4::timestamptz + interval '1 day'
               from generate_series($5::int, $6::int) n`),
      [reseller.id, productId, cycleId, now, from, to],
    );
  await add(1, 10_000);
  expect(await countLicenses(reseller.context(), { filter: {} })).toEqual({ count: 10_000, more: false });
  await add(10_001, 10_001);
  expect(await countLicenses(reseller.context(), { filter: {} })).toEqual({ count: 10_000, more: true });
});
