import { afterAll, beforeAll, expect, test } from "vitest";
import { changeLicenseCores } from "#lib/services/license/change-core.ts";
import { sql } from "#tests/sql.ts";
import { codeOf, placeLicense, rehearsed } from "#tests/support/faults.ts";
import { expectBooksToAgree } from "#tests/support/invariants.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { adjustWallet } from "./adjust.ts";
import { listWalletEntries } from "./list-entries.ts";
import { refundCharge } from "./refund.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

test("partial refunds of a charge come from credits, and never exceed it", async () => {
  const reseller = await world.reseller();
  const { operation } = await reseller.register();
  const input = { operationId: operation.id, reason: "wrong server" };
  expect(await codeOf(refundCharge(world.operator, { ...input, amount: "14.51" }))).toBe("conflict");
  expect(await refundCharge(world.operator, { ...input, amount: "4.5" })).toMatchObject({
    resellerId: reseller.id,
    amount: 450n,
    postedAfter: 99_000n,
  });
  expect(await codeOf(refundCharge(world.operator, { ...input, amount: "10.01" }))).toBe("conflict");
  expect(await refundCharge(world.operator, input)).toMatchObject({ amount: 1000n, postedAfter: 100_000n });
  expect(await codeOf(refundCharge(world.operator, input))).toBe("conflict");
  const rows = await world.db.query(
    sql("select kind, counter_account as account, note from ledger_entries where operation_id = $1 order by id"),
    [operation.id],
  );
  expect(rows[1]).toEqual({ kind: "refund", account: "credits", note: "wrong server" });
  const audit = await world.db.query(sql("select action, reason, reseller_id from audit_entries where subject = $1"), [
    `operation:${operation.id}`,
  ]);
  expect(audit).toEqual(
    Array.from({ length: 2 }, () => ({ action: "wallet.refund", reason: "wrong server", reseller_id: reseller.id })),
  );
  await expectBooksToAgree(world.db);
});

test("a refund waits for one of the same charge, and returns no more than that leaves", async () => {
  const reseller = await world.reseller();
  const { operation } = await reseller.register();
  const other = await world.db.begin();
  const first = "select from refund_operation($1, 1000, null, '', 'user:2', null, $2)";
  await other.query(sql(first), [operation.id, world.now()]);
  const second = codeOf(refundCharge(world.operator, { operationId: operation.id, reason: "twice", amount: "5" }));
  const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await expect.poll(() => world.db.query(sql(waiting), [])).toHaveLength(1);
  await other.commit();
  expect(await second).toBe("conflict");
  expect(await reseller.spendable()).toBe(100_000n - 1450n + 1000n);
  await expectBooksToAgree(world.db);
});

test("a reference is refunded once", async () => {
  const reseller = await world.reseller();
  const { operation } = await reseller.register();
  const input = { operationId: operation.id, reason: "twice", amount: "1", reference: "ticket-9" };
  const results = await Promise.allSettled([1, 2, 3].map(() => refundCharge(world.operator, input)));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await expectBooksToAgree(world.db);
});

test("the ledger offers no more of a charge than refunds and credits left of it", async () => {
  const reseller = await world.reseller();
  const { licenseId } = await reseller.register({ type: "web_server" });
  const added = await changeLicenseCores(reseller.context(), { licenseId, cores: 4 });
  world.advance(86_400_000);
  const credited = await changeLicenseCores(reseller.context(), { licenseId, cores: 2 });
  const { rows: entries } = await listWalletEntries(reseller.context(), { before: null, limit: 10 });
  const refundable = entries.find(({ amount }) => amount === -added.price)?.refundable ?? 0n;
  expect(refundable).toBe(added.price + credited.price);
  const input = { operationId: added.operationId ?? "", reason: "wrong server" };
  expect(await refundCharge(world.operator, input)).toMatchObject({ amount: refundable });
  const [newest] = (await listWalletEntries(reseller.context(), { before: null, limit: 10 })).rows;
  expect(newest).toMatchObject({ kind: "refund", refundable: 0n });
});

test("what was not charged cannot be refunded: free, rejected, credited, unknown and missing operations", async () => {
  const reseller = await world.reseller();
  const { licenseId } = await reseller.register({ type: "web_server" });
  await changeLicenseCores(reseller.context(), { licenseId, cores: 4 });
  world.advance(86_400_000);
  const credit = await changeLicenseCores(reseller.context(), { licenseId, cores: 2 });
  await reseller.register({ ip: rehearsed.losesRequest });
  await codeOf(reseller.register({ ip: rehearsed.rejects }));
  const others = (await reseller.operations()).filter(({ price, state }) => price <= 0n || state !== "succeeded");
  expect(others.length).toBeGreaterThanOrEqual(3);
  for (const { id } of others) {
    expect(await codeOf(refundCharge(world.operator, { operationId: id, reason: "no" }))).toBe("conflict");
  }
  expect(credit.price).toBeLessThan(0n);
  for (const operationId of ["00000000-0000-4000-8000-000000000000", "1", "'; drop table wallets"]) {
    expect(await codeOf(refundCharge(world.operator, { operationId, reason: "no" }))).toBe("not_found");
  }
  expect(await codeOf(refundCharge(reseller.context(), { operationId: String(others[0]?.id), reason: "me" }))).toBe(
    "permission_denied",
  );
  await placeLicense(world, licenseId, "198.19.250.1");
  await expectBooksToAgree(world.db);
});

test("an adjustment needs a reason, cannot exceed the available balance, and is in the audit log", async () => {
  const reseller = await world.reseller({ funds: "20" });
  const adjust = (amount: string, reason = "agreed by phone") =>
    adjustWallet(world.operator, { resellerId: reseller.id, amount, reason });
  expect(await adjust("-5.5")).toMatchObject({ amount: -550n, postedAfter: 1450n });
  expect(await codeOf(adjust("1", "  "))).toBe("parameters_invalid");
  expect(await codeOf(adjust("0"))).toBe("parameters_invalid");
  await reseller.register({ ip: rehearsed.garblesAnswer });
  expect(await reseller.spendable()).toBe(0n);
  expect(await codeOf(adjust("-0.01"))).toBe("insufficient_balance");
  expect(await adjust("3")).toMatchObject({ postedAfter: 1750n });
  const audit = await world.db.query(
    sql("select data from audit_entries where reseller_id = $1 and action = 'wallet.adjust' order by id"),
    [reseller.id],
  );
  expect(audit).toEqual([
    { data: { amount: "-5.50", currency: "USD", reference: null } },
    { data: { amount: "3.00", currency: "USD", reference: null } },
  ]);
  await expectBooksToAgree(world.db);
});
