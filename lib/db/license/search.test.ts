import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LicenseCursor, LicenseOrder } from "#lib/domain/license-order.ts";
import { toSearchWords } from "#lib/domain/search-text.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { countLicenses, listLicenses } from "#lib/services/license/list.ts";
import { sql } from "#tests/sql.ts";
import { matchesText, type SearchedFields } from "#tests/support/license-search.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { selectLabels } from "./labels.ts";
import type { LicenseFilter } from "./list.ts";

let world: World;
let reseller: ResellerWorld;

interface Searched extends SearchedFields {
  readonly expiresAt: Date;
  readonly autoRenew: boolean;
}
const licenses = new Map<number, Searched>();

const IDS_A_SHARD = 8_192;
/** More than are filtered one by one. */
const FILLERS = 1_025;
const hosts = [
  "web-12.north.example",
  "web12.example",
  "db_7.example",
  "",
  "10.9.example",
  "zq",
  "very-long-name-of-a-server-12.example",
];
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
  "it's a \\ b",
];

/** Searchable licenses, far apart among many that are not. */
beforeAll(async () => {
  // One connection, so that its statistics are complete.
  world = await newWorld({ poolSize: 1 });
  reseller = await world.reseller();
  const { productId, cycleId } = await world.offer(reseller.id, "control_panel");
  const other = await world.offer(reseller.id, "web_server");
  const offered = await world.bundleOffer(reseller.id);
  const bundle = await registerBundle(reseller.context(), { ...offered, ipAddress: world.freshIp() });
  const add = async (firstId: number, count: number, hostnames: readonly string[], withNotes: readonly string[]) => {
    await world.db.query(
      sql(`
        insert into licenses (id, key, reseller_id, product_id, cycle_id, bundle_instance_id, external_id, ip_address, hostname, notes, issued_at, anchored_at, expires_at, provisioned_at, auto_renew, customer_name, customer_reference, tags)
        select $1::int + n, 'LIC-' || upper(left(md5(n::text), 5)) || '-K' || $1::int + n, $2, case when n % 4 = 0 then $9::int else $3::int end,
               case when n % 10 <> 9 then $4::int end, case when n % 10 = 9 then $8::int end, case when n % 7 = 0 then 'Order/' || $1::int + n end, host('10.0.0.0'::inet + $1::int + n),
               ($5::text[])[1 + n % cardinality($5)], ($6::text[])[1 + n % cardinality($6)], now(), now(), timestamptz '2090-01-01' + interval '1 day' * (n * 7 % 30), now(), n % 3 = 0,
               case when n % 6 = 0 then 'Zq GmbH' else '' end, case when n % 8 = 0 then 'C-12' else '' end, case when n % 5 = 0 then '{beta,zq 7}' else '{}' end::text[]
          from generate_series(0, $7::int - 1) n`),
      [firstId, reseller.id, productId, cycleId, hostnames, withNotes, count, bundle.instance.id, other.productId],
    );
  };
  for (const [place, shard] of [1, 4, 5, 19].entries()) {
    const first = shard * IDS_A_SHARD - 20;
    await add(first, 60, hosts, notes);
    if (place % 2 === 0) await add(first + 100, FILLERS, ["f.example"], [""]);
  }
  const all = await world.db.query(
    sql<Searched>(`
      select l.id, l.key, l.ip_address as "ipAddress", l.hostname, l.notes, l.expires_at as "expiresAt", l.auto_renew as "autoRenew",
             l.external_id as "externalId", l.bundle_instance_id as "bundleInstanceId", p.name as "productName", p.slug as "type", ${selectLabels}
        from licenses l join products p on p.id = l.product_id`),
    [],
  );
  for (const license of all) licenses.set(license.id, license);
}, 60_000);
afterAll(() => world.close());

function found({ text = "", renewal, tag, customer }: LicenseFilter, order: LicenseOrder): number[] {
  const direction = order === "newest" || order === "ends_last" ? -1 : 1;
  const byEnd = order === "ends_first" || order === "ends_last";
  const compare = ([a, { expiresAt: endOfA }]: [number, Searched], [b, { expiresAt: endOfB }]: [number, Searched]) =>
    direction * (byEnd && +endOfA !== +endOfB ? +endOfA - +endOfB : a - b);
  const matching = [...licenses].filter(
    ([, license]) =>
      matchesText(license, text) &&
      (tag === undefined || license.tags.includes(tag)) &&
      (customer === undefined || license.customerName.toLowerCase() === customer) &&
      (renewal !== "manual" || (!license.autoRenew && license.bundleInstanceId === null)),
  );
  return matching.toSorted(compare).map(([id]) => id);
}

/** Parts of existing texts, with or without a match, or a text that does not exist. */
const needles = fc
  .tuple(
    fc.constantFrom(...hosts, ...notes, "Zq GmbH", "C-12", "beta", "10.0.255.24", "LIC-C4CA4-K8173", "nowhere"),
    fc.nat(12),
    fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 7, max: 40 })),
  )
  .map(([text, from, length]) => text.slice(from % Math.max(1, text.length)).slice(0, length))
  .filter((text) => text !== "");
const texts = fc.oneof(
  needles,
  fc.tuple(needles, needles).map((words) => words.join(" ")),
);

const orders = fc.constantFrom<LicenseOrder>("newest", "oldest", "ends_first", "ends_last");
const further = fc.constantFrom<LicenseFilter>(
  {},
  { status: "active" },
  { renewal: "manual", tag: "beta" },
  { customer: "zq gmbh" },
);

/** Every character that case or composition can write in another way, and those about which words end. */
function listCharacters(): string[] {
  const codes = [
    ...Array(0x250).keys(),
    ...Array.from({ length: 0x1200 }, (_, index) => 0x2000 + index),
    ...Array(0x11_0000).keys(),
  ].filter((code) => code > 2 && (code < 0xd800 || code > 0xdfff));
  return [...new Set(codes.map((code) => String.fromCodePoint(code)))].filter(
    (one, index) =>
      index < 0x250 + 0x1200 ||
      [one.toLowerCase(), one.toUpperCase(), one.normalize("NFC"), one.normalize("NFD")].some((form) => form !== one),
  );
}

test("index and search agree where words begin, however a word is written: its case, composed or not", async () => {
  const characters = listCharacters();
  const forms = (one: string) => [one, one.normalize("NFD"), one.normalize("NFC")];
  const words = characters.flatMap((one) => forms(`a${one}b`)).map((word) => word.replaceAll(/\s/g, "-"));
  const sample = [...words, "ab\u03a3", "\u039f\u0394\u039f\u03a3", "\u03bf\u03b4\u03bf\u03c2"];
  const rows = await world.db.query(
    sql<{ indexed: string; isKnown: boolean }>(
      `select license_search_words(t.text, '') as indexed, unicode_assigned(t.text) as "isKnown" from unnest($1::text[]) with ordinality t (text, n) order by n`,
    ),
    [sample],
  );
  const differing = sample.filter((word, index) => {
    const searched = toSearchWords(word).map(({ parts }) => parts);
    // Node.js may know letters of a later Unicode.
    return rows[index]?.isKnown && rows[index]?.indexed !== `${searched.join("")}\u0002`;
  });
  expect(differing.map((word) => [...word].map((one) => one.codePointAt(0)?.toString(16)).join(" "))).toEqual([]);
});

describe("a search", () => {
  test("finds starts of key, address and words at any distance, page by page in each order (contract 2.4)", async () => {
    await fc.assert(
      fc.asyncProperty(texts, orders, further, async (text, order, more) => {
        const ctx = reseller.context();
        const filter = { text, ...more };
        const expected = found(filter, order).slice(0, 120);
        const seen: number[] = [];
        let after: LicenseCursor | null = null;
        do {
          const page: Awaited<ReturnType<typeof listLicenses>> = await listLicenses(ctx, {
            filter,
            order,
            after,
            limit: 40,
          });
          seen.push(...page.rows.map(({ id }) => id));
          after = page.next;
        } while (after !== null && seen.length < 120);
        expect(seen).toEqual(expected);
      }),
      {
        numRuns: 120,
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
          "10.0.255.24",
          "10.0.255.",
          ".north",
          "lic-",
          "LIC-C4CA4-K81",
          "c4ca4-k81",
          "lic-k",
          "it's a",
          "a \\ b",
          "very-long-name-of-a-server-1",
          "very-long-name-of-a-server-2",
          "32750",
          "lic_32750",
          "k32750",
          "order/327",
          "web rack",
          "rack web-12 10.0.",
          "7 order",
          "bundle 1",
          "bundle 1 rack",
          "nowhere web",
          Array.from({ length: 40 }, (_, index) => `word${index}`).join(" "),
          "x".repeat(200),
          "' | ! & : * ( ) <-> \\'",
          "مرحبا rack",
        ].flatMap((text) => [
          [text, "newest", {}],
          [text, "oldest", {}],
        ]),
      },
    );
  });

  test("is counted up to the given limit", async () => {
    const ctx = reseller.context();
    for (const text of ["zq", "rack", "web-12", "10.0.2", "lic-", "nowhere", "-"]) {
      const count = found({ text }, "newest").length;
      expect(await countLicenses(ctx, { filter: { text } }), text).toEqual({ count, more: false });
      expect(await countLicenses(ctx, { filter: { text }, atMost: 20 }), text).toEqual({
        count: Math.min(count, 20),
        more: count > 20,
      });
    }
  });

  test("reads licenses by an index in every order, with custom and generic plans", async () => {
    const readWhole = async () => {
      await world.db.query(sql("select pg_stat_force_next_flush()"), []);
      const [row] = await world.db.query(
        sql<{ count: number }>("select seq_scan::int as count from pg_stat_user_tables where relname = 'licenses'"),
        [],
      );
      return row?.count;
    };
    const before = await readWhole();
    for (const text of Array(12).fill(["zq", "nowhere", "rack zq", "lic_32750", "k32750"]).flat()) {
      for (const order of ["newest", "oldest", "ends_first", "ends_last"] as const)
        await listLicenses(reseller.context(), { filter: { text }, order, after: null, limit: 40 });
      await countLicenses(reseller.context(), { filter: { text } });
    }
    expect(await readWhole()).toBe(before);
  });

  test("pages backward to the preceding page", async () => {
    const list = (edge: { after: LicenseCursor | null; before?: LicenseCursor | null }) =>
      listLicenses(reseller.context(), { filter: { text: "rack" }, order: "newest", limit: 7, ...edge });
    const first = await list({ after: null });
    const second = await list({ after: first.next });
    const third = await list({ after: second.next });
    expect((await list({ after: null, before: third.previous })).rows).toEqual(second.rows);
    expect((await list({ after: null, before: second.previous })).rows).toEqual(first.rows);
  });
});
