import { adjustWallet } from "#lib/services/wallet/adjust.ts";
import { expectBalancedBooks } from "../support/books.ts";
import type { Fields } from "../support/client.ts";
import { verdictOf } from "../support/http.ts";
import { undocumented } from "../support/openapi.ts";
import { expect, test } from "../support/test.ts";
import { major, type Reseller, systemContext } from "../support/world.ts";

interface Charge {
  readonly fields: Fields;
  /** Minor units of USD. */
  readonly price: bigint;
}

const metered = { price: 1000n, pricePerCore: 300n } as const;

/** Every operation of this interface that charges, with what it costs. */
const charges: Readonly<Record<string, (reseller: Reseller) => Promise<Charge>>> = {
  async "license.register"(reseller) {
    const { product_id, cycle_id } = await reseller.newProduct({ price: 1450n, setupFee: 525n });
    return { fields: { product_id, cycle_id, ip_address: reseller.newAddress() }, price: 1975n };
  },
  async "license.renew"(reseller) {
    const { license_id } = await reseller.newLicense({ product: { price: 1450n, setupFee: 525n } });
    return { fields: { license_id }, price: 1450n };
  },
  async "license.change_core"(reseller) {
    const { license_id } = await reseller.newLicense({ product: metered });
    return { fields: { license_id, cores: 3 }, price: 600n };
  },
  async "bundle.register"(reseller) {
    const { bundle_id, cycle_id } = await reseller.newBundle([{}, {}], { price: 2000n });
    return { fields: { bundle_id, cycle_id, ip_address: reseller.newAddress() }, price: 2000n };
  },
  async "bundle.renew"(reseller) {
    const { bundle_id, cycle_id } = await reseller.newBundle([{}, {}], { price: 2000n });
    const bought = { bundle_id, cycle_id, ip_address: reseller.newAddress() };
    const { body } = await reseller.dispatch.post("bundle.register", bought);
    return { fields: { bundle_instance_id: body.data.bundle_instance_id }, price: 2000n };
  },
};

async function spendAllBut(reseller: Reseller, rest: number): Promise<void> {
  const { balance } = await balanceOf(reseller);
  const amount = (rest - balance).toFixed(2);
  await adjustWallet(systemContext(), { resellerId: reseller.resellerId, amount, reason: "spent elsewhere" });
}

const balanceOf = async (reseller: Reseller) => (await reseller.dispatch.get("balance")).body.data;

for (const [endpoint, prepare] of Object.entries(charges)) {
  test(`${endpoint} at another price than expected does nothing and says the price (contract 3.13, 3.15)`, async ({
    reseller,
  }) => {
    const { fields, price } = await prepare(reseller);
    const before = await balanceOf(reseller);
    const refused = await reseller.dispatch.post(endpoint, { ...fields, expected_price: "0.01" });
    expect(refused.body).toEqual({
      success: false,
      error: true,
      code: "PRICE_CHANGED",
      message: expect.stringMatching(/^The price has changed: this now costs \$\d+\.\d\d\.$/),
      details: { price: expect.any(Number), currency: "USD" },
    });
    expect(refused.status).toBe(409);
    // The time left of a term, and so the price of its cores, falls by the second.
    expect(refused.body.details.price).toBeCloseTo(major(price, "USD"), 1);
    expect(await balanceOf(reseller)).toEqual(before);
    await expectBalancedBooks(reseller.resellerId);
  });

  test(`${endpoint} without the money says the price and what is missing (contract 3.15)`, async ({ reseller }) => {
    const { fields, price } = await prepare(reseller);
    await spendAllBut(reseller, 0.5);
    const refused = await reseller.dispatch.post(endpoint, fields);
    expect(verdictOf(refused)).toBe("400 INSUFFICIENT_BALANCE");
    const { details } = refused.body;
    expect(Object.keys(details)).toEqual(["price", "missing", "currency"]);
    expect(details.price).toBeCloseTo(major(price, "USD"), 1);
    expect(details.missing).toBeCloseTo(Number(details.price) - 0.5, 6);
  });
}

test(
  "license.renew at the expected price is carried out, however the amount is written (contract 1.9, 3.15)",
  undocumented,
  async ({ reseller }) => {
    const { license_id } = await reseller.newLicense({ product: { price: 1450n } });
    const asJson = (expected_price: unknown) =>
      reseller.dispatch.send({
        method: "POST",
        target: "/api/v1/?endpoint=license.renew",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ license_id, expected_price }),
      });
    const asForm = (expected_price: string) => reseller.dispatch.post("license.renew", { license_id, expected_price });
    for (const answer of [await asJson(14.5), await asJson("14.50"), await asForm("14.5"), await asForm("14.50")]) {
      expect(verdictOf(answer)).toBe("200");
      expect(answer.body.data.price).toBe(14.5);
    }
    for (const wrong of [14.505, 1e21, true, [14.5], {}]) {
      expect(`${wrong}: ${verdictOf(await asJson(wrong))}`).toBe(`${wrong}: 400 INVALID_PARAMETER`);
    }
  },
);

test("an expected price is an exact amount of the caller's currency (contract 1.9, 3.15)", async ({
  reseller,
  newReseller,
}) => {
  const renew = (of: Reseller, expected_price: string | number) =>
    of.dispatch.post("license.renew", { license_id: 2_147_483_647, expected_price });
  for (const wrong of ["14.505", "1e2", "+14", "014", "14,50", ".5", "14.", " 14", "0x1", "free", "9999999999999999"]) {
    const answer = await renew(reseller, wrong);
    expect(`${wrong}: ${verdictOf(answer)}`).toBe(`${wrong}: 400 INVALID_PARAMETER`);
    expect(answer.body.details).toEqual({ expected_price: "must be an amount in USD such as 12.50" });
  }
  const yen = await newReseller({ currency: "JPY" });
  expect(verdictOf(await renew(yen, "100.0"))).toBe("400 INVALID_PARAMETER");
  expect(verdictOf(await renew(yen, "100"))).toBe("404 LICENSE_NOT_FOUND");
  const dinar = await newReseller({ currency: "KWD" });
  expect(verdictOf(await renew(dinar, "1.2345"))).toBe("400 INVALID_PARAMETER");
  expect(verdictOf(await renew(dinar, "1.234"))).toBe("404 LICENSE_NOT_FOUND");
});

test("a wrong expected price has its place among the other wrong parameters (contract 3.2)", async ({ reseller }) => {
  const answer = await reseller.dispatch.post("license.renew", { expected_price: "14.505" });
  expect(verdictOf(answer)).toBe("400 MISSING_LICENSE_ID");
  expect(Object.keys(answer.body.details)).toEqual(["license_id", "expected_price"]);
});
