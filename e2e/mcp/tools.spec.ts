import type { Scope } from "#lib/domain/scopes.ts";
import { expectBalancedBooks, readTraces } from "../support/books.ts";
import { connectMcp, eras, toolsOf } from "../support/mcp.ts";
import { expect, test } from "../support/test.ts";
import { reconcile, setLicense } from "../support/world.ts";

const UNKNOWN_KEY = "LIC-00000-00000-00000-00000";

for (const era of eras) {
  test(`a client of the ${era} protocol lists the tools and finds a license (docs/mcp.md)`, async ({ reseller }) => {
    const client = await connectMcp(reseller, { era });
    expect(client.getServerCapabilities()).toEqual({ tools: {} });
    expect(client.getInstructions()).toContain("License Desk");
    const { tools } = await client.listTools();
    const writing = tools.filter(({ annotations }) => !annotations?.readOnlyHint).map(({ name }) => name);
    expect(writing).toEqual(["renew_license"]);
    for (const { name, description, inputSchema, outputSchema, annotations } of tools) {
      expect(description, name).toMatch(/\.$/);
      expect(outputSchema?.type, name).toBe("object");
      expect(annotations, name).toMatchObject({ idempotentHint: true, openWorldHint: false });
      expect(inputSchema.additionalProperties, name).toBe(false);
      for (const [argument, schema] of Object.entries(inputSchema.properties ?? {})) {
        expect(schema, `${name} ${argument}`).toMatchObject({ description: expect.stringMatching(/\.$/) });
      }
    }
    const { license_id, license_key } = await reseller.newLicense({ notes: "Order of Smith" });
    const found = await client.callTool({ name: "find_licenses", arguments: { q: "smith" } });
    expect(found.structuredContent).toMatchObject({ licenses: [{ license_id, license_key }], next_cursor: null });
    await client.close();
  });
}

test("find_licenses pages and filters as license.list does (contract 2.4)", async ({ reseller }) => {
  const first = await reseller.newLicense();
  const second = await reseller.newLicense({ ip: reseller.newAddress() });
  await reseller.dispatch.post("license.suspend", { license_id: second.license_id });
  const call = await toolsOf(reseller);
  const page = await call("find_licenses", { limit: 1 });
  expect(page.data.licenses).toMatchObject([{ license_id: first.license_id, status: "active" }]);
  const next = await call("find_licenses", { limit: 1, cursor: page.data.next_cursor });
  expect(next.data).toMatchObject({ licenses: [{ license_id: second.license_id }], next_cursor: null });
  const suspended = await call("find_licenses", { status: "suspended" });
  const listed = await reseller.dispatch.get("license.list", { status: "suspended" });
  expect(suspended.data).toMatchObject({ ...listed.body.data });
  await reseller.path.post("/license/update", { license_key: first.license_key, hostname: "web1.example.com" });
  const named = await call("find_licenses", { q: "web1" });
  expect(named.data.licenses).toMatchObject([{ license_id: first.license_id, hostname: "web1.example.com" }]);
  const invented = await call("find_licenses", { surname: "Smith" });
  expect(invented.verdict).toBe("INVALID_PARAMETER");
  expect(invented.text).toContain("surname is not an argument of find_licenses");
});

test("get_license has the end, auto-renew, the renewal's price and the suspension", async ({ reseller }) => {
  const { license_id, license_key, cycle_id } = await reseller.newLicense({ product: { price: 1450n } });
  const call = await toolsOf(reseller);
  const { data } = await call("get_license", { license_id });
  expect(data).toMatchObject({
    ...(await reseller.dispatch.get("license.info", { license_id })).body.data,
    auto_renew: expect.any(Boolean),
    renewal: { cycle_id, price: 14.5, currency: "USD" },
    suspension: null,
  });
  expect((await call("get_license", { license_key })).data).toEqual(data);
  await reseller.dispatch.post("license.suspend", { license_id, reason: "Abuse" });
  expect((await call("get_license", { license_id })).data).toMatchObject({
    status: "suspended",
    suspension: { by: "reseller", reason: "Abuse" },
  });
  await setLicense(license_id, "terminated");
  expect((await call("get_license", { license_id })).data.renewal).toBeNull();
  expect((await call("get_license")).verdict).toBe("MISSING_LICENSE_ID");
});

test("products, bundles and the balance are those of the API (contract 3.8, 3.9, 3.12)", async ({ reseller }) => {
  await reseller.newProduct();
  await reseller.newBundle([{}, {}]);
  const call = await toolsOf(reseller);
  for (const [tool, operation] of [
    ["list_products", "products"],
    ["list_bundles", "bundles"],
    ["get_balance", "balance"],
  ] as const) {
    expect((await call(tool)).data).toEqual((await reseller.dispatch.get(operation)).body.data);
  }
});

test("explain_verification agrees with license.verify, and says what to do (contract 2.2)", async ({ reseller }) => {
  const call = await toolsOf(reseller);
  const ip_address = reseller.newAddress();
  const other = reseller.newAddress();
  const license = await reseller.newLicense({ ip: ip_address });
  const { license_id, license_key } = license;
  const agree = async (address: string) => {
    const { body } = await reseller.path.post("/license/verify", { license_key, ip_address: address });
    const { data } = await call("explain_verification", { license_key, ip_address: address });
    expect([data.verifies, data.code]).toEqual([body.valid, body.code]);
    expect(data.license).toMatchObject({ license_id, license_key, ip_address });
    return `${data.reason} ${data.advice}`;
  };
  expect(await agree(ip_address)).toContain("is active");
  expect(await agree(other)).toContain(`bound to ${ip_address}, not to ${other}`);
  await reseller.dispatch.post("license.suspend", { license_id, reason: "Abuse" });
  expect(await agree(ip_address)).toMatch(/suspended by you.*Abuse.*Unsuspend/);
  await reseller.dispatch.post("license.unsuspend", { license_id });
  await setLicense(license_id, { expiredDays: 3 });
  expect(await agree(ip_address)).toMatch(/expired at .*renew_license/);
  const byAddress = await call("explain_verification", { ip_address });
  expect(byAddress.data).toMatchObject({ verifies: false, code: "EXPIRED", license: { license_id } });
  await setLicense(license_id, "terminated");
  expect(await agree(ip_address)).toContain("terminated");
  expect((await call("explain_verification", { ip_address })).data).toMatchObject({ code: "NOT_FOUND", license: null });
  await expect
    .poll(async () => (await call("explain_verification", { license_key })).data.recent_verifications)
    .toContainEqual({ checked_at: expect.any(String), code: "IP_MISMATCH", ip_address: other });
  const shared = reseller.newAddress();
  const panel = await reseller.newLicense({ ip: shared });
  await reseller.newLicense({ ip: shared });
  const ambiguous = await call("explain_verification", { ip_address: shared });
  expect([ambiguous.verdict, ambiguous.text]).toEqual(["INVALID_PARAMETER", expect.stringContaining("add type")]);
  const narrowed = await call("explain_verification", { ip_address: shared, type: panel.type });
  expect(narrowed.data).toMatchObject({ verifies: true, license: { license_id: panel.license_id } });
  const mistyped = await call("explain_verification", { license_key: license_key.replace(/.$/, "*") });
  expect(mistyped.data).toMatchObject({ verifies: false, code: "MALFORMED_KEY", license: null });
  expect((await call("explain_verification", { type: license.type })).verdict).toBe("INVALID_PARAMETER");
});

test("another reseller's licenses are answered as absent ones (contract 1.12)", async ({ reseller, newReseller }) => {
  const ip_address = reseller.newAddress();
  const foreign = await reseller.newLicense({ ip: ip_address, notes: "Order of Smith" });
  const call = await toolsOf(await newReseller());
  const absent = await call("explain_verification", { license_key: UNKNOWN_KEY });
  expect(absent.data).toMatchObject({ verifies: false, code: "NOT_FOUND", license: null, recent_verifications: [] });
  expect((await call("explain_verification", { license_key: foreign.license_key })).data).toEqual(absent.data);
  expect((await call("explain_verification", { ip_address })).data).toEqual(absent.data);
  for (const tool of ["get_license", "quote_renewal", "renew_license"]) {
    const unknown = await call(tool, { license_id: 2_147_483_647 });
    expect(unknown.verdict).toBe("LICENSE_NOT_FOUND");
    expect(await call(tool, { license_id: foreign.license_id })).toEqual(unknown);
  }
  for (const filter of [{ q: "smith" }, { ip_address }, { license_key: foreign.license_key }, {}]) {
    expect((await call("find_licenses", filter)).data).toEqual({ licenses: [], next_cursor: null });
  }
});

test("a key of test mode finds no live license, and has the money of test mode (contract 1.18)", async ({
  reseller,
}) => {
  const { license_id } = await reseller.newLicense();
  const { apiKey } = await reseller.newKey({ mode: "test" });
  const live = await toolsOf(reseller);
  const call = await toolsOf(reseller, { key: apiKey });
  expect((await call("find_licenses")).data).toEqual({ licenses: [], next_cursor: null });
  expect((await call("get_license", { license_id })).verdict).toBe("LICENSE_NOT_FOUND");
  expect((await call("get_balance")).data.balance).not.toBe((await live("get_balance")).data.balance);
});

test("a key sees and calls only the tools of its scopes (contract 1.14)", async ({ reseller }) => {
  const { license_id } = await reseller.newLicense();
  const tools: Record<Scope, readonly string[]> = {
    "licenses:read": ["find_licenses", "get_license", "quote_renewal", "explain_verification"],
    "licenses:write": ["quote_registration", "quote_core_change", "renew_license"],
    "catalog:read": ["list_products", "list_bundles"],
    "wallet:read": ["get_balance"],
    "licenses:verify": [],
    "licenses:terminate": [],
    "bundles:read": [],
    "bundles:write": [],
    "diagnostics:read": [],
    "diagnostics:write": [],
    "webhooks:read": [],
    "webhooks:write": [],
  };
  for (const [scope, names] of Object.entries(tools) as [Scope, readonly string[]][]) {
    const { apiKey } = await reseller.newKey({ scopes: [scope] });
    const client = await connectMcp(reseller, { key: apiKey });
    expect((await client.listTools()).tools.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  }
  const { apiKey } = await reseller.newKey({ scopes: ["licenses:read", "catalog:read", "wallet:read"] });
  const before = await readTraces(reseller.resellerId);
  const call = await toolsOf(reseller, { key: apiKey });
  const refused = await call("renew_license", { license_id });
  expect(refused.verdict).toBe("NO_PERMISSION");
  expect(refused.text).toContain("licenses:write");
  expect(await readTraces(reseller.resellerId)).toEqual(before);
});

test("quotes name what is charged, and change nothing (contract 3.18)", async ({ reseller }) => {
  const metered = await reseller.newLicense({ product: { price: 1000n, pricePerCore: 650n } });
  const { product_id, cycle_id } = await reseller.newProduct({ price: 1450n, setupFee: 525n });
  const order = { product_id, cycle_id, ip_address: reseller.newAddress() };
  const { license_id } = metered;
  const call = await toolsOf(reseller);
  const before = await readTraces(reseller.resellerId);
  const registration = await call("quote_registration", order);
  const cores = await call("quote_core_change", { license_id, cores: 4 });
  const renewals = await call("quote_renewal", { license_id });
  expect(await readTraces(reseller.resellerId)).toEqual(before);
  expect(registration.data).toEqual({
    dry_run: true,
    price: 19.75,
    currency: "USD",
    balance_after: expect.any(Number),
  });
  const bought = await reseller.dispatch.post("license.register", {
    ...order,
    expected_price: registration.data.price,
  });
  expect(bought.body.data).toMatchObject({ balance_after: registration.data.balance_after });
  const charged = await reseller.dispatch.post("license.change_core", {
    license_id,
    cores: 4,
    expected_price: cores.data.price,
  });
  expect(charged.status).toBe(200);
  expect(renewals.data.quotes).toMatchObject([{ cycle_id: metered.cycle_id, price: 10, is_current_cycle: true }]);
  expect((await call("quote_registration", order)).verdict).toBe("REGISTRATION_FAILED");
  expect((await call("quote_core_change", { license_id, cores: 99 })).verdict).toBe("CORE_CHANGE_FAILED");
  expect((await call("quote_registration", { ...order, dry_run: false })).verdict).toBe("INVALID_PARAMETER");
});

test("renew_license quotes first; a confirmation charges once, however often it is sent", async ({ reseller }) => {
  const license = await reseller.newLicense({ product: { price: 1450n } });
  const { license_id } = license;
  const call = await toolsOf(reseller);
  const before = await readTraces(reseller.resellerId);
  const { data: quote } = await call("renew_license", { license_id });
  expect(quote).toMatchObject({ license_id, price: 14.5, currency: "USD" });
  expect(await readTraces(reseller.resellerId)).toEqual(before);
  const confirmed = { license_id, expected_price: quote.price, confirmation: quote.confirmation };
  const answers = await Promise.all([call("renew_license", confirmed), call("renew_license", confirmed)]);
  const renewed = answers.find(({ verdict }) => verdict === "OK");
  expect(answers.every(({ verdict }) => ["OK", "IDEMPOTENCY_IN_PROGRESS"].includes(verdict))).toBe(true);
  expect(renewed?.data).toMatchObject({ license_id, price: 14.5, balance_after: quote.balance_after });
  expect(await call("renew_license", confirmed)).toEqual(renewed);
  const after = await readTraces(reseller.resellerId);
  expect(after).toMatchObject({ operations: before.operations + 1, posted: before.posted - 1450n });
  await expectBalancedBooks(reseller.resellerId);
  const { data } = await call("get_license", { license_id });
  expect(data.expires_at).toBe(renewed?.data.new_expiry);
  expect((await call("renew_license", { ...confirmed, expected_price: 15 })).verdict).toBe("IDEMPOTENCY_KEY_REUSED");
});

test("a renewal without an answer is pending, and its confirmation then has the outcome; a rejected one needs a new quote (contract 3.11)", async ({
  reseller,
}) => {
  const { license_id } = await reseller.newLicense({ product: { price: 1450n } });
  const call = await toolsOf(reseller);
  const renew = async () => {
    const { data } = await call("renew_license", { license_id });
    return { license_id, expected_price: data.price, confirmation: data.confirmation };
  };
  await setLicense(license_id, { movedTo: "192.0.2.20" });
  const lost = await renew();
  const pending = await call("renew_license", lost);
  expect(pending.data).toMatchObject({ status: "pending", operation_id: expect.any(String) });
  expect((await call("renew_license", lost)).data).toEqual(pending.data);
  await reconcile(pending.data.operation_id);
  const { status, operation_id, ...renewed } = pending.data;
  expect((await call("renew_license", lost)).data).toEqual({ ...renewed, balance_after: expect.any(Number) });
  await setLicense(license_id, { movedTo: "192.0.2.10" });
  const refused = await renew();
  expect((await call("renew_license", refused)).verdict).toBe("PROVIDER_REJECTED");
  await setLicense(license_id, { movedTo: reseller.newAddress() });
  expect((await call("renew_license", refused)).verdict).toBe("PROVIDER_REJECTED");
  expect((await call("renew_license", await renew())).verdict).toBe("OK");
  await expectBalancedBooks(reseller.resellerId);
});

test("a confirmation by a cycle that does not exist keeps no other cycle from being confirmed, once", async ({
  reseller,
}) => {
  const { license_id, product_id } = await reseller.newLicense({ product: { price: 1450n } });
  const longer = await reseller.newCycle(product_id, { price: 4000n, months: 3 });
  const call = await toolsOf(reseller);
  const { data: quote } = await call("renew_license", { license_id });
  const confirmed = { license_id, expected_price: quote.price, confirmation: quote.confirmation };
  expect((await call("renew_license", { ...confirmed, cycle_id: 2147483647 })).verdict).toBe("CYCLE_NOT_FOUND");
  expect((await call("renew_license", confirmed)).verdict).toBe("OK");
  const again = await call("renew_license", { ...confirmed, expected_price: 40, cycle_id: longer });
  expect(again.verdict).toBe("INVALID_STATE");
  await expectBalancedBooks(reseller.resellerId);
});

test("a confirmation is void after another change, for another price or another license", async ({ reseller }) => {
  const { license_id, product_id, cycle_id } = await reseller.newLicense({ product: { price: 1450n } });
  const other = await reseller.newLicense();
  const call = await toolsOf(reseller);
  const { data: quote } = await call("renew_license", { license_id });
  const confirmed = { license_id, expected_price: quote.price, confirmation: quote.confirmation };
  const changed = await call("renew_license", { ...confirmed, expected_price: 14 });
  expect(changed.verdict).toBe("PRICE_CHANGED");
  expect(changed.text).toContain("14.5");
  const foreign = await call("renew_license", { ...confirmed, license_id: other.license_id });
  expect(foreign.text).toContain("confirmation is of another license");
  const unpriced = await call("renew_license", { license_id, confirmation: quote.confirmation });
  expect(unpriced.text).toContain("expected_price is required");
  expect((await call("renew_license", { ...confirmed, confirmation: "yes" })).verdict).toBe("INVALID_PARAMETER");
  const renewed = await reseller.dispatch.post("license.renew", { license_id });
  expect(renewed.status).toBe(200);
  const stale = await call("renew_license", confirmed);
  expect(stale.verdict).toBe("INVALID_STATE");
  expect(stale.text).toContain("has changed since the renewal was quoted");
  const longer = await reseller.newCycle(product_id, { price: 4000n, months: 3 });
  const { data: byQuarter } = await call("renew_license", { license_id, cycle_id: longer });
  expect([byQuarter.price, cycle_id === longer]).toEqual([40, false]);
});
