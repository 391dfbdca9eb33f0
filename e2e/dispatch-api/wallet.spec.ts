import { expectBalancedBooks, readTraces } from "../support/books.ts";
import { verdictOf } from "../support/http.ts";
import { expect, test } from "../support/test.ts";
import { reconcile } from "../support/world.ts";

test("balance is what can be spent; no message (contract 3.12, dispatch-interface.md#balance)", async ({
  reseller,
}) => {
  const { status, body } = await reseller.dispatch.get("balance");
  expect(status).toBe(200);
  expect(body).toEqual({ success: true, data: { balance: 1000, currency: "USD", pending_transactions: 0 } });
});

test("held money cannot be spent, and each open hold is a pending transaction (contract 3.11, 3.12)", async ({
  newReseller,
}) => {
  const reseller = await newReseller({ funds: "25.00" });
  const first = await reseller.newLicense({ ip: "192.0.2.40" });
  const second = await reseller.newLicense({ ip: "192.0.2.40" });
  expect(second.balance_after).toBe(5);
  expect((await reseller.dispatch.get("balance")).body.data).toEqual({
    balance: 5,
    currency: "USD",
    pending_transactions: 2,
  });
  const product = await reseller.newProduct();
  const third = await reseller.dispatch.post("license.register", {
    product_id: product.product_id,
    cycle_id: product.cycle_id,
    ip_address: reseller.newAddress(),
  });
  expect(verdictOf(third)).toBe("400 INSUFFICIENT_BALANCE");
  await reconcile(first.operation_id);
  expect((await reseller.dispatch.get("balance")).body.data).toMatchObject({ balance: 5, pending_transactions: 1 });
  await expectBalancedBooks(reseller.resellerId);
});

test("of 50 registrations at once with money for one, one succeeds and the balance is exact (contract 3.3)", async ({
  newReseller,
}) => {
  const reseller = await newReseller({ funds: "15.00" });
  const { product_id, cycle_id } = await reseller.newProduct({ price: 1000n, setupFee: 1n });
  const answers = await Promise.all(
    Array.from({ length: 50 }, () =>
      reseller.dispatch.post("license.register", { product_id, cycle_id, ip_address: reseller.newAddress() }),
    ),
  );
  const verdicts = answers.map(verdictOf).toSorted();
  expect(verdicts).toEqual(["200", ...Array(49).fill("400 INSUFFICIENT_BALANCE")]);
  expect((await reseller.dispatch.get("balance")).body.data).toEqual({
    balance: 4.99,
    currency: "USD",
    pending_transactions: 0,
  });
  expect(await readTraces(reseller.resellerId)).toMatchObject({ licenses: 1, operations: 1, entries: 2, held: 0n });
  await expectBalancedBooks(reseller.resellerId);
});

test("the wallet can be spent to the last minor unit, and not below (contract 1.9)", async ({ newReseller }) => {
  const reseller = await newReseller({ funds: "0.30" });
  for (const [price, verdict, balance] of [
    [10n, "200", 0.2],
    [21n, "400 INSUFFICIENT_BALANCE", 0.2],
    [20n, "200", 0],
    [1n, "400 INSUFFICIENT_BALANCE", 0],
  ] as const) {
    const { product_id, cycle_id } = await reseller.newProduct({ price });
    const request = { product_id, cycle_id, ip_address: reseller.newAddress() };
    expect(verdictOf(await reseller.dispatch.post("license.register", request))).toBe(verdict);
    expect((await reseller.dispatch.get("balance")).body.data.balance).toBe(balance);
  }
});
