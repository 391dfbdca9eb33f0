import { afterAll, beforeAll, expect, test } from "vitest";
import { rehearsed } from "#tests/support/faults.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { type LedgerFilter, listWalletEntries } from "./list-entries.ts";
import { listOwnOpenOperations } from "./list-open-operations.ts";
import { refundCharge } from "./refund.ts";

let world: World;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
  reseller = await world.reseller();
  const other = await world.reseller();
  for (let count = 0; count < 6; count++) {
    await reseller.register();
    await other.register();
  }
});
afterAll(() => world.close());

async function page(position: { before?: bigint | null; after?: bigint | null }) {
  const { before = null, after = null } = position;
  const found = await listWalletEntries(reseller.context(), { before, after, limit: 3 });
  return { ...found, ids: found.rows.map(({ id }) => id) };
}

test("paging backward through the ledger returns the same pages, each entry once", async () => {
  const first = await page({});
  const second = await page({ before: first.next });
  const third = await page({ before: second.next });
  expect([first, second, third].flatMap(({ rows: entries }) => entries.map(({ amount }) => amount))).toEqual(
    (await reseller.entries()).toReversed(),
  );
  expect(third.next).toBeNull();
  const secondAgain = await page({ after: third.previous });
  expect(secondAgain.ids).toEqual(second.ids);
  const firstAgain = await page({ after: secondAgain.previous });
  expect(firstAgain).toMatchObject({ ids: first.ids, previous: null });
});

test("paging back to less than a page returns the whole first page", async () => {
  const first = await page({});
  expect(await page({ after: first.ids[1] ?? 0n })).toMatchObject({ ids: first.ids, previous: null });
});

test("open operations are listed with their holds, only for their reseller (contract 3.11)", async () => {
  const { licenseId } = await reseller.register({ ip: rehearsed.losesAnswer });
  expect(await listOwnOpenOperations(reseller.context(), { limit: 10 })).toMatchObject([
    {
      kind: "license_register",
      licenseId,
      holdAmount: 1450n,
      subjectLabel: `Server Control Panel on ${rehearsed.losesAnswer}`,
    },
  ]);
  expect(await listOwnOpenOperations((await world.reseller()).context(), { limit: 10 })).toEqual([]);
});

test("entries are filtered by kind, period, license, bundle or operation, page by page", async () => {
  const buyer = await world.reseller();
  const [first, second] = [await buyer.register(), await buyer.register()];
  await refundCharge(world.operator, { operationId: first.operation.id, amount: "4.5", reason: "late" });
  const find = async (filter: LedgerFilter, before: bigint | null = null, limit = 10) =>
    (await listWalletEntries(buyer.context(), { before, limit, filter })).rows;
  const about = { kind: "license" as const, id: first.licenseId };
  expect((await find({ about })).map(({ kind }) => kind)).toEqual(["refund", "charge"]);
  expect(await find({ about: { kind: "operation", id: second.operation.id } })).toMatchObject([
    { kind: "charge", licenseId: second.licenseId, refundable: 1450n },
  ]);
  expect(await find({ about: { kind: "bundle", id: 1 } })).toEqual([]);
  expect((await find({ kind: "charge" })).map(({ refundable }) => refundable)).toEqual([1450n, 1000n]);
  expect(await find({ kind: "top_up" })).toMatchObject([{ refundable: 0n }]);
  expect(await find({ to: new Date("2020-01-01T00:00:00Z") })).toEqual([]);
  expect(await find({ from: new Date("2020-01-01T00:00:00Z") })).toHaveLength(4);
  const newest = await listWalletEntries(buyer.context(), { before: null, limit: 1, filter: { kind: "charge" } });
  const older = await find({ kind: "charge" }, newest.next);
  expect(older.map(({ licenseId }) => licenseId)).toEqual([first.licenseId]);
  const back = { before: null, after: older[0]?.id ?? null, limit: 1, filter: { kind: "charge" as const } };
  expect((await listWalletEntries(buyer.context(), back)).rows).toMatchObject([{ licenseId: second.licenseId }]);
});
