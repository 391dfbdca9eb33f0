import { setTimeout as sleep } from "node:timers/promises";
import { readTraces } from "../support/books.ts";
import { verdictOf } from "../support/http.ts";
import { expect, test } from "../support/test.ts";

test("a dry run of each operation that charges names what it charges, and leaves no trace (contract 3.18)", async ({
  reseller,
}) => {
  const metered = await reseller.newLicense({ product: { price: 1000n, pricePerCore: 650n } });
  const product = await reseller.newProduct({ price: 1450n, setupFee: 525n });
  const bundle = await reseller.newBundle([{}, {}], { price: 2500n });
  const { license_id } = metered;
  const bundleOrder = { bundle_id: bundle.bundle_id, cycle_id: bundle.cycle_id, ip_address: reseller.newAddress() };
  const owned = (await reseller.dispatch.post("bundle.register", bundleOrder)).body.data;
  const orders = [
    [
      "license.register",
      { product_id: product.product_id, cycle_id: product.cycle_id, ip_address: reseller.newAddress() },
    ],
    ["license.renew", { license_id }],
    ["license.change_core", { license_id, cores: 4 }],
    ["bundle.register", { ...bundleOrder, ip_address: reseller.newAddress() }],
    ["bundle.renew", { bundle_instance_id: owned.bundle_instance_id }],
  ] as const;
  for (const [endpoint, fields] of orders) {
    const before = await readTraces(reseller.resellerId);
    const preview = await reseller.dispatch.post(endpoint, { ...fields, dry_run: true }, { idempotencyKey: "preview" });
    expect([endpoint, preview.status]).toEqual([endpoint, 200]);
    expect(preview.body.data).toMatchObject({ dry_run: true, currency: "USD" });
    expect(await readTraces(reseller.resellerId)).toEqual(before);
    const { price, balance_after } = preview.body.data;
    const real = await reseller.dispatch.post(
      endpoint,
      { ...fields, expected_price: price },
      { idempotencyKey: endpoint },
    );
    expect(real.body.data).toMatchObject({ price, balance_after });
  }
  const unchanged = await reseller.dispatch.post("license.change_core", { license_id, cores: 4, dry_run: true });
  const { balance } = (await reseller.dispatch.get("balance")).body.data;
  expect(unchanged.body.data).toEqual({ dry_run: true, price: 0, currency: "USD", balance_after: balance });
  const fewer = await reseller.dispatch.post("license.change_core", { license_id, cores: 1, dry_run: true });
  expect(fewer.body.data.price).toBeLessThan(0);
  expect(fewer.body.data.balance_after).toBeCloseTo(balance - fewer.body.data.price, 2);
});

test("a dry run's credit is one that the real request accepts, however fast it falls (contract 3.6, 3.18)", async ({
  newReseller,
}) => {
  const rich = await newReseller({ funds: "50000000" });
  const { license_id } = await rich.newLicense({ product: { price: 1000n, pricePerCore: 100_000_000n } });
  const change = (fields: object) => rich.dispatch.post("license.change_core", { license_id, ...fields });
  expect((await change({ cores: 32 })).status).toBe(200);
  const { price, balance_after } = (await change({ cores: 1, dry_run: true })).body.data;
  await sleep(50);
  const real = await change({ cores: 1, expected_price: price });
  expect(real.body.data).toMatchObject({ price, balance_after });
});

test("a dry run fails as the request would (contract 3.18)", async ({ reseller, newReseller }) => {
  const ip = reseller.newAddress();
  const { license_id, product_id, cycle_id } = await reseller.newLicense({ ip });
  const register = { product_id, cycle_id, ip_address: reseller.newAddress() };
  const poor = await newReseller({ funds: "0" });
  const { product_id: dear, cycle_id: dearCycle } = await poor.newProduct({ price: 1000n });
  const refusals = [
    [reseller, "license.register", { ...register, ip_address: ip }, "400 REGISTRATION_FAILED"],
    [reseller, "license.register", { ...register, expected_price: 1 }, "409 PRICE_CHANGED"],
    [reseller, "license.register", { ...register, product_id: 2_147_483_647 }, "404 PRODUCT_NOT_FOUND"],
    [reseller, "license.renew", { license_id: 2_147_483_647 }, "404 LICENSE_NOT_FOUND"],
    [reseller, "license.change_core", { license_id, cores: 2 }, "400 NOT_CORE_METERED"],
    [reseller, "license.renew", { license_id, dry_run: "maybe" }, "400 INVALID_PARAMETER"],
    [
      poor,
      "license.register",
      { product_id: dear, cycle_id: dearCycle, ip_address: poor.newAddress() },
      "400 INSUFFICIENT_BALANCE",
    ],
  ] as const;
  for (const [caller, endpoint, fields, verdict] of refusals) {
    const { dispatch } = caller;
    const preview = await dispatch.post(endpoint, { dry_run: true, ...fields });
    expect([endpoint, verdictOf(preview)]).toEqual([endpoint, verdict]);
  }
});

test("a dry run neither uses nor replays an idempotency key (contract 1.11, 3.18)", async ({ reseller }) => {
  const { product_id, cycle_id } = await reseller.newProduct();
  const fields = { product_id, cycle_id, ip_address: reseller.newAddress() };
  const send = (dry_run: boolean) =>
    reseller.dispatch.post("license.register", { ...fields, dry_run }, { idempotencyKey: "order-1" });
  expect((await send(true)).body.data.dry_run).toBe(true);
  const bought = await send(false);
  expect([bought.status, bought.headers["idempotent-replayed"]]).toEqual([200, undefined]);
  expect((await send(true)).headers["idempotent-replayed"]).toBeUndefined();
  expect((await send(false)).body.data).toEqual(bought.body.data);
});
