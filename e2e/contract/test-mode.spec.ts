import { verdictOf } from "../support/http.ts";
import { expect, test } from "../support/test.ts";
import { reconcile } from "../support/world.ts";

test("a test key buys with play money, at the reseller's price, an address that is taken live (contract 1.18)", async ({
  reseller,
}) => {
  const { apiKey, dispatch, path } = await reseller.inTestMode();
  expect(apiKey).toMatch(/^lk_test_/);
  expect((await path.get("/me")).body).toMatchObject({ mode: "test", reseller: { currency: "USD" } });
  const ip_address = reseller.newAddress();
  const live = await reseller.newLicense({ ip: ip_address, product: { price: 1290n } });
  const before = await reseller.dispatch.get("wallet.balance");
  const order = { product_id: live.product_id, cycle_id: live.cycle_id, ip_address };
  const bought = await dispatch.post("license.register", order);
  expect([bought.status, bought.body.data.price, bought.body.data.balance_after]).toEqual([200, 12.9, 9987.1]);
  const { license_key } = bought.body.data;
  const verified = await path.post("/license/verify", { license_key, ip_address });
  expect([verified.status, verified.body.valid]).toEqual([200, true]);
  expect((await reseller.dispatch.get("wallet.balance")).body).toEqual(before.body);
  expect((await reseller.dispatch.get("license.list")).body.data.licenses).toHaveLength(1);
});

test("a test key at live ids gets the answer for absent ones, and a live key at test ids", async ({ reseller }) => {
  const sandbox = await reseller.inTestMode();
  const live = await reseller.newLicense();
  const bought = await sandbox.dispatch.post("license.register", {
    product_id: live.product_id,
    cycle_id: live.cycle_id,
    ip_address: reseller.newAddress(),
  });
  const absent = { license_id: 2_000_000_000, license_key: "LIC-AN7X6-1SCXJ-P6RB7-C93C7" };
  for (const [asker, license] of [
    [sandbox, live],
    [reseller, bought.body.data],
  ] as const) {
    const ip_address = "203.0.113.77";
    const about = async ({ license_id, license_key }: { license_id?: unknown; license_key?: unknown }) => [
      await asker.dispatch.get("license.info", { license_id: Number(license_id) }),
      await asker.dispatch.post("license.renew", { license_id: Number(license_id) }),
      await asker.dispatch.post("license.terminate", { license_id: Number(license_id) }),
      await asker.path.get("/license/status", { license_key: String(license_key) }),
      await asker.path.post("/license/verify", { license_key: String(license_key), ip_address }),
    ];
    const answers = (responses: Awaited<ReturnType<typeof about>>) =>
      responses.map(({ status, body }) => [status, JSON.stringify(body).replaceAll(/"request_id":"[^"]*"/g, "")]);
    expect(answers(await about(license))).toEqual(answers(await about(absent)));
  }
});

test("one idempotency key means one order in each mode", async ({ reseller }) => {
  const { dispatch } = await reseller.inTestMode();
  const product = await reseller.newProduct({ price: 500n });
  const order = { product_id: product.product_id, cycle_id: product.cycle_id, ip_address: reseller.newAddress() };
  const options = { headers: { "idempotency-key": "order-1" } };
  const inTest = await dispatch.post("license.register", order, options);
  const live = await reseller.dispatch.post("license.register", order, options);
  const again = await dispatch.post("license.register", order, options);
  expect([inTest.status, live.status, again.status]).toEqual([200, 200, 200]);
  expect(live.body.data.license_id).not.toBe(inTest.body.data.license_id);
  expect(again.body.data).toEqual(inTest.body.data);
});

test("documented failing addresses fail in test mode, too (contract 5)", async ({ reseller }) => {
  const { dispatch } = await reseller.inTestMode();
  const product = await reseller.newProduct({ price: 500n });
  const register = (ip_address: string) =>
    dispatch.post("license.register", { product_id: product.product_id, cycle_id: product.cycle_id, ip_address });
  expect(verdictOf(await register("192.0.2.10"))).toBe("400 REGISTRATION_FAILED");
  expect((await register("192.0.2.60")).status).toBe(503);
  const lost = await register("192.0.2.20");
  expect(lost.status).toBe(202);
  expect(await reconcile(lost.body.data.operation_id)).toBe("succeeded");
});
