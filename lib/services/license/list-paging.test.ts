import { afterAll, beforeAll, expect, test } from "vitest";
import type { LicenseCursor } from "#lib/domain/license-order.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { listLicenses } from "./list.ts";

let world: World;
let reseller: ResellerWorld;
/** Oldest first. */
const ids: number[] = [];

beforeAll(async () => {
  world = await newWorld();
  reseller = await world.reseller();
  const other = await world.reseller();
  for (let count = 0; count < 7; count++) {
    ids.push((await reseller.register()).licenseId);
    await other.register();
  }
});
afterAll(() => world.close());

async function page(
  position: { after?: LicenseCursor | null; before?: LicenseCursor | null },
  order: "newest" | "oldest" = "newest",
) {
  const { after = null, before = null } = position;
  const found = await listLicenses(reseller.context(), { filter: {}, order, after, before, limit: 3 });
  return { ...found, ids: found.rows.map(({ id }) => id as number) };
}

test.each(["newest", "oldest"] as const)(
  "paging back shows the same pages as paging forward, %s first",
  async (order) => {
    const expected = order === "newest" ? ids.toReversed() : ids;
    const first = await page({}, order);
    const second = await page({ after: first.next }, order);
    const third = await page({ after: second.next }, order);
    expect([...first.ids, ...second.ids, ...third.ids]).toEqual(expected);
    expect(first.previous).toBeNull();
    expect(third.next).toBeNull();

    const secondAgain = await page({ before: third.previous }, order);
    expect(secondAgain.ids).toEqual(second.ids);
    expect(secondAgain.next).toEqual(second.next);
    const firstAgain = await page({ before: secondAgain.previous }, order);
    expect(firstAgain.ids).toEqual(first.ids);
    expect(firstAgain.previous).toBeNull();
  },
);

test("paging back past the start returns the full first page", async () => {
  expect(await page({ before: { id: ids[5] ?? 0, key: null } })).toMatchObject({
    ids: ids.slice(-3).reverse(),
    previous: null,
  });
});

test("a page beyond the end is empty and has no next page", async () => {
  expect(await page({ after: { id: 1, key: null } })).toMatchObject({ ids: [], next: null, previous: null });
});
