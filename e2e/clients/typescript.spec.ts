import { type ClientOptions, LicenseDesk, type LicenseDeskError } from "../../clients/typescript/src/index.ts";
import { type Fault, startFaultyProxy } from "../support/faulty-proxy.ts";
import { expect, test } from "../support/test.ts";
import { type Reseller, reconcile } from "../support/world.ts";

function deskOf({ baseUrl, apiKey }: Reseller, options: Partial<ClientOptions> = {}): LicenseDesk {
  return new LicenseDesk({ baseUrl, apiKey, ...options });
}

async function newRequest(reseller: Reseller, ip_address = reseller.newAddress()) {
  const { product_id, cycle_id } = await reseller.newProduct({ price: 1450n });
  return { product_id, cycle_id, ip_address };
}

function errorOf(call: Promise<unknown>): Promise<LicenseDeskError> {
  return call.then(
    () => {
      throw new Error("the call succeeded");
    },
    (error) => error,
  );
}

test("the TypeScript client leads a license through its life, every cent accounted for", async ({ reseller }) => {
  const desk = deskOf(reseller);
  const { product_id, cycle_id, type } = await reseller.newProduct({
    price: 1800n,
    setupFee: 500n,
    pricePerCore: 650n,
  });
  const { products } = await desk.products();
  const offer = products.find((product) => product.product_id === product_id);
  expect(offer?.cycles).toMatchObject([{ cycle_id, price: 18, setup_fee: 5, price_per_core: 6.5 }]);

  const [first, second] = [reseller.newAddress(), reseller.newAddress()];
  const request = { product_id, cycle_id, ip_address: first, external_id: "order-1004" };
  const { price } = await desk.licenses.preview.register(request);
  const license = await desk.licenses.register({ ...request, expected_price: price });
  expect(license).toMatchObject({ price: 23, currency: "USD", balance_after: 977 });
  const { license_id, license_key } = license;
  expect(await desk.licenses.register(request)).toMatchObject({ license_id, existing: true, price: 0 });
  const valid = () => desk.licenses.verify({ license_key, ip_address: second }).then(({ code }) => code);
  expect(await valid()).toBe("IP_MISMATCH");
  expect(await desk.licenses.changeIp({ license_id, new_ip: second })).toMatchObject({ provider_status: "updated" });
  expect(await valid()).toBe("VALID");
  expect(await desk.licenses.changeCores({ license_id, cores: 3 })).toMatchObject({ new_cores: 3, price: 13 });
  expect(await desk.licenses.renew({ license_id })).toMatchObject({ price: 31, balance_after: 933 });
  expect(await desk.licenses.suspend({ license_id, reason: "Unpaid" })).toMatchObject({ status: "suspended" });
  expect(await valid()).toBe("SUSPENDED");
  expect(await desk.licenses.unsuspend({ license_id })).toMatchObject({ status: "active" });
  await desk.licenses.update({ license_key, hostname: "web1.example.com" });
  expect(await desk.licenses.status({ license_id: `lic_${license_id}` })).toMatchObject({
    status: "active",
    type,
    cores: 3,
    ip: second,
    hostname: "web1.example.com",
  });
  await desk.licenses.terminate({ license_id });
  expect(await desk.licenses.info({ license_id })).toMatchObject({ status: "terminated", ip_address: second });
  expect(await desk.balance()).toEqual({ balance: 933, currency: "USD", pending_transactions: 0 });
});

test("a registration whose outcome is open is awaited, and charged once", async ({ reseller }) => {
  const desk = deskOf(reseller);
  const result = await desk.licenses.register(await newRequest(reseller, "192.0.2.20"));
  if (result.status !== "pending") throw new Error("it is not pending");
  const { operation_id, license_key } = result;
  expect(await desk.operations.get({ id: operation_id })).toMatchObject({ status: "pending", price: 14.5 });
  const [settled] = await Promise.all([result.settled(), reconcile(operation_id)]);
  expect(settled).toMatchObject({ license_key, price: 14.5, balance_after: 985.5 });
  expect(settled).not.toHaveProperty("status");
  expect(await desk.operations.info({ operation_id })).toMatchObject({ status: "succeeded" });
  expect(await desk.balance()).toMatchObject({ balance: 985.5, pending_transactions: 0 });
});

test("a registration that the provider rejects later throws its error, and nothing is charged", async ({
  reseller,
}) => {
  const desk = deskOf(reseller);
  const result = await desk.licenses.register(await newRequest(reseller, "192.0.2.21"));
  if (result.status !== "pending") throw new Error("it is not pending");
  const [error] = await Promise.all([errorOf(result.settled()), reconcile(result.operation_id)]);
  expect(error).toMatchObject({ name: "LicenseDeskError", code: "REGISTRATION_FAILED", status: 400 });
  expect(await desk.balance()).toMatchObject({ balance: 1000, pending_transactions: 0 });
});

test("a change of an address by the path interface is awaited, too", async ({ reseller }) => {
  const desk = deskOf(reseller);
  const { license_key } = await reseller.newLicense();
  const result = await desk.licenses.update({ license_key, ip_address: "192.0.2.40" });
  if (result.status !== "pending") throw new Error("it is not pending");
  const operation_id = /\/operations\/([0-9a-f-]+)/.exec(result.message)?.[1] ?? "";
  const [settled] = await Promise.all([result.settled(), reconcile(operation_id)]);
  expect(settled).toMatchObject({ success: true });
  expect(await desk.licenses.status({ license_key })).toMatchObject({ ip: "192.0.2.40" });
});

test("an operation that meets another one waits for Retry-After and succeeds", async ({ reseller }) => {
  const answers: (readonly [number, string | null])[] = [];
  const desk = deskOf(reseller, {
    fetch: async (...request) => {
      const response = await fetch(...request);
      answers.push([response.status, response.headers.get("retry-after")]);
      return response;
    },
  });
  const result = await desk.licenses.register(await newRequest(reseller, "192.0.2.20"));
  if (result.status !== "pending") throw new Error("it is not pending");
  const { license_id, operation_id } = result;
  const change = desk.licenses.changeIp({ license_id, new_ip: reseller.newAddress() });
  await expect
    .poll(() => answers)
    .toEqual([
      [202, null],
      [409, expect.stringMatching(/^[1-9]/)],
    ]);
  await reconcile(operation_id);
  expect(await change).toMatchObject({ provider_status: "updated" });
  expect(answers.at(-1)).toEqual([200, null]);
});

test("errors have code, status, details and request id", async ({ newReseller }) => {
  const reseller = await newReseller({ funds: "3.20" });
  const desk = deskOf(reseller);
  const error = await errorOf(desk.licenses.register(await newRequest(reseller)));
  expect(error).toMatchObject({
    code: "INSUFFICIENT_BALANCE",
    status: 400,
    details: { price: 14.5, missing: 11.3, currency: "USD" },
    requestId: expect.stringMatching(/^req_/),
  });
  expect(await errorOf(desk.licenses.info({ license_id: 2_147_483_647 }))).toMatchObject({ code: "LICENSE_NOT_FOUND" });
  const stranger = new LicenseDesk({ baseUrl: reseller.baseUrl, apiKey: "lk_live_unknown" });
  expect(await errorOf(stranger.events.list().next())).toMatchObject({ code: "UNAUTHORIZED", status: 401 });
});

test("lists read page after page", async ({ reseller }) => {
  const desk = deskOf(reseller);
  const registered: number[] = [];
  for (let count = 0; count < 5; count += 1) registered.push((await reseller.newLicense()).license_id);
  const listed: number[] = [];
  for await (const { license_id } of desk.licenses.list({ limit: 2 })) listed.push(license_id);
  expect(listed).toEqual(registered);
  const { licenses } = await desk.licenses.summaries();
  expect(licenses.map(({ id }) => id)).toEqual(registered.map((id) => `lic_${id}`));
  const activated: unknown[] = [];
  for await (const event of desk.events.list({ limit: 2, kind: "license.activated" })) activated.push(event.license_id);
  expect(activated).toEqual(registered.toReversed().map((id) => `lic_${id}`));
});

const faults: readonly (readonly [string, Fault])[] = [
  ["is lost on the way", "request lost"],
  ["is lost on the way back", "response lost"],
  ["is cut on the way back", "response cut"],
  ["meets a gateway that cannot reach the server", { status: 502 }],
  ["meets a gateway that asks for patience", { status: 503, headers: { "retry-after": "1" } }],
];
for (const [what, fault] of faults) {
  test(`a registration that ${what} is sent again under its key, and charged once`, async ({ reseller }) => {
    const proxy = await startFaultyProxy(reseller.baseUrl, [fault]);
    try {
      const desk = deskOf(reseller, { baseUrl: proxy.url });
      expect(await desk.licenses.register(await newRequest(reseller))).toMatchObject({ balance_after: 985.5 });
    } finally {
      await proxy.close();
    }
    const [first, second, ...others] = proxy.requests.map(({ key }) => key);
    expect([first, others]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), []]);
    expect(second).toBe(first);
    expect(await deskOf(reseller).balance()).toMatchObject({ balance: 985.5 });
    expect((await deskOf(reseller).licenses.page()).licenses).toHaveLength(1);
  });
}

test("without retries, an interrupted registration is continued by its idempotency key", async ({ reseller }) => {
  const proxy = await startFaultyProxy(reseller.baseUrl, ["response cut"]);
  const request = await newRequest(reseller);
  try {
    const error = await errorOf(deskOf(reseller, { baseUrl: proxy.url, maxRetries: 0 }).licenses.register(request));
    expect(error).toMatchObject({ code: "CONNECTION_FAILED", status: null });
    const idempotencyKey = String(error.idempotencyKey);
    expect(await deskOf(reseller).licenses.register(request, { idempotencyKey })).toMatchObject({ price: 14.5 });
  } finally {
    await proxy.close();
  }
  expect(await deskOf(reseller).balance()).toMatchObject({ balance: 985.5 });
});

test("a rate limit says when to come back", async ({ reseller }) => {
  const { apiKey } = await reseller.newKey({ rateLimit: 1 });
  const desk = deskOf(reseller, { apiKey, maxRetries: 0 });
  const errors = await Promise.all(
    [1, 2, 3].map(() =>
      desk.balance().then(
        () => null,
        (error) => error,
      ),
    ),
  );
  const limited = errors.filter((error) => error !== null);
  expect(limited.length).toBeGreaterThan(0);
  for (const error of limited) {
    expect(error).toMatchObject({ code: "RATE_LIMITED", status: 429 });
    expect(error.retryAfterSeconds).toBeGreaterThan(0);
    expect(error.retryAfterSeconds).toBeLessThanOrEqual(60);
  }
});

test("a bundle is registered, renewed and moved", async ({ reseller }) => {
  const desk = deskOf(reseller);
  const { bundle_id, cycle_id, name } = await reseller.newBundle([{}, {}], { price: 2990n });
  expect((await desk.bundles.onSale()).bundles).toContainEqual(expect.objectContaining({ bundle_id, name }));
  const ip_address = reseller.newAddress();
  const { bundle_instance_id, licenses } = await desk.bundles.register({ bundle_id, cycle_id, ip_address });
  expect(licenses).toHaveLength(2);
  expect(await desk.bundles.renew({ bundle_instance_id })).toMatchObject({ price: 29.9, balance_after: 940.2 });
  const new_ip = reseller.newAddress();
  await desk.bundles.changeIp({ bundle_instance_id, new_ip });
  expect(await desk.bundles.info({ bundle_instance_id })).toMatchObject({ name, ip_address: new_ip });
});

test("diagnostics are reported and read", async ({ reseller }) => {
  const desk = deskOf(reseller);
  const { license_key } = await reseller.newLicense();
  const report = { os: "Debian", kernel: "6.1", cpu_cores: 8, memory: "16GB", disk_free: "120GB", uptime: "12 days" };
  await desk.diagnostics.report({ license_key, hostname: "web1.example.com", ...report });
  expect(await desk.diagnostics.get({ license_key })).toMatchObject(report);
});

test("a key that requires signatures signs each attempt", async ({ reseller }) => {
  const { apiKey, signingSecret } = await reseller.newKey({ signing: "required" });
  const proxy = await startFaultyProxy(reseller.baseUrl, ["response lost"]);
  try {
    const desk = deskOf(reseller, { apiKey, baseUrl: proxy.url, signingSecret: String(signingSecret) });
    expect(await desk.licenses.register(await newRequest(reseller))).toMatchObject({ balance_after: 985.5 });
    await Promise.all([desk.balance(), desk.balance(), desk.licenses.page({ q: "rack 4 & more" })]);
  } finally {
    await proxy.close();
  }
  expect(await errorOf(deskOf(reseller, { apiKey }).balance())).toMatchObject({ code: "INVALID_API_KEY" });
});
