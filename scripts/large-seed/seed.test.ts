import { afterAll, beforeAll, expect, test } from "vitest";
import { detectDrift } from "#lib/services/reconciliation/detect-drift.ts";
import { sql } from "#tests/sql.ts";
import { expectBooksToAgree } from "#tests/support/invariants.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { countLicensesOfOthers, seedLarge } from "./seed.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
  world.setClock(new Date());
});
afterAll(() => world.close());

/** Of tables with all of their partitions: an index that one of these lacks is not valid. */
const definitions = async () => {
  const rows = await world.db.query(
    sql<{ text: string }>(`
      with tables as (
        select oid from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      )
      select pg_get_indexdef(indexrelid) || ' valid: ' || indisvalid as text from pg_index join tables on oid = indrelid
      union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(c.oid) from pg_constraint c join tables t on t.oid = conrelid
      union all select tgrelid::regclass || ' ' || tgname || ' ' || tgenabled::text from pg_trigger join tables t on t.oid = tgrelid where not tgisinternal
      order by 1`),
    [],
  );
  return rows.map(({ text }) => text);
};

const seed = (licenses: number) =>
  seedLarge(world.operator, { databaseUrl: world.url, licenses, resellers: 3, log: () => undefined });

test("a large installation's books add up, agree with the provider's, and keep every index, constraint and trigger; nothing happened in the future", async () => {
  const before = await definitions();
  const { resellerId } = await seed(2_000);
  expect(await definitions()).toEqual(before);
  await expectBooksToAgree(world.db);
  expect(await world.db.query(sql("select from verifications_default limit 1"), [])).toEqual([]);
  expect(await world.db.prisma.license.count({ where: { resellerId } })).toBeGreaterThan(1_500);
  expect(await detectDrift(world.operator)).toMatchObject([{ outcome: "compared", differences: 0 }]);
  expect(await world.db.prisma.operation.count({ where: { createdAt: { gt: new Date() } } })).toBe(0);
});

test("a second run adds to the first, and only foreign licenses count as foreign", async () => {
  await seed(100);
  await expectBooksToAgree(world.db);
  expect(await countLicensesOfOthers(world.operator)).toBe(0);
  await (await world.reseller()).register();
  expect(await countLicensesOfOthers(world.operator)).toBe(1);
});

test("a failure leaves nothing behind", async () => {
  const before = await definitions();
  const reseller = await world.reseller();
  const [row] = await world.db.query(sql<{ next: number }>("select max(id) + 1 as next from licenses"), []);
  const next = row?.next ?? 0;
  // The address of the next seeded license: two live licenses of a product cannot share it.
  await reseller.register({ type: "control_panel", ip: `10.0.${next >> 8}.${next & 255}` });
  const count = await world.db.prisma.license.count();
  await expect(seed(100)).rejects.toThrow("one_live_license_per_product_and_address");
  expect(await world.db.prisma.license.count()).toBe(count);
  expect(await definitions()).toEqual(before);
});
