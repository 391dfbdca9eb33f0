import { afterAll, beforeAll, expect, test } from "vitest";
import type { LicenseId } from "#lib/domain/ids.ts";
import { availableOrders, type LicenseCursor, type LicenseOrder, toCursor } from "#lib/domain/license-order.ts";
import { actors } from "#tests/support/actors.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { sandboxOf } from "#tests/support/sandbox.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { getLicenseOwner } from "./get.ts";
import { countAllLicenses, type LicenseFilter, type LicenseListItem, listAllLicenses, listLicenses } from "./list.ts";
import { setLicenseLabels } from "./set-labels.ts";
import { suspendLicense } from "./suspend.ts";
import { updateLicense } from "./update.ts";

let world: World;
const resellers: ResellerWorld[] = [];
let testLicenseId: LicenseId;
const admin = () => world.context(actors.admin(null, "support"));

beforeAll(async () => {
  world = await newWorld();
  for (let index = 0; index < 3; index++) resellers.push(await world.reseller());
  for (let round = 0; round < 4; round++) {
    for (const reseller of resellers) {
      const type = round % 2 === 0 ? "web_server" : "control_panel";
      const { licenseId, licenseKey } = await reseller.register({ type, months: round === 3 ? 12 : 1 });
      await updateLicense(reseller.context(), { licenseKey, hostname: `oak-${round}.example` as never });
      const change = { customerName: round < 2 ? "Acme" : "", tags: round % 2 === 0 ? ["even"] : [] };
      await setLicenseLabels(reseller.context(), { licenseId, change });
      if (round === 1) await suspendLicense(reseller.context(), { licenseId });
    }
  }
  const sandbox = await sandboxOf(world, resellers[0] ?? expect.unreachable());
  testLicenseId = (await sandbox.register()).licenseId;
});
afterAll(() => world.close());

/** Page by page. */
async function walk(filter: LicenseFilter, order: LicenseOrder): Promise<LicenseListItem[]> {
  const found: LicenseListItem[] = [];
  let after: LicenseCursor | null = null;
  do {
    const page = await listAllLicenses(admin(), { filter, order, after, limit: 2 });
    found.push(...page.rows);
    after = page.next;
  } while (after !== null);
  return found;
}

const filters: readonly LicenseFilter[] = [
  {},
  { status: "suspended" },
  { status: "active" },
  { type: "web_server" },
  { text: "oak" },
  { text: "oak-2", status: "active" },
  { text: "nowhere" },
  { expiresWithinDays: 60 },
  { renewal: "manual" },
  { renewal: "failed" },
  { tag: "even" },
  { customer: "acme" },
];
const cases = filters.flatMap((filter) => availableOrders(filter).map((order) => ({ filter, order })));

test.each(cases)(
  "$order, $filter: all live resellers' licenses, each once, in one order",
  async ({ filter, order }) => {
    const lists = await Promise.all(
      resellers.map((reseller) => listLicenses(reseller.context(), { filter, order, after: null, limit: 100 })),
    );
    const expected = lists.flatMap(({ rows: licenses }) => licenses);
    const found = await walk(filter, order);
    expect(found.map(({ id }) => id).toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
    const places = found.map((license) => toCursor(license, order));
    const descends = order === "newest" || order.endsWith("_last");
    const sorted = places.toSorted((a, b) => ((a.key ?? 0) - (b.key ?? 0) || a.id - b.id) * (descends ? -1 : 1));
    expect(places).toEqual(sorted);
    expect(found.map(({ id }) => id)).not.toContain(testLicenseId);
    expect(await countAllLicenses(admin(), { filter })).toEqual({ count: expected.length, more: false });
  },
);

test("each license names its reseller", async () => {
  const found = await walk({}, "newest");
  for (const reseller of resellers) {
    const own = found.filter(({ resellerId }) => resellerId === reseller.id);
    expect(own).toHaveLength(4);
    for (const { id } of own) expect(await getLicenseOwner(admin(), { licenseId: id })).toBe(reseller.id);
  }
});

test("the count stops at its limit", async () => {
  expect(await countAllLicenses(admin(), { filter: {}, atMost: 5 })).toEqual({ count: 5, more: true });
});

test("the owner of a license that does not exist is not found", async () => {
  const missing = getLicenseOwner(admin(), { licenseId: 2_000_000_000 as LicenseId });
  await expect(missing).rejects.toMatchObject({ code: "license_not_found" });
});
