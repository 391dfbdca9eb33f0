import { expectBalancedBooks, findAtProvider, listEventKinds } from "../support/books.ts";
import { verdictOf } from "../support/http.ts";
import { expect, test } from "../support/test.ts";
import { setLicense } from "../support/world.ts";

test("license.register answers the registration result and charges price plus setup fee once (contract 3.3, dispatch-interface.md#licenseregister)", async ({
  reseller,
}) => {
  const product = await reseller.newProduct({ price: 1450n, setupFee: 525n });
  const ip_address = reseller.newAddress();
  const { status, body } = await reseller.dispatch.post("license.register", {
    product_id: product.product_id,
    cycle_id: product.cycle_id,
    ip_address,
    notes: "rack 7",
  });
  expect(status).toBe(200);
  expect(body).toEqual({
    success: true,
    message: expect.stringContaining("registered"),
    data: {
      license_id: expect.any(Number),
      license_key: expect.stringMatching(/^LIC-[0-9A-HJKMNP-TV-Z]{5}(-[0-9A-HJKMNP-TV-Z]{5}){3}$/),
      expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      price: 19.75,
      currency: "USD",
      balance_after: 980.25,
    },
  });
  await expectBalancedBooks(reseller.resellerId);
  expect(await listEventKinds(reseller.resellerId)).toEqual(["wallet.topped_up", "license.activated"]);
  expect(await findAtProvider(body.data.license_key)).toMatchObject({ address: ip_address, state: "active" });
});

test("the term is the cycle's calendar months from the second of issue (contract 1.10, 3.4)", async ({ reseller }) => {
  const { license_id } = await reseller.newLicense({ product: { months: 3 } });
  const { body } = await reseller.dispatch.get("license.info", { license_id });
  const issued = new Date(body.data.issued_at);
  const lastDay = new Date(Date.UTC(issued.getUTCFullYear(), issued.getUTCMonth() + 4, 0)).getUTCDate();
  const expected = new Date(issued);
  expected.setUTCDate(1);
  expected.setUTCMonth(expected.getUTCMonth() + 3, Math.min(issued.getUTCDate(), lastDay));
  expect(body.data.expires_at).toBe(expected.toISOString().replace(".000Z", "Z"));
  expect(Math.abs(Date.now() - issued.getTime())).toBeLessThan(60_000);
});

test("a second live license of a product on an address is refused, and costs nothing (contract 3.3)", async ({
  reseller,
}) => {
  const { product_id, cycle_id } = await reseller.newProduct();
  const request = { product_id, cycle_id, ip_address: reseller.newAddress() };
  expect((await reseller.dispatch.post("license.register", request)).status).toBe(200);
  const second = await reseller.dispatch.post("license.register", request);
  expect(second.status).toBe(400);
  expect(second.body).toMatchObject({
    code: "REGISTRATION_FAILED",
    details: { ip_address: expect.any(String), reason: "address_taken" },
  });
  const { body } = await reseller.dispatch.get("balance");
  expect(body.data).toEqual({ balance: 990, currency: "USD", pending_transactions: 0 });
});

test("another product may share the address (contract 3.3)", async ({ reseller }) => {
  const ip = reseller.newAddress();
  await reseller.newLicense({ ip });
  await reseller.newLicense({ ip });
});

for (const [state, end] of [
  ["an expired", { expiredDays: 1 }],
  ["a terminated", "terminated"],
] as const) {
  test(`${state} license does not keep its address (contract 3.3)`, async ({ reseller }) => {
    const ip_address = reseller.newAddress();
    const { license_id, product_id, cycle_id } = await reseller.newLicense({ ip: ip_address });
    await setLicense(license_id, end);
    const { status } = await reseller.dispatch.post("license.register", { product_id, cycle_id, ip_address });
    expect(status).toBe(200);
  });
}

test("of many at once for one address, one is registered and charged (contract 3.3)", async ({ reseller }) => {
  const { product_id, cycle_id } = await reseller.newProduct();
  const request = { product_id, cycle_id, ip_address: reseller.newAddress() };
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => reseller.dispatch.post("license.register", request)),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array(9).fill(400)]);
  expect((await reseller.dispatch.get("balance")).body.data.balance).toBe(990);
  await expectBalancedBooks(reseller.resellerId);
});

test("a core-metered product starts with one core, others have none (contract 3.3)", async ({ reseller }) => {
  const metered = await reseller.newLicense({ product: { pricePerCore: 650n } });
  const plain = await reseller.newLicense();
  expect((await reseller.dispatch.get("license.info", { license_id: metered.license_id })).body.data.cores).toBe(1);
  expect((await reseller.dispatch.get("license.info", { license_id: plain.license_id })).body.data.cores).toBeNull();
});

test("a product of another reseller's price list cannot be bought (contract 3.8)", async ({
  reseller,
  newReseller,
}) => {
  const product = await (await newReseller()).newProduct();
  const answer = await reseller.dispatch.post("license.register", {
    product_id: product.product_id,
    cycle_id: product.cycle_id,
    ip_address: reseller.newAddress(),
  });
  expect(verdictOf(answer)).toBe("404 PRODUCT_NOT_FOUND");
});
