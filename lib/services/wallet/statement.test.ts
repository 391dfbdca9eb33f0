import { afterAll, beforeAll, expect, test } from "vitest";
import type { ResellerId } from "#lib/domain/ids.ts";
import { actors } from "#tests/support/actors.ts";
import { codeOf } from "#tests/support/faults.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { adjustWallet } from "./adjust.ts";
import { getStatement, openStatement } from "./statement.ts";
import { topUpWallet } from "./top-up.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

const MAX_ENTRIES = 100;
const november = { from: new Date("2027-11-01T00:00:00Z"), to: new Date("2027-12-01T00:00:00Z") };

test("totals and entries add up from the opening to the closing balance, which is the posted one", async () => {
  world.setClock("2027-10-31T12:00:00Z");
  const reseller = await world.reseller({ funds: "100" });
  world.setClock("2027-11-10T12:00:00Z");
  await topUpWallet(world.operator, { resellerId: reseller.id, amount: "50", note: "paid" });
  await reseller.register({ type: "malware_scanner" });
  await adjustWallet(world.operator, { resellerId: reseller.id, amount: "-0.01", reason: "corrected" });
  await adjustWallet(world.operator, { resellerId: reseller.id, amount: "0.03", reason: "corrected" });
  const statement = await getStatement(reseller.context(), { ...november, maxEntries: MAX_ENTRIES });
  const charged = (await reseller.operations()).reduce((sum, { price }) => sum + price, 0n);
  expect(statement).toMatchObject({ openingBalance: 10_000n, entryCount: 4, currency: "USD" });
  expect(statement.totals).toEqual([
    { kind: "charge", count: 1, amount: -charged },
    { kind: "top_up", count: 1, amount: 5_000n },
    { kind: "adjustment", count: 2, amount: 2n },
  ]);
  expect(statement.closingBalance).toBe(15_002n - charged);
  expect(statement.closingBalance).toBe((await reseller.wallet()).posted);
  expect(statement.entries?.map(({ balance }) => balance)).toEqual([
    15_000n,
    15_000n - charged,
    14_999n - charged,
    15_002n - charged,
  ]);
});

test("days are UTC days: the last moment of a month is not in the next one's statement", async () => {
  const reseller = await world.reseller({ funds: "0" });
  const amounts = ["1", "2", "4", "8"];
  const times = [
    "2027-10-31T23:59:59.999Z",
    "2027-11-01T00:00:00Z",
    "2027-11-30T23:59:59.999Z",
    "2027-12-01T00:00:00Z",
  ];
  for (const [index, amount] of amounts.entries()) {
    world.setClock(times[index] ?? "");
    await topUpWallet(world.operator, { resellerId: reseller.id, amount, note: "paid" });
  }
  const statement = await getStatement(reseller.context(), { ...november, maxEntries: MAX_ENTRIES });
  expect(statement.entries?.map(({ amount }) => amount)).toEqual([200n, 400n]);
  expect(statement).toMatchObject({ openingBalance: 100n, closingBalance: 700n });
});

test("entries posted out of order are in the statement of their time", async () => {
  const reseller = await world.reseller({ funds: "0" });
  for (const time of ["2027-11-02T00:00:00Z", "2027-10-31T23:00:00Z", "2027-11-03T00:00:00Z", "2027-10-01T00:00:00Z"]) {
    world.setClock(time);
    await topUpWallet(world.operator, { resellerId: reseller.id, amount: "1", note: time });
  }
  const statement = await getStatement(reseller.context(), { ...november, maxEntries: MAX_ENTRIES });
  expect(statement).toMatchObject({ openingBalance: 200n, closingBalance: 400n });
  expect(statement.entries?.map(({ note, balance }) => [note, balance])).toEqual([
    ["2027-11-02T00:00:00Z", 300n],
    ["2027-11-03T00:00:00Z", 400n],
  ]);
});

test("a period without entries opens and closes with the same balance", async () => {
  world.setClock("2027-10-15T12:00:00Z");
  const reseller = await world.reseller({ funds: "12.34" });
  const statement = await getStatement(reseller.context(), { ...november, maxEntries: MAX_ENTRIES });
  expect(statement).toMatchObject({ openingBalance: 1234n, closingBalance: 1234n, totals: [], entries: [] });
});

test("more entries than the maximum are counted and added up, but not listed", async () => {
  world.setClock("2027-11-15T12:00:00Z");
  const reseller = await world.reseller({ funds: "5" });
  for (const amount of ["1", "2"]) {
    await topUpWallet(world.operator, { resellerId: reseller.id, amount, note: "paid" });
  }
  const ctx = reseller.context();
  expect((await getStatement(ctx, { ...november, maxEntries: 3 })).entries).toHaveLength(3);
  expect(await getStatement(ctx, { ...november, maxEntries: 2 })).toMatchObject({
    entries: null,
    entryCount: 3,
    closingBalance: 800n,
  });
});

test("a statement excludes entries posted after it was opened", async () => {
  world.setClock("2027-11-15T12:00:00Z");
  const reseller = await world.reseller({ funds: "5" });
  const { pages, closingBalance } = await openStatement(reseller.context(), november);
  await topUpWallet(world.operator, { resellerId: reseller.id, amount: "1", note: "late" });
  const balances: bigint[] = [];
  for await (const page of pages(1)) balances.push(...page.map(({ balance }) => balance));
  expect(balances).toEqual([500n]);
  expect(closingBalance).toBe(500n);
});

test("a reseller gets only its own statement, and an admin gets not found for a missing reseller", async () => {
  world.setClock("2027-11-15T12:00:00Z");
  const [one, other] = [await world.reseller({ funds: "5" }), await world.reseller({ funds: "7" })];
  const statement = await getStatement(one.context(), { ...november, maxEntries: MAX_ENTRIES });
  expect(statement).toMatchObject({ closingBalance: 500n, entryCount: 1 });
  const admins = await getStatement(other.admin(), { ...november, maxEntries: MAX_ENTRIES });
  expect(admins).toMatchObject({ closingBalance: 700n, entryCount: 1 });
  const nobody = world.context(actors.admin(2_000_000_000 as ResellerId));
  expect(await codeOf(openStatement(nobody, november))).toBe("not_found");
});
