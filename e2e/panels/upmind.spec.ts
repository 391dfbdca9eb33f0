import type { ChildProcess } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { verifyWallets } from "#lib/services/wallet/verify.ts";
import { balanceOf, installPanel, licensesOf, servePhp, settlePending } from "../support/panels.ts";
import { missingPhp } from "../support/php.ts";
import { expect, test } from "../support/test.ts";
import { newReseller, type Reseller, setLicense, systemContext } from "../support/world.ts";

type Fields = Readonly<Record<string, string>>;

const SUCCESS = ["success", "ok", true, "true", 1, "1"];

const servers: ChildProcess[] = [];
test.afterEach(() => {
  for (const server of servers.splice(0)) server.kill();
});
test.beforeEach(async () => {
  const missing = await missingPhp();
  test.skip(missing !== null, String(missing));
});

/** The adapter on two web servers, and Upmind's provider *Generic*: form fields, a Bearer token, only the status line of a failure. */
async function connect(reseller: Reseller) {
  const folder = test.info().outputPath("upmind");
  await installPanel("upmind", folder);
  writeFileSync(join(folder, "config.php"), `<?php return ['url' => ${JSON.stringify(reseller.baseUrl)}];`);
  const [first, second] = await Promise.all([
    servePhp("-t", join(folder, "public")),
    servePhp("-t", join(folder, "public")),
  ]);
  let log = "";
  for (const { process } of [first, second]) {
    servers.push(process);
    process.stderr?.on("data", (chunk) => {
      log += chunk;
    });
  }
  const customer = { customer_name: "Ann Lee", customer_email: "ann@example.com" };
  const request = (action: string, fields: Fields, { url = first.url, key = reseller.apiKey, method = "POST" } = {}) =>
    fetch(`${url}/?do=${action}`, {
      method,
      headers: key === "" ? {} : { authorization: `Bearer ${key}` },
      ...(method === "POST" ? { body: new URLSearchParams(fields) } : {}),
    });
  const call = async (action: string, fields: Fields, options = {}) => {
    const response = await request(action, fields, options);
    if (!response.ok) return `Service error: ${response.status} ${response.statusText}`;
    return (await response.json()) as Readonly<Record<string, unknown>>;
  };
  return {
    create: (fields: Fields, options = {}) => call("create", { ...customer, ...fields }, options),
    /** A function that only succeeds or fails. */
    run: async (action: string, fields: Fields) => {
      const answer = await call(action, fields);
      return typeof answer !== "string" && SUCCESS.includes(answer.success as never) ? "success" : answer;
    },
    call,
    secondUrl: second.url,
    log: () => log,
  };
}

async function orderOf(reseller: Reseller, more: Fields = {}): Promise<Fields> {
  const { product_id } = await reseller.newProduct();
  return { package_identifier: `${product_id}/1`, ip: reseller.newAddress(), ...more };
}

async function listOf(reseller: Reseller) {
  const { licenses } = (await reseller.dispatch.get("license.list")).body.data;
  return licenses as unknown as readonly Readonly<Record<string, unknown>>[];
}

test("a license's whole life: pending, created once, suspended, unsuspended, terminated; each repeated", async ({
  reseller,
}) => {
  const upmind = await connect(reseller);
  const order = await orderOf(reseller, { ip: "192.0.2.20" });
  expect(await upmind.create(order)).toMatch(/^Service error: 503 create is pending/);
  await settlePending(reseller);
  const created = await upmind.create(order);
  const [license] = await listOf(reseller);
  expect(created).toEqual({
    success: true,
    license_key: license?.license_key,
    service_identifier: `lic_${license?.license_id}`,
    package_identifier: order.package_identifier,
  });
  expect(await upmind.create(order)).toEqual(created);
  expect(await balanceOf(reseller)).toBe(990);
  expect(license?.auto_renew).toBe(true);

  const key = { license_key: String(license?.license_key) };
  expect(await upmind.call("change_package", { ...order, ...key, ip: reseller.newAddress() })).toEqual(created);
  for (const [action, status, auto_renew] of [
    ["suspend", "suspended", false],
    ["unsuspend", "active", true],
    ["terminate", "terminated", true],
  ] as const) {
    for (const _ of ["once", "again"]) expect(await upmind.run(action, key)).toBe("success");
    expect(await listOf(reseller)).toMatchObject([{ status, auto_renew }]);
  }
  expect(await licensesOf(reseller)).toHaveLength(1);
  expect(await balanceOf(reseller)).toBe(990);
  const { differences } = await verifyWallets(systemContext());
  expect(differences.filter(({ resellerId }) => resellerId === reseller.resellerId)).toEqual([]);
  expect(upmind.log()).toContain("create is pending");
  for (const secret of [reseller.apiKey, key.license_key]) expect(upmind.log()).not.toContain(secret);
});

test("an outcome that arrives in time answers the create", async ({ reseller }) => {
  const upmind = await connect(reseller);
  const created = upmind.create(await orderOf(reseller, { ip: "192.0.2.40" }));
  const settle = async () => {
    await settlePending(reseller);
    return (await licensesOf(reseller)).map(({ status }) => status);
  };
  await expect.poll(settle).toEqual(["active"]);
  expect(await created).toMatchObject({ license_key: expect.stringMatching(/^LIC-/) });
});

test("two simultaneous creates are one license and one charge; another client or a moved license is another", async ({
  reseller,
}) => {
  const upmind = await connect(reseller);
  const order = await orderOf(reseller);
  const [first, second] = await Promise.all([upmind.create(order), upmind.create(order, { url: upmind.secondUrl })]);
  expect(first).toMatchObject({ license_key: expect.stringMatching(/^LIC-/) });
  expect(second).toEqual(first);
  expect(await licensesOf(reseller)).toHaveLength(1);
  expect(await balanceOf(reseller)).toBe(990);

  expect(await upmind.create({ ...order, customer_email: "bob@example.com" })).toMatch(
    /^Service error: 400 REGISTRATION_FAILED: /,
  );
  const [{ license_key } = { license_key: "" }] = await listOf(reseller);
  await upmind.call("change_package", { ...order, license_key: String(license_key), ip: reseller.newAddress() });
  const other = await upmind.create(order);
  expect(other).toMatchObject({ license_key: expect.stringMatching(/^LIC-/) });
  expect(other).not.toEqual(first);
  expect(await balanceOf(reseller)).toBe(980);
});

test("a license that expires while suspended is renewed once when the client pays", async ({ reseller }) => {
  const upmind = await connect(reseller);
  await upmind.create(await orderOf(reseller));
  const [license] = await listOf(reseller);
  const key = { license_key: String(license?.license_key) };
  await upmind.run("suspend", key);
  await setLicense(Number(license?.license_id), { expiredDays: 2 });
  for (const _ of ["once", "again"]) expect(await upmind.run("unsuspend", key)).toBe("success");
  expect(await listOf(reseller)).toMatchObject([{ status: "active", auto_renew: true }]);
  expect(await balanceOf(reseller)).toBe(980);

  await setLicense(Number(license?.license_id), { expiredDays: 2 });
  expect(await upmind.run("terminate", key)).toBe("success");
});

test("a rejected renewal is attempted again once its cause is gone, and charged once", async ({ reseller }) => {
  const upmind = await connect(reseller);
  const order = await orderOf(reseller);
  await upmind.create(order);
  const [license] = await listOf(reseller);
  const id = Number(license?.license_id);
  const key = { license_key: String(license?.license_key) };
  await setLicense(id, { expiredDays: 2 });
  await setLicense(id, { movedTo: "192.0.2.10" });
  for (const _ of ["once", "again"]) expect(await upmind.run("unsuspend", key)).toContain("400 PROVIDER_REJECTED");
  await setLicense(id, { movedTo: "192.0.2.21" });
  const rejected = upmind.run("unsuspend", key);
  await expect.poll(() => listOf(reseller)).toMatchObject([{ operation_id: expect.any(String) }]);
  await settlePending(reseller);
  expect(await rejected).toContain("The provider rejected renew");
  await upmind.call("change_package", { ...order, ...key, ip: reseller.newAddress() });
  const paid = [upmind.call("unsuspend", key), upmind.call("unsuspend", key, { url: upmind.secondUrl })];
  for (const answer of await Promise.all(paid)) expect(answer).toEqual({ success: true });
  expect(await listOf(reseller)).toMatchObject([{ status: "active", auto_renew: true }]);
  expect(await balanceOf(reseller)).toBe(980);
});

test("a license that expires while suspended counts as terminated, and another order renews it once", async ({
  reseller,
}) => {
  const upmind = await connect(reseller);
  const order = await orderOf(reseller);
  const created = await upmind.create(order);
  const [license] = await listOf(reseller);
  const key = { license_key: String(license?.license_key) };
  await upmind.run("suspend", key);
  await setLicense(Number(license?.license_id), { expiredDays: 2 });
  for (const _ of ["once", "again"]) expect(await upmind.run("terminate", key)).toBe("success");
  for (const _ of ["once", "again"]) expect(await upmind.create(order)).toEqual(created);
  expect(await listOf(reseller)).toMatchObject([{ status: "active", auto_renew: true }]);
  expect(await balanceOf(reseller)).toBe(980);
});

test("an order for an address that a license has left does not take that license, expired or not", async ({
  reseller,
}) => {
  const upmind = await connect(reseller);
  const order = await orderOf(reseller);
  await upmind.create(order);
  const [moved] = await listOf(reseller);
  const ip = reseller.newAddress();
  await upmind.call("change_package", { ...order, license_key: String(moved?.license_key), ip });
  await setLicense(Number(moved?.license_id), { expiredDays: 2 });
  const created = await upmind.create(order);
  expect(await listOf(reseller)).toMatchObject([
    { license_key: moved?.license_key, status: "expired", ip_address: ip },
    { status: "active", ip_address: order.ip },
  ]);
  expect(await upmind.create(order)).toEqual(created);
  expect(await balanceOf(reseller)).toBe(980);
});

test("another cycle for the same address is no success for a license of the first one", async ({ reseller }) => {
  const upmind = await connect(reseller);
  const order = await orderOf(reseller);
  await upmind.create(order);
  const productId = Number(order.package_identifier?.split("/")[0]);
  await reseller.newCycle(productId, { months: 12, price: 9000n });
  expect(await upmind.create({ ...order, package_identifier: `${productId}/12` })).toContain("REGISTRATION_FAILED");
});

test("a create that finds an expired license continues when one of its steps is complete", async ({ reseller }) => {
  const upmind = await connect(reseller);
  const order = await orderOf(reseller, { ip: "192.0.2.20" });
  await upmind.create(order);
  await settlePending(reseller);
  const created = await upmind.create(order);
  const [license] = await listOf(reseller);
  await setLicense(Number(license?.license_id), { expiredDays: 2 });
  const renewed = upmind.create(order);
  await expect.poll(() => listOf(reseller)).toMatchObject([{ operation_id: expect.any(String) }]);
  await settlePending(reseller);
  expect(await renewed).toEqual(created);
  expect(await balanceOf(reseller)).toBe(980);
});

test("cores are bought, changed and reported", async ({ reseller }) => {
  const upmind = await connect(reseller);
  const { product_id } = await reseller.newProduct({ pricePerCore: 300n });
  const order = { package_identifier: `${product_id}/1`, ip: reseller.newAddress(), cores: "4" };
  await upmind.create(order);
  const [license] = await listOf(reseller);
  const key = { license_key: String(license?.license_key) };
  const usage = { status: "active", product: license?.product, ip_address: order.ip, expires_at: license?.expires_at };
  expect(await upmind.call("usage", key)).toEqual({ success: true, units_consumed: 4, cores: 4, ...usage });
  const { package_identifier } = order;
  expect(await upmind.call("change_package", { ...key, package_identifier, cores: "2" })).toMatchObject(key);
  expect(await upmind.call("usage", key)).toMatchObject({ units_consumed: 2 });
  const { package_identifier: another = "" } = await orderOf(reseller);
  expect(await upmind.call("change_package", { ...key, package_identifier: another })).toContain("Order a new one.");
});

test("staff sees why a request fails, and no key is logged", async ({ reseller }) => {
  const upmind = await connect(reseller);
  const order = await orderOf(reseller);
  const wrongKey = `${reseller.apiKey.slice(0, -1)}!`;
  const poor = await newReseller(reseller.baseUrl, { funds: "1" });
  const { product_id: dear } = await poor.newProduct();
  const dearOrder = { package_identifier: `${dear}/1`, ip: poor.newAddress() };
  expect(await upmind.create(dearOrder, { key: poor.apiKey })).toMatch(/^Service error: 400 INSUFFICIENT_BALANCE: .*9/);
  expect(await upmind.create({ ...order, ip: "192.0.2.10" })).toMatch(/^Service error: 400 REGISTRATION_FAILED: /);
  expect(await upmind.create(order, { key: wrongKey })).toMatch(/^Service error: 401 INVALID_API_KEY: /);
  expect(await upmind.create(order, { key: "" })).toContain("422 The request has no API key.");
  expect(await upmind.create({ ...order, ip: "" })).toContain("422 The order has no IP address.");
  expect(await upmind.create({ ...order, package_identifier: "gold" })).toContain("422 The package identifier is not");
  expect(await upmind.create({ ...order, package_identifier: `${order.package_identifier}2` })).toContain(
    "is not sold for",
  );
  expect(await upmind.call("create", order, { method: "GET" })).toContain("422 Choose the method POST");
  expect(await upmind.call("reissue", order)).toContain("422 There is no endpoint ?do=reissue.");
  expect(await upmind.call("suspend", { license_key: "LIC-AN7X6-1SCXJ-P6RB7-C93C7" })).toContain(
    "No license has this key.",
  );
  expect(await licensesOf(reseller)).toEqual([]);
  expect(await balanceOf(reseller)).toBe(1000);
  expect(upmind.log()).toContain("INSUFFICIENT_BALANCE");
  for (const key of [reseller.apiKey, poor.apiKey, wrongKey]) expect(upmind.log()).not.toContain(key);
});
