import { expectBalancedBooks, findAtProvider, listEventKinds, readTraces } from "../support/books.ts";
import { verdictOf } from "../support/http.ts";
import { expect, test } from "../support/test.ts";
import { type Reseller, reconcile, setLicense } from "../support/world.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

async function register(reseller: Reseller, ip_address: string) {
  const { product_id, cycle_id } = await reseller.newProduct({ price: 1450n, setupFee: 50n });
  return reseller.dispatch.post("license.register", { product_id, cycle_id, ip_address });
}

async function balance(reseller: Reseller) {
  const { balance, pending_transactions } = (await reseller.dispatch.get("balance")).body.data;
  return [balance, pending_transactions];
}

test("192.0.2.10 rejects a registration: nothing is charged, nothing is left (contract 5)", async ({ reseller }) => {
  const answer = await register(reseller, "192.0.2.10");
  expect(verdictOf(answer)).toBe("400 REGISTRATION_FAILED");
  expect(answer.body.details).toHaveProperty("ip_address");
  expect(await balance(reseller)).toEqual([1000, 0]);
  expect(await readTraces(reseller.resellerId)).toMatchObject({ licenses: 0, entries: 1, held: 0n });
  expect(await listEventKinds(reseller.resellerId)).toContain("license.registration_failed");
  await expectBalancedBooks(reseller.resellerId);
});

test("192.0.2.60 cannot be reached: 503 with Retry-After, nothing charged (contract 3.13, 5)", async ({ reseller }) => {
  const answer = await register(reseller, "192.0.2.60");
  expect(verdictOf(answer)).toBe("503 PROVIDER_UNAVAILABLE");
  expect(answer.headers["retry-after"]).toMatch(/^[1-9]\d*$/);
  expect(await balance(reseller)).toEqual([1000, 0]);
  expect(await readTraces(reseller.resellerId)).toMatchObject({ licenses: 0, entries: 1, held: 0n });
  await expectBalancedBooks(reseller.resellerId);
});

for (const [address, done, what] of [
  ["192.0.2.20", true, "does the work, but its answer never arrives"],
  ["192.0.2.21", false, "does nothing, and does not answer"],
  ["192.0.2.40", true, "does the work, and answers something unreadable"],
] as const) {
  test(`${address} ${what}: 202, money held, then settled as the provider says (contract 3.11, 5)`, async ({
    reseller,
  }) => {
    const { status, body } = await register(reseller, address);
    expect(status).toBe(202);
    expect(body.success).toBe(true);
    expect(body.data).toMatchObject({
      license_id: expect.any(Number),
      license_key: expect.stringMatching(/^LIC-/),
      status: "pending",
      operation_id: expect.stringMatching(UUID),
      price: 15,
      currency: "USD",
      balance_after: 985,
    });
    const { license_id, license_key, operation_id } = body.data;
    expect(await balance(reseller)).toEqual([985, 1]);
    expect(await readTraces(reseller.resellerId)).toMatchObject({ posted: 100_000n, held: 1500n, entries: 1 });
    expect((await reseller.dispatch.get("license.info", { license_id })).body.data.status).toBe("pending");
    const verified = (await reseller.path.post("/license/verify", { license_key, ip_address: address })).body;
    expect([verified.valid, verified.code]).toEqual([false, "PENDING"]);

    expect(await reconcile(operation_id)).toBe(done ? "succeeded" : "rejected");
    expect(await balance(reseller)).toEqual([done ? 985 : 1000, 0]);
    const info = await reseller.dispatch.get("license.info", { license_id });
    if (done) expect(info.body.data.status).toBe("active");
    else expect(verdictOf(info)).toBe("404 LICENSE_NOT_FOUND");
    expect((await findAtProvider(license_key))?.state ?? null).toBe(done ? "active" : null);
    const kinds = await listEventKinds(reseller.resellerId);
    expect(kinds).toContain("operation.settled");
    expect(kinds).toContain(done ? "license.activated" : "license.registration_failed");
    await expectBalancedBooks(reseller.resellerId);
  });

  test(`${address} ${what}: an address change stays pending, and the license usable at the old one (contract 3.11)`, async ({
    reseller,
  }) => {
    const old_ip = reseller.newAddress();
    const { license_id, license_key } = await reseller.newLicense({ ip: old_ip });
    const { status, body } = await reseller.dispatch.post("license.change_ip", { license_id, new_ip: address });
    expect(status).toBe(202);
    expect(body.data).toEqual({
      license_id,
      old_ip,
      new_ip: address,
      provider_status: "pending",
      status: "pending",
      operation_id: expect.stringMatching(UUID),
    });
    const info = async () => (await reseller.dispatch.get("license.info", { license_id })).body.data;
    expect(await info()).toMatchObject({ ip_address: old_ip, status: "active" });
    expect(await balance(reseller), "it holds no money").toEqual([990, 0]);
    const blocked = await reseller.dispatch.post("license.renew", { license_id });
    expect(verdictOf(blocked)).toBe("409 OPERATION_IN_PROGRESS");

    await reconcile(body.data.operation_id);
    expect((await info()).ip_address).toBe(done ? address : old_ip);
    expect(await findAtProvider(license_key)).toMatchObject({ address: done ? address : old_ip });
    expect((await reseller.dispatch.post("license.renew", { license_id })).status).toBeLessThan(300);
  });
}

test("192.0.2.30 answers after 3 seconds: done, or pending and then done; charged once (contract 5)", async ({
  reseller,
}) => {
  const { status, body } = await register(reseller, "192.0.2.30");
  expect([200, 202]).toContain(status);
  if (status === 202) expect(await reconcile(body.data.operation_id)).toBe("succeeded");
  expect(await balance(reseller)).toEqual([985, 0]);
  await expectBalancedBooks(reseller.resellerId);
});

test("192.0.2.50 rejects only the last member of a bundle: a single license is registered there (contract 5)", async ({
  reseller,
}) => {
  expect((await register(reseller, "192.0.2.50")).status).toBe(200);
});

test("192.0.2.30 answers an address change after 3 seconds: done, or pending and then done (contract 5)", async ({
  reseller,
}) => {
  const { license_id } = await reseller.newLicense();
  const { status, body } = await reseller.dispatch.post("license.change_ip", { license_id, new_ip: "192.0.2.30" });
  expect([200, 202]).toContain(status);
  if (status === 202) expect(await reconcile(body.data.operation_id)).toBe("succeeded");
  expect((await reseller.dispatch.get("license.info", { license_id })).body.data.ip_address).toBe("192.0.2.30");
});

test("192.0.2.10 rejects an address change: the license stays where it was (contract 5)", async ({ reseller }) => {
  const ip = reseller.newAddress();
  const { license_id, license_key } = await reseller.newLicense({ ip });
  const answer = await reseller.dispatch.post("license.change_ip", { license_id, new_ip: "192.0.2.10" });
  expect(verdictOf(answer)).toBe("400 IP_CHANGE_FAILED");
  expect((await reseller.dispatch.get("license.info", { license_id })).body.data.ip_address).toBe(ip);
  expect(await findAtProvider(license_key)).toMatchObject({ address: ip });
});

test("a license on an address that the provider rejects keeps term, cores and state; money is released (contract 3.2, 3.13)", async ({
  reseller,
}) => {
  const license = await reseller.newLicense({ product: { pricePerCore: 650n } });
  const { license_id } = license;
  await setLicense(license_id, { movedTo: "192.0.2.10" });
  const before = (await reseller.dispatch.get("license.info", { license_id })).body;
  const answers = [
    await reseller.dispatch.post("license.renew", { license_id }),
    await reseller.dispatch.post("license.suspend", { license_id }),
    await reseller.dispatch.post("license.change_core", { license_id, cores: 2 }),
  ];
  expect(answers.map(verdictOf)).toEqual(["400 PROVIDER_REJECTED", "400 PROVIDER_REJECTED", "400 CORE_CHANGE_FAILED"]);
  expect((await reseller.dispatch.get("license.info", { license_id })).body).toEqual(before);
  expect(await balance(reseller)).toEqual([990, 0]);
  expect(await listEventKinds(reseller.resellerId)).toContain("license.renewal_failed");
  await expectBalancedBooks(reseller.resellerId);
});

test("a pending operation is never sent again by the client's repetition (contract 3.11)", async ({ reseller }) => {
  const { product_id, cycle_id } = await reseller.newProduct();
  const request = { product_id, cycle_id, ip_address: "192.0.2.40" };
  expect((await reseller.dispatch.post("license.register", request)).status).toBe(202);
  expect(verdictOf(await reseller.dispatch.post("license.register", request))).toBe("400 REGISTRATION_FAILED");
  expect(await balance(reseller)).toEqual([990, 1]);
});
