import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { ResellerId } from "#lib/domain/ids.ts";
import { getWalletRunway } from "#lib/services/wallet/runway.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { seedLarge } from "../../../scripts/large-seed/seed.ts";
import { getOverview } from "./get.ts";

let world: World;
let large: ResellerId;
const start = new Date();

beforeAll(async () => {
  world = await newWorld();
  world.setClock(start);
  const seed = { databaseUrl: world.url, licenses: 10_050, resellers: 1, log: () => undefined };
  large = (await seedLarge(world.operator, seed)).resellerId;
}, 60_000);
afterAll(() => world.close());

const read = () => getOverview(world.context(actors.user(large)));
const suspended = async () => (await read()).licenses.suspended;
const suspendOne = () =>
  world.db.query(
    sql(`update licenses set suspended_at = now(), suspended_by = 'reseller'
            where id = (select min(id) from licenses where reseller_id = $1 and terminated_at is null and suspended_at is null)`),
    [large],
  );

test("a large reseller's figures are cached for half a minute, then refreshed asynchronously", async () => {
  const before = await read();
  expect(before.countedAt).toEqual(start);
  expect(before.licenses.active).toBeGreaterThan(8_000);
  await suspendOne();
  world.advance(29_000);
  expect(await suspended()).toBe(before.licenses.suspended);
  world.advance(2_000);
  expect(await suspended()).toBe(before.licenses.suspended);
  await vi.waitFor(async () => expect(await suspended()).toBe(before.licenses.suspended + 1), 10_000);
  expect((await read()).countedAt).toEqual(world.now());
});

test("figures older than ten minutes are never shown", async () => {
  const before = await read();
  await suspendOne();
  world.advance(11 * 60_000);
  expect(await suspended()).toBe(before.licenses.suspended + 1);
});

test("the runway has its time of computation, and a small reseller's is always current", async () => {
  expect(await getWalletRunway(world.context(actors.user(large)))).toMatchObject({ computedAt: world.now() });
  const reseller = await world.reseller();
  expect(await getWalletRunway(reseller.context())).toMatchObject({ computedAt: null });
  expect(await getOverview(world.context(actors.user(reseller.id)))).toMatchObject({ countedAt: null });
});
