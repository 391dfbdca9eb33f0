import { suspendLicense } from "#lib/services/license/suspend.ts";
import { expectBalancedBooks, findAtProvider, listEventKinds, readTraces } from "../support/books.ts";
import { verdictOf } from "../support/http.ts";
import { expect, test } from "../support/test.ts";
import { adminContext, reconcile, setLicense } from "../support/world.ts";

/** `months` later in UTC, on the anchor's day or the month's last (contract 3.4), by plain date arithmetic. */
function monthsAfter(timestamp: string, months: number): string {
  const [year = 0, month = 0, day = 0] = timestamp.slice(0, 10).split("-").map(Number);
  const lastDay = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate();
  const date = new Date(Date.UTC(year, month - 1 + months, Math.min(day, lastDay)));
  return `${date.toISOString().slice(0, 10)}${timestamp.slice(10)}`;
}

test("license.renew extends a running term by the cycle and answers the renewal result (contract 3.4, dispatch-interface.md#licenserenew)", async ({
  reseller,
}) => {
  const license = await reseller.newLicense({ product: { months: 1, price: 1999n, setupFee: 500n } });
  const { license_id } = license;
  const { status, body } = await reseller.dispatch.post("license.renew", { license_id });
  expect(status).toBe(200);
  expect(body).toEqual({
    success: true,
    message: expect.any(String),
    data: {
      license_id,
      new_expiry: monthsAfter((await reseller.dispatch.get("license.info", { license_id })).body.data.issued_at, 2),
      price: 19.99,
      currency: "USD",
      balance_after: 955.02,
    },
  });
  expect(await listEventKinds(reseller.resellerId)).toContain("license.renewed");
  await expectBalancedBooks(reseller.resellerId);
});

test("another cycle_id becomes the current cycle (contract 3.4)", async ({ reseller }) => {
  const { license_id, product_id, expires_at } = await reseller.newLicense();
  const yearly = await reseller.newCycle(product_id, { months: 12, price: 9000n });
  const first = await reseller.dispatch.post("license.renew", { license_id, cycle_id: yearly });
  expect(first.body.data).toMatchObject({ price: 90, new_expiry: monthsAfter(expires_at, 12) });
  const second = await reseller.dispatch.post("license.renew", { license_id });
  expect(second.body.data).toMatchObject({ price: 90, new_expiry: monthsAfter(expires_at, 24) });
});

test("cores beyond the first are charged with the renewal (contract 3.4)", async ({ reseller }) => {
  const { license_id } = await reseller.newLicense({ product: { price: 1800n, pricePerCore: 650n } });
  await reseller.dispatch.post("license.change_core", { license_id, cores: 4 });
  const { body } = await reseller.dispatch.post("license.renew", { license_id });
  expect(body.data.price).toBe(37.5);
});

test("an expired license is renewed from now and anchored anew (contract 3.4)", async ({ reseller }) => {
  const { license_id } = await reseller.newLicense();
  await setLicense(license_id, { expiredDays: 45 });
  const before = Math.floor(Date.now() / 1000) * 1000;
  const { body } = await reseller.dispatch.post("license.renew", { license_id });
  const earliest = monthsAfter(new Date(before).toISOString(), 1);
  expect(Date.parse(body.data.new_expiry)).toBeGreaterThanOrEqual(Date.parse(earliest));
  expect(Date.parse(body.data.new_expiry)).toBeLessThan(Date.parse(earliest) + 10_000);
  expect((await reseller.dispatch.get("license.info", { license_id })).body.data.status).toBe("active");
});

test("an expired license whose address has a new live one cannot be renewed (contract 3.3)", async ({ reseller }) => {
  const ip_address = reseller.newAddress();
  const { license_id, product_id, cycle_id } = await reseller.newLicense({ ip: ip_address });
  await setLicense(license_id, { expiredDays: 1 });
  await reseller.dispatch.post("license.register", { product_id, cycle_id, ip_address });
  const before = await readTraces(reseller.resellerId);
  expect(verdictOf(await reseller.dispatch.post("license.renew", { license_id }))).toBe("409 INVALID_STATE");
  expect(await readTraces(reseller.resellerId)).toEqual(before);
});

test("a suspended license is renewed and stays suspended (contract 3.4)", async ({ reseller }) => {
  const { license_id } = await reseller.newLicense();
  await suspendLicense(adminContext(reseller.resellerId), { licenseId: license_id });
  expect((await reseller.dispatch.post("license.renew", { license_id })).status).toBe(200);
  expect((await reseller.dispatch.get("license.info", { license_id })).body.data.status).toBe("suspended");
});

test("a terminated license, and one that is pending, cannot be renewed (contract 3.4, 1.15)", async ({ reseller }) => {
  const terminated = await reseller.newLicense();
  await setLicense(terminated.license_id, "terminated");
  const pending = await reseller.newLicense({ ip: "192.0.2.40" });
  for (const [{ license_id }, verdict] of [
    [terminated, "409 INVALID_STATE"],
    [pending, "409 OPERATION_IN_PROGRESS"],
  ] as const) {
    expect(verdictOf(await reseller.dispatch.post("license.renew", { license_id }))).toBe(verdict);
  }
  expect(await reconcile(pending.operation_id)).toBe("succeeded");
});

test("a license that ends more than 25 years ahead is not renewed, and nothing is charged (contract 3.16)", async ({
  reseller,
}) => {
  const { license_id } = await reseller.newLicense();
  await setLicense(license_id, { endsAt: new Date("9999-12-15T00:00:00Z") });
  const answer = await reseller.dispatch.post("license.renew", { license_id });
  expect(verdictOf(answer)).toBe("400 INVALID_PARAMETER");
  expect(Object.keys(answer.body.details)).toEqual(["cycle_id"]);
  expect((await reseller.dispatch.get("balance")).body.data).toMatchObject({ balance: 990, pending_transactions: 0 });
  const { data } = (await reseller.dispatch.get("license.info", { license_id })).body;
  expect(data.expires_at).toBe("9999-12-15T00:00:00Z");
});

test("the member of a bundle renews with its bundle only (contract 3.4)", async ({ reseller }) => {
  const { bundle_id, cycle_id, products } = await reseller.newBundle([{}, {}]);
  const bundle = { bundle_id, cycle_id, ip_address: reseller.newAddress() };
  const { body } = await reseller.dispatch.post("bundle.register", bundle);
  const license_id = body.data.licenses[0]?.license_id ?? 0;
  const renew = async (fields: object) =>
    verdictOf(await reseller.dispatch.post("license.renew", { license_id, ...fields }));
  expect(await renew({})).toBe("409 INVALID_STATE");
  expect(await renew({ cycle_id: products[0]?.cycle_id })).toBe("409 INVALID_STATE");
  expect(await renew({ cycle_id: products[1]?.cycle_id }), "what does not exist comes first (contract 1.3)").toBe(
    "404 CYCLE_NOT_FOUND",
  );
});

test("a cycle of another product cannot be chosen (contract 3.2)", async ({ reseller }) => {
  const { license_id } = await reseller.newLicense();
  const { cycle_id } = await reseller.newProduct();
  expect(verdictOf(await reseller.dispatch.post("license.renew", { license_id, cycle_id }))).toBe(
    "404 CYCLE_NOT_FOUND",
  );
});

test("too little money renews nothing: not here, not at the provider (contract 1.3)", async ({ newReseller }) => {
  const reseller = await newReseller({ funds: "10.00" });
  const { license_id, license_key, expires_at } = await reseller.newLicense();
  const before = await findAtProvider(license_key);
  expect(verdictOf(await reseller.dispatch.post("license.renew", { license_id }))).toBe("400 INSUFFICIENT_BALANCE");
  expect((await reseller.dispatch.get("license.info", { license_id })).body.data.expires_at).toBe(expires_at);
  expect(await findAtProvider(license_key)).toEqual(before);
});

test("two renewals at once never extend twice for one price (contract 3.4)", async ({ reseller }) => {
  const { license_id, expires_at } = await reseller.newLicense();
  const answers = await Promise.all([1, 2, 3].map(() => reseller.dispatch.post("license.renew", { license_id })));
  const renewed = answers.filter(({ status }) => status === 200).length;
  expect(answers.filter((answer) => verdictOf(answer) === "409 OPERATION_IN_PROGRESS")).toHaveLength(3 - renewed);
  const { body } = await reseller.dispatch.get("license.info", { license_id });
  expect(body.data.expires_at).toBe(monthsAfter(expires_at, renewed));
  expect((await reseller.dispatch.get("balance")).body.data.balance).toBe(990 - 10 * renewed);
});
