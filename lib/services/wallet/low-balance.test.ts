import { afterAll, beforeAll, expect, test } from "vitest";
import { reconcileOperations } from "#lib/services/operation/reconcile.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { codeOf, rehearsed } from "#tests/support/faults.ts";
import { expectBooksToAgree } from "#tests/support/invariants.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { adjustWallet } from "./adjust.ts";
import { setWalletLowBalanceThreshold } from "./set-low-balance-threshold.ts";
import { topUpWallet } from "./top-up.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld({ poolSize: 16 });
});
afterAll(() => world.close());

const emitted = (resellerId: number) =>
  world.db.query(
    sql<{ data: unknown }>(
      "select data from events where reseller_id = $1 and kind = 'wallet.low_balance' order by occurred_at",
    ),
    [resellerId],
  );

test("concurrent charges below the threshold emit one event, and another only after the balance has risen", async () => {
  const reseller = await world.reseller({ funds: "200" });
  const user = world.context(actors.user(reseller.id));
  await setWalletLowBalanceThreshold(user, { threshold: "150" });
  expect(await emitted(reseller.id)).toEqual([]);
  await Promise.all(Array.from({ length: 8 }, () => reseller.register()));
  expect(await emitted(reseller.id)).toHaveLength(1);
  const add = (amount: string) => topUpWallet(world.operator, { resellerId: reseller.id, amount, note: "" });
  await Promise.all([add("10"), add("20")]);
  expect(await emitted(reseller.id)).toHaveLength(1);
  await add("150");
  await Promise.all(Array.from({ length: 10 }, () => reseller.register()));
  expect(await emitted(reseller.id)).toHaveLength(2);
  await expectBooksToAgree(world.db);
});

test("a threshold above the balance emits immediately; no threshold never does", async () => {
  const reseller = await world.reseller({ funds: "20" });
  const user = world.context(actors.user(reseller.id));
  expect(await setWalletLowBalanceThreshold(user, { threshold: "25.5" })).toEqual({
    threshold: 2550n,
    currency: "USD",
  });
  expect(await emitted(reseller.id)).toEqual([{ data: { currency: "USD", balance: 20, threshold: 25.5 } }]);
  await setWalletLowBalanceThreshold(user, { threshold: "30" });
  expect(await emitted(reseller.id)).toHaveLength(1);
  await setWalletLowBalanceThreshold(user, { threshold: null });
  await adjustWallet(world.operator, { resellerId: reseller.id, amount: "-15", reason: "test" });
  expect(await emitted(reseller.id)).toHaveLength(1);
  await setWalletLowBalanceThreshold(user, { threshold: "5.01" });
  expect(await emitted(reseller.id)).toHaveLength(2);
  const audit = await world.db.query(
    sql(
      "select action, actor, request_id, data from audit_entries where reseller_id = $1 and action like '%threshold' order by id limit 1",
    ),
    [reseller.id],
  );
  expect(audit).toEqual([
    {
      action: "wallet.set_low_balance_threshold",
      actor: "user:1",
      request_id: "req_test",
      data: { threshold: "2550" },
    },
  ]);
});

test("money released by a rejection counts as risen: the next fall below the threshold emits again", async () => {
  const reseller = await world.reseller({ funds: "40" });
  await setWalletLowBalanceThreshold(world.context(actors.user(reseller.id)), { threshold: "20" });
  await reseller.register({ ip: rehearsed.losesRequest });
  await reseller.register();
  expect(await emitted(reseller.id)).toHaveLength(1);
  expect(await reconcileOperations(world.operator, { early: true })).toMatchObject({ rejected: 1 });
  expect(await reseller.spendable()).toBe(2_550n);
  await reseller.register();
  expect(await emitted(reseller.id)).toHaveLength(2);
});

test("a fall by money that stays held emits when the outcome becomes unknown, and once", async () => {
  const reseller = await world.reseller({ funds: "20" });
  await setWalletLowBalanceThreshold(world.context(actors.user(reseller.id)), { threshold: "10" });
  await reseller.register({ ip: rehearsed.losesAnswer });
  expect(await emitted(reseller.id)).toEqual([{ data: { currency: "USD", balance: 5.5, threshold: 10 } }]);
  expect(await reconcileOperations(world.operator, { early: true })).toMatchObject({ succeeded: 1 });
  expect(await emitted(reseller.id)).toHaveLength(1);
});

test("an API key cannot set it", async () => {
  const reseller = await world.reseller();
  expect(await codeOf(setWalletLowBalanceThreshold(reseller.context(), { threshold: "1" }))).toBe("permission_denied");
  const user = world.context(actors.user(reseller.id));
  expect(await codeOf(setWalletLowBalanceThreshold(user, { threshold: "-1" }))).toBe("parameters_invalid");
});
