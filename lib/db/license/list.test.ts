import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLicenseKey } from "#lib/domain/license-key.ts";
import type { LicenseCursor } from "#lib/domain/license-order.ts";
import { deriveLicenseStatus, type LicenseFacts, licenseStatuses } from "#lib/domain/license-status.ts";
import { listLicenses, streamLicenses } from "#lib/services/license/list.ts";
import { sql } from "#tests/sql.ts";
import { matchesText } from "#tests/support/license-search.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { type LicenseFilter, listLicensePage } from "./list.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

interface Row extends LicenseFacts {
  readonly hostname: string;
  readonly notes: string;
}

const NOW = new Date("2027-03-10T12:00:00Z");
const at = (offsetMs: number) => new Date(NOW.getTime() + offsetMs);
/** Times around now, including now. */
const instant = fc.constantFrom(-86_400_000, -1, 0, 1, 86_400_000, 7 * 86_400_000, 7 * 86_400_000 + 1).map(at);
const row: fc.Arbitrary<Row> = fc.record({
  terminatedAt: fc.option(instant),
  provisionedAt: fc.option(instant),
  suspendedAt: fc.option(instant),
  expiresAt: instant,
  hostname: fc.constantFrom("", "web1.example.com", "100%.example", "a_b.example", "back\\slash"),
  notes: fc.constantFrom("", "Rack 7", "ÄÖÜ straße", "50% off_now", "'; drop table licenses; --"),
});

async function insert(reseller: ResellerWorld, rows: readonly Row[]): Promise<number[]> {
  const { productId, cycleId } = await world.offer(reseller.id, "control_panel");
  const ids: number[] = [];
  for (const { hostname, notes, ...facts } of rows) {
    const { id } = await world.db.prisma.license.create({
      data: {
        ...facts,
        hostname,
        notes,
        key: createLicenseKey((count) => crypto.getRandomValues(new Uint8Array(count))),
        resellerId: reseller.id,
        productId,
        cycleId,
        ipAddress: world.freshIp(),
        suspendedBy: facts.suspendedAt ? "reseller" : null,
        issuedAt: at(-90 * 86_400_000),
        anchoredAt: at(-90 * 86_400_000),
      },
      select: { id: true },
    });
    if (facts.terminatedAt === null && facts.provisionedAt === null) await openOperationOn(id, reseller.id);
    ids.push(id);
  }
  return ids;
}

/** The registration that a pending license waits for. */
const openOperationOn = (licenseId: number, resellerId: number) =>
  world.db.query(
    sql(`with opened as (
           insert into operations (id, kind, state, reseller_id, license_id, hold_amount, price, currency, plan, actor, request_id, lease_token)
           values (gen_random_uuid(), 'license_register', 'unknown', $2, $1, 0, 0, 'USD', '{}', 'system', 'test', gen_random_uuid())
           returning id)
         update licenses set open_operation_id = opened.id from opened where licenses.id = $1`),
    [licenseId, resellerId],
  );

async function find(reseller: ResellerWorld, filter: LicenseFilter): Promise<number[]> {
  const page = { filter, order: "oldest", after: null, limit: 1000, now: NOW } as const;
  return (await listLicensePage(world.db, reseller.id, page)).map(({ id }) => id);
}

test("the SQL of each status equals deriveLicenseStatus around the end of a term (contract 1.15)", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 12 }), async (rows) => {
      const reseller = await world.reseller({ funds: "0" });
      const ids = await insert(reseller, rows);
      for (const status of licenseStatuses) {
        const expected = ids.filter((_, index) => deriveLicenseStatus(rows[index] as Row, NOW) === status);
        expect(await find(reseller, { status })).toEqual(expected);
      }
    }),
    { numRuns: 20 },
  );
});

test("text matches the start of key, address, and words of host and notes, ignores case, and takes % and _ literally (contract 2.4)", async () => {
  const needles = [
    "WEB1",
    "%",
    "_",
    "50%",
    "rack",
    "äöü s",
    "ü",
    "b.ex",
    "0%",
    "\\",
    "';",
    "LIC-",
    "198.18.",
    "no such thing",
  ];
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 8 }), fc.constantFrom(...needles), async (rows, text) => {
      const reseller = await world.reseller({ funds: "0" });
      await insert(reseller, rows);
      const all = await listLicensePage(world.db, reseller.id, {
        filter: {},
        order: "oldest",
        after: null,
        limit: 99,
        now: NOW,
      });
      const expected = all.filter((license) => matchesText(license, text)).map(({ id }) => id);
      expect(await find(reseller, { text })).toEqual(expected);
    }),
    { numRuns: 25 },
  );
});

test("expires_within matches terms that end within so many days and have not ended, except of terminated licenses", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 10 }), fc.constantFrom(1, 7, 30), async (rows, days) => {
      const reseller = await world.reseller({ funds: "0" });
      const ids = await insert(reseller, rows);
      const until = at(days * 86_400_000);
      const expected = ids.filter((_, index) => {
        const { terminatedAt, expiresAt } = rows[index] as Row;
        return terminatedAt === null && expiresAt > NOW && expiresAt <= until;
      });
      expect(await find(reseller, { expiresWithinDays: days })).toEqual(expected);
    }),
    { numRuns: 10 },
  );
});

describe("pages", () => {
  test("of any size, in either order, contain every license once", async () => {
    const reseller = await world.reseller({ funds: "0" });
    const facts = {
      terminatedAt: null,
      provisionedAt: NOW,
      suspendedAt: null,
      expiresAt: at(1),
      hostname: "",
      notes: "",
    };
    const ids = await insert(reseller, Array(11).fill(facts));
    for (const order of ["oldest", "newest"] as const) {
      for (const limit of [1, 3, 11, 100]) {
        const seen: number[] = [];
        let after: LicenseCursor | null = null;
        do {
          const page: Awaited<ReturnType<typeof listLicenses>> = await listLicenses(reseller.context(), {
            filter: {},
            order,
            after,
            limit,
          });
          expect(page.rows.length).toBeLessThanOrEqual(limit);
          seen.push(...page.rows.map(({ id }) => id));
          after = page.next;
        } while (after !== null);
        expect(seen).toEqual(order === "oldest" ? ids : ids.toReversed());
      }
    }
  });

  test("backward return the preceding page", async () => {
    const reseller = await world.reseller({ funds: "0" });
    const facts = {
      terminatedAt: null,
      provisionedAt: NOW,
      suspendedAt: null,
      expiresAt: at(1),
      hostname: "",
      notes: "",
    };
    await insert(reseller, Array(7).fill(facts));
    const list = (edge: { after: LicenseCursor | null; before?: LicenseCursor | null }) =>
      listLicenses(reseller.context(), { filter: {}, order: "newest", limit: 3, ...edge });
    const first = await list({ after: null });
    const second = await list({ after: first.next });
    const third = await list({ after: second.next });
    expect(first.previous).toBeNull();
    expect(third.next).toBeNull();
    expect((await list({ after: null, before: third.previous })).rows).toEqual(second.rows);
    expect((await list({ after: null, before: second.previous })).rows).toEqual(first.rows);
  });

  test("a stream has all licenses, oldest first", async () => {
    const reseller = await world.reseller({ funds: "0" });
    const { productId, cycleId } = await world.offer(reseller.id, "control_panel");
    await world.db.query(
      sql(`insert into licenses (key, reseller_id, product_id, cycle_id, ip_address, issued_at, anchored_at, expires_at)
             select 'LIC-' || $1::int || '-' || n, $1, $2, $3, '10.0.' || n / 256 || '.' || n % 256, $4, $4, $5
               from generate_series(1, 2500) n`),
      [reseller.id, productId, cycleId, NOW, at(86_400_000)],
    );
    const ids: number[] = [];
    for await (const page of streamLicenses(reseller.context(), {}, "oldest")) ids.push(...page.map(({ id }) => id));
    expect(ids).toHaveLength(2500);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  });
});
