import { expectBalancedBooks, findAtProvider, listEventKinds, readTraces } from "../support/books.ts";
import { verdictOf } from "../support/http.ts";
import { expect, test } from "../support/test.ts";
import type { Reseller } from "../support/world.ts";

const TIMESTAMP = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);

/** A bundle of a plain, a metered and another plain product; registered on a new address. */
async function registerBundle(reseller: Reseller) {
  const bundle = await reseller.newBundle([{}, { pricePerCore: 650n }, { workers: 3 }], {
    price: 2990n,
    setupFee: 110n,
  });
  const ip_address = reseller.newAddress();
  const { bundle_id, cycle_id } = bundle;
  const answer = await reseller.dispatch.post("bundle.register", { bundle_id, cycle_id, ip_address });
  expect(answer.status).toBe(200);
  return { ...bundle, ip_address, answer, data: answer.body.data };
}

test("bundle.register registers every member on one address at the bundle's own price (contract 3.10)", async ({
  reseller,
}) => {
  const { answer, bundle_id, ip_address, products } = await registerBundle(reseller);
  expect(answer.body).toEqual({
    success: true,
    message: expect.any(String),
    data: {
      bundle_instance_id: expect.any(Number),
      bundle_id,
      name: expect.any(String),
      ip_address,
      expires_at: TIMESTAMP,
      price: 31,
      currency: "USD",
      balance_after: 969,
      licenses: products.map(({ name }) => ({
        license_id: expect.any(Number),
        license_key: expect.stringMatching(/^LIC-/),
        product: name,
        expires_at: answer.body.data.expires_at,
      })),
    },
  });
  for (const { license_key, license_id } of answer.body.data.licenses) {
    expect(await findAtProvider(license_key)).toMatchObject({ address: ip_address, state: "active" });
    const info = (await reseller.dispatch.get("license.info", { license_id })).body.data;
    expect(info).toMatchObject({ ip_address, status: "active" });
  }
  expect(await listEventKinds(reseller.resellerId)).toContain("bundle.registered");
  await expectBalancedBooks(reseller.resellerId);
});

test("bundle.info tells the instance and its members (contract 3.10)", async ({ reseller }) => {
  const { data, bundle_id, ip_address } = await registerBundle(reseller);
  const { bundle_instance_id, name, expires_at } = data;
  const { status, body } = await reseller.dispatch.get("bundle.info", { bundle_instance_id });
  expect(status).toBe(200);
  const licenses = data.licenses.map((license) => ({ ...license, status: "active" }));
  expect(body).toEqual({
    success: true,
    data: { bundle_instance_id, bundle_id, name, ip_address, expires_at, licenses },
  });
});

test("bundle.renew extends all members together; metered cores beyond the first cost extra (contract 3.10)", async ({
  reseller,
}) => {
  const { data } = await registerBundle(reseller);
  const { bundle_instance_id } = data;
  const metered = data.licenses[1]?.license_id ?? 0;
  const grown = await reseller.dispatch.post("license.change_core", { license_id: metered, cores: 3 });
  expect(grown.body.data.price).toBe(13);
  const { status, body } = await reseller.dispatch.post("bundle.renew", { bundle_instance_id });
  expect(status).toBe(200);
  expect(body).toEqual({
    success: true,
    message: expect.any(String),
    data: {
      bundle_instance_id,
      new_expiry: TIMESTAMP,
      price: 42.9,
      currency: "USD",
      balance_after: 913.1,
      licenses: data.licenses.map(({ license_id }) => ({ license_id, new_expiry: body.data.new_expiry })),
    },
  });
  expect(Date.parse(body.data.new_expiry)).toBeGreaterThan(Date.parse(data.expires_at));
  for (const { license_id } of data.licenses) {
    const info = (await reseller.dispatch.get("license.info", { license_id })).body.data;
    expect(info.expires_at).toBe(body.data.new_expiry);
  }
  expect(await listEventKinds(reseller.resellerId)).toContain("bundle.renewed");
});

test("another cycle_id becomes the bundle's current cycle; setup fees are paid once (contract 3.10, 3.4)", async ({
  reseller,
}) => {
  const { data, bundle_id } = await registerBundle(reseller);
  const { bundle_instance_id } = data;
  const quarterly = await reseller.newBundleCycle(bundle_id, { months: 3, price: 8500n, setupFee: 999n });
  for (const balance_after of [884, 799]) {
    const { body } = await reseller.dispatch.post(
      "bundle.renew",
      balance_after === 884 ? { bundle_instance_id, cycle_id: quarterly } : { bundle_instance_id },
    );
    expect(body.data).toMatchObject({ price: 85, balance_after });
  }
});

test("bundle.change_ip moves every member (contract 3.10)", async ({ reseller }) => {
  const { data, ip_address } = await registerBundle(reseller);
  const { bundle_instance_id } = data;
  const new_ip = reseller.newAddress();
  const { status, body } = await reseller.dispatch.post("bundle.change_ip", { bundle_instance_id, new_ip });
  expect(status).toBe(200);
  expect(body).toEqual({
    success: true,
    message: expect.any(String),
    data: {
      bundle_instance_id,
      old_ip: ip_address,
      new_ip,
      provider_status: "updated",
      price: 0,
      currency: "USD",
      balance_after: data.balance_after,
      licenses: data.licenses.map(({ license_id }) => ({ license_id, provider_status: "updated" })),
    },
  });
  for (const { license_key, license_id } of data.licenses) {
    expect((await reseller.dispatch.get("license.info", { license_id })).body.data.ip_address).toBe(new_ip);
    expect(await findAtProvider(license_key)).toMatchObject({ address: new_ip });
  }
  const before = await readTraces(reseller.resellerId);
  const again = await reseller.dispatch.post("bundle.change_ip", { bundle_instance_id, new_ip });
  expect([again.status, again.body.data.provider_status]).toEqual([200, "unchanged"]);
  expect(again.body.data).toMatchObject({ price: 0, balance_after: data.balance_after });
  expect(await readTraces(reseller.resellerId)).toEqual(before);
});

test("one member's product on the address already: nothing is registered, nothing moves (contract 3.3, 3.10)", async ({
  reseller,
}) => {
  const { data, products, bundle_id, cycle_id } = await registerBundle(reseller);
  const taken = reseller.newAddress();
  const { product_id = 0, cycle_id: ownCycle = 0 } = products[2] ?? {};
  await reseller.dispatch.post("license.register", { product_id, cycle_id: ownCycle, ip_address: taken });
  const before = await readTraces(reseller.resellerId);
  const registered = await reseller.dispatch.post("bundle.register", { bundle_id, cycle_id, ip_address: taken });
  expect(verdictOf(registered)).toBe("400 REGISTRATION_FAILED");
  expect(registered.body.details).toHaveProperty("ip_address");
  const { bundle_instance_id } = data;
  const moved = await reseller.dispatch.post("bundle.change_ip", { bundle_instance_id, new_ip: taken });
  expect(verdictOf(moved)).toBe("400 IP_CHANGE_FAILED");
  expect(await readTraces(reseller.resellerId)).toEqual(before);
});

test("too little money registers no member (contract 1.3)", async ({ newReseller }) => {
  const reseller = await newReseller({ funds: "30.99" });
  const { bundle_id, cycle_id } = await reseller.newBundle([{}, {}], { price: 3100n });
  const before = await readTraces(reseller.resellerId);
  const ip_address = reseller.newAddress();
  const answer = await reseller.dispatch.post("bundle.register", { bundle_id, cycle_id, ip_address });
  expect(verdictOf(answer)).toBe("400 INSUFFICIENT_BALANCE");
  expect(await readTraces(reseller.resellerId)).toEqual(before);
});

test("a bundle that does not exist, and a cycle of another (contract 3.2)", async ({ reseller }) => {
  const { bundle_id, cycle_id, data } = await registerBundle(reseller);
  const other = await reseller.newBundle([{}]);
  const ip_address = reseller.newAddress();
  const answers = await Promise.all([
    reseller.dispatch.post("bundle.register", { bundle_id: 2_147_483_647, cycle_id, ip_address }),
    reseller.dispatch.post("bundle.register", { bundle_id, cycle_id: other.cycle_id, ip_address }),
    reseller.dispatch.post("bundle.renew", {
      bundle_instance_id: data.bundle_instance_id,
      cycle_id: other.cycle_id,
    }),
  ]);
  expect(answers.map(verdictOf)).toEqual(["404 BUNDLE_NOT_FOUND", "404 CYCLE_NOT_FOUND", "404 CYCLE_NOT_FOUND"]);
});

test("another reseller's bundle is byte for byte one that does not exist (contract 1.12)", async ({
  reseller,
  newReseller,
}) => {
  const { data } = await registerBundle(await newReseller());
  const calls = [
    (bundle_instance_id: number) => reseller.dispatch.get("bundle.info", { bundle_instance_id }),
    (bundle_instance_id: number) => reseller.dispatch.post("bundle.renew", { bundle_instance_id }),
    (bundle_instance_id: number) =>
      reseller.dispatch.post("bundle.change_ip", { bundle_instance_id, new_ip: "10.9.9.8" }),
  ];
  for (const call of calls) {
    const foreign = await call(data.bundle_instance_id);
    const missing = await call(2_147_483_647);
    expect(verdictOf(foreign)).toBe("404 BUNDLE_NOT_FOUND");
    expect([foreign.status, foreign.text]).toEqual([missing.status, missing.text]);
  }
});
