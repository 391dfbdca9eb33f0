import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LicenseCursor, LicenseOrder } from "#lib/domain/license-order.ts";
import { countLicenses, listLicenses } from "#lib/services/license/list.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { toSearchLetters } from "./search-text.ts";

let world: World;
let reseller: ResellerWorld;
/** What a search looks at, by id. */
const texts = new Map<number, string>();

const IDS_A_SHARD = 32_768;
/** More than are looked at one by one. */
const FILLERS = 1_001;
const hosts = ["web-12.north.example", "web12.example", "db_7.example", "", "10.9.example", "zq"];
const notes = [
  "",
  "Rack 7",
  "ÄÖÜ straße",
  "50% off_now",
  "zqä",
  "東京 rack",
  "line\nzq\nend",
  "a.b,c;d",
  "\\ '; --",
  "qz",
];

/** Licenses with texts worth finding, far apart, between many that have none. */
beforeAll(async () => {
  world = await newWorld();
  reseller = await world.reseller({ funds: "0" });
  const { productId, cycleId } = await world.offer(reseller.id, "control_panel");
  const add = async (firstId: number, count: number, hostnames: readonly string[], withNotes: readonly string[]) => {
    const rows = await world.db.query<{ id: number; text: string }>({
      text: `
        insert into licenses (id, key, reseller_id, product_id, cycle_id, ip_address, hostname, notes, issued_at, anchored_at, expires_at, provisioned_at)
        select $1::int + n, 'K' || $1::int + n, $2, $3, $4, host('10.0.0.0'::inet + $1::int + n),
               ($5::text[])[1 + n % cardinality($5)], ($6::text[])[1 + n % cardinality($6)], now(), now(), timestamptz '2090-01-01', now()
          from generate_series(0, $7::int - 1) n
        returning id, key || ' ' || hostname || ' ' || ip_address || ' ' || notes as text`,
      values: [firstId, reseller.id, productId, cycleId, hostnames, withNotes, count],
    });
    for (const { id, text } of rows) texts.set(id, text.toLowerCase());
  };
  for (const [place, shard] of [1, 4, 5, 9].entries()) {
    const first = shard * IDS_A_SHARD - 20;
    await add(first, 60, hosts, notes);
    if (place % 2 === 0) await add(first + 100, FILLERS, ["f.example"], [""]);
  }
}, 60_000);
afterAll(() => world.close());

function found(text: string, order: LicenseOrder): number[] {
  const ids = [...texts].filter(([, one]) => one.includes(text.toLowerCase())).map(([id]) => id);
  return ids.toSorted((a, b) => (order === "newest" ? b - a : a - b));
}

/** Any part of what there is to find, or something that is nowhere. */
const needles = fc
  .tuple(fc.constantFrom(...hosts, ...notes, "10.1.255.24", "nowhere"), fc.nat(12), fc.integer({ min: 1, max: 6 }))
  .map(([text, from, length]) => text.slice(from % Math.max(1, text.length)).slice(0, length))
  .filter((text) => text !== "");

test("the index is asked for the letters that it is made of", async () => {
  const text = String.fromCharCode(...Array.from({ length: 0x250 }, (_, index) => index + 1)).toLowerCase();
  const [row] = await world.db.query<{ letters: string }>({
    text: "select license_search_letters($1) as letters",
    values: [text],
  });
  expect(row?.letters).toBe(toSearchLetters(text));
});

describe("a search", () => {
  test("finds any part of the text, however far from the nearest licenses, page by page in both orders (decisions 2.4)", async () => {
    await fc.assert(
      fc.asyncProperty(needles, fc.constantFrom("newest", "oldest"), async (text, order) => {
        const ctx = reseller.context();
        const expected = found(text, order).slice(0, 120);
        const seen: number[] = [];
        let after: LicenseCursor | null = null;
        do {
          const page: Awaited<ReturnType<typeof listLicenses>> = await listLicenses(ctx, {
            filter: { text, status: "active" },
            order,
            after,
            limit: 40,
          });
          seen.push(...page.licenses.map(({ id }) => id));
          after = page.nextAfter;
        } while (after !== null && seen.length < 120);
        expect(seen).toEqual(expected);
      }),
      {
        numRuns: 60,
        examples: [
          "zq",
          "q",
          "12",
          "-1",
          "_7",
          "ä",
          "zqä",
          "京",
          "\n",
          "\nz",
          "rack",
          "k 7",
          ", c",
          "b,",
          "\\",
          "%",
          "10.1.255.24",
        ].map((text) => [text, "newest"]),
      },
    );
  });

  test("is counted up to the bound that is asked for", async () => {
    const ctx = reseller.context();
    for (const text of ["zq", "rack", "web-12", "10.2.", "nowhere"]) {
      const count = found(text, "newest").length;
      expect(await countLicenses(ctx, { filter: { text } }), text).toEqual({ count, more: false });
      expect(await countLicenses(ctx, { filter: { text }, atMost: 20 }), text).toEqual({
        count: Math.min(count, 20),
        more: count > 20,
      });
    }
  });

  test("goes back to the page that was before", async () => {
    const list = (edge: { after: LicenseCursor | null; before?: LicenseCursor | null }) =>
      listLicenses(reseller.context(), { filter: { text: "rack" }, order: "newest", limit: 7, ...edge });
    const first = await list({ after: null });
    const second = await list({ after: first.nextAfter });
    const third = await list({ after: second.nextAfter });
    expect((await list({ after: null, before: third.previousBefore })).licenses).toEqual(second.licenses);
    expect((await list({ after: null, before: second.previousBefore })).licenses).toEqual(first.licenses);
  });
});
