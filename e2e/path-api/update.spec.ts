import { getRuntime } from "#lib/runtime.ts";
import { findAtProvider, listEventKinds, readTraces } from "../support/books.ts";
import { verdictOf } from "../support/http.ts";
import { expect, test } from "../support/test.ts";
import { reconcile, setLicense } from "../support/world.ts";

test("POST /license/update tells a host name (contract 2.3, path-interface.md#post-licenseupdate)", async ({
  reseller,
}) => {
  const { license_key, license_id } = await reseller.newLicense();
  const { status, body } = await reseller.path.post("/license/update", { license_key, hostname: "Web1.Example.com" });
  expect(status).toBe(200);
  expect(body).toEqual({
    success: true,
    message: expect.any(String),
    updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
  });
  const listed = (await reseller.path.get("/licenses")).body.licenses;
  expect(listed).toMatchObject([{ id: `lic_${license_id}`, server: "web1.example.com" }]);
  expect(await listEventKinds(reseller.resellerId)).toContain("license.updated");
});

test("the same host name again changes nothing and emits nothing (contract 1.15)", async ({ reseller }) => {
  const { license_key } = await reseller.newLicense();
  await reseller.path.post("/license/update", { license_key, hostname: "a.example" });
  const before = await readTraces(reseller.resellerId);
  expect((await reseller.path.post("/license/update", { license_key, hostname: "A.EXAMPLE" })).status).toBe(200);
  expect(await readTraces(reseller.resellerId)).toEqual(before);
});

test("a new address goes through the operation of license.change_ip, the host name with it (contract 2.3)", async ({
  reseller,
}) => {
  const { license_key } = await reseller.newLicense();
  const ip_address = reseller.newAddress();
  const request = { license_key, ip_address, hostname: "moved.example" };
  expect((await reseller.path.post("/license/update", request)).status).toBe(200);
  const { body } = await reseller.path.get("/license/status", { license_key });
  expect(body).toMatchObject({ ip: ip_address, hostname: "moved.example" });
  expect(await findAtProvider(license_key)).toMatchObject({ address: ip_address });
  expect(await listEventKinds(reseller.resellerId)).toContain("license.ip_changed");
});

test("a host name is taken beside the address that the license has already, and the provider is not asked (contract 2.3)", async ({
  reseller,
}) => {
  const ip_address = reseller.newAddress();
  const { license_key } = await reseller.newLicense({ ip: ip_address });
  const { operations } = await readTraces(reseller.resellerId);
  const request = { license_key, ip_address, hostname: "same.example" };
  expect((await reseller.path.post("/license/update", request)).status).toBe(200);
  expect((await reseller.path.get("/license/status", { license_key })).body).toMatchObject({
    ip: ip_address,
    hostname: "same.example",
  });
  expect(await readTraces(reseller.resellerId)).toMatchObject({ operations });
});

test("the provider refuses: INVALID_REQUEST with details.ip_address, the host name as it was (contract 2.3)", async ({
  reseller,
}) => {
  const { license_key } = await reseller.newLicense();
  await reseller.path.post("/license/update", { license_key, hostname: "old.example" });
  const request = { license_key, ip_address: "192.0.2.10", hostname: "new.example" };
  const answer = await reseller.path.post("/license/update", request);
  expect(verdictOf(answer)).toBe("400 INVALID_REQUEST");
  expect(Object.keys(answer.body.details)).toEqual(["ip_address"]);
  expect((await reseller.path.get("/license/status", { license_key })).body.hostname).toBe("old.example");
});

test("the outcome is unknown: 202, success, the message says pending; then it is settled (contract 2.3, 3.11)", async ({
  reseller,
}) => {
  const { license_key, license_id } = await reseller.newLicense();
  const request = { license_key, ip_address: "192.0.2.40", hostname: "later.example" };
  const { status, body } = await reseller.path.post("/license/update", request);
  expect(status).toBe(202);
  expect(body).toEqual({ success: true, message: expect.stringContaining("pending"), updated_at: expect.any(String) });
  expect((await reseller.path.get("/license/status", { license_key })).body.hostname).toBe("");
  const { openOperationId } = await getRuntime().db.prisma.license.findFirstOrThrow({ where: { id: license_id } });
  expect(body.message).toContain(`GET /operations/${openOperationId} `);
  expect(await reconcile(openOperationId ?? "")).toBe("succeeded");
  expect((await reseller.path.get("/license/status", { license_key })).body).toMatchObject({
    ip: "192.0.2.40",
    hostname: "later.example",
  });
});

test("customer and tags are set beside a pending address, and not beside a rejected one (contract 2.3, 3.19)", async ({
  reseller,
}) => {
  const { license_key } = await reseller.newLicense();
  const refused = { license_key, ip_address: "192.0.2.10", customer_name: "Refused", tags: ["refused"] };
  expect(verdictOf(await reseller.path.post("/license/update", refused))).toBe("400 INVALID_REQUEST");
  expect(JSON.stringify((await reseller.path.get("/licenses")).body)).not.toContain("refused");
  const pending = { license_key, ip_address: "192.0.2.40", customer_name: "Harbor Ltd", tags: ["vip"] };
  expect((await reseller.path.post("/license/update", pending)).status).toBe(202);
  expect((await reseller.path.get("/licenses")).body.licenses).toMatchObject([
    { customer_name: "Harbor Ltd", tags: ["vip"] },
  ]);
});

test("the provider cannot be reached: 503 UNAVAILABLE with Retry-After, nothing changed (contract 2.7, 5)", async ({
  reseller,
}) => {
  const ip = reseller.newAddress();
  const { license_key } = await reseller.newLicense({ ip });
  const answer = await reseller.path.post("/license/update", { license_key, ip_address: "192.0.2.60" });
  expect(verdictOf(answer)).toBe("503 UNAVAILABLE");
  expect(answer.headers["retry-after"]).toMatch(/^[1-9]\d*$/);
  expect((await reseller.path.get("/license/status", { license_key })).body.ip).toBe(ip);
});

test("an address that has the product already, and a bundle's member, are refused with details.ip_address (contract 2.3, 3.5)", async ({
  reseller,
}) => {
  const taken = reseller.newAddress();
  const { product_id, cycle_id } = await reseller.newLicense({ ip: taken });
  const request = { product_id, cycle_id, ip_address: reseller.newAddress() };
  const license = (await reseller.dispatch.post("license.register", request)).body.data;
  const bundle = await reseller.newBundle([{}]);
  const member = (
    await reseller.dispatch.post("bundle.register", {
      bundle_id: bundle.bundle_id,
      cycle_id: bundle.cycle_id,
      ip_address: reseller.newAddress(),
    })
  ).body.data.licenses[0];
  for (const license_key of [license.license_key, member?.license_key]) {
    const answer = await reseller.path.post("/license/update", { license_key, ip_address: taken });
    expect(verdictOf(answer)).toBe("400 INVALID_REQUEST");
    expect(Object.keys(answer.body.details)).toEqual(["ip_address"]);
  }
});

test("license_key and one of the others are required (contract 2.3)", async ({ reseller }) => {
  const { license_key } = await reseller.newLicense();
  for (const [request, fields] of [
    [{}, ["license_key"]],
    [{ hostname: "a.example" }, ["license_key"]],
    [{ license_key }, ["hostname", "ip_address"]],
    [{ license_key, hostname: "" }, ["hostname", "ip_address"]],
  ] as const) {
    const answer = await reseller.path.post("/license/update", request);
    expect(verdictOf(answer)).toBe("400 INVALID_REQUEST");
    expect(Object.keys(answer.body.details)).toEqual(fields);
  }
});

test("hostname is a valid RFC 1123 name up to 253 characters (contract 1.8)", async ({ reseller }) => {
  const { license_key } = await reseller.newLicense();
  const label = "a".repeat(63);
  const longest = `${label}.${label}.${label}.${"a".repeat(61)}`;
  for (const hostname of [
    "-a.example",
    "a-.example",
    "a..b",
    "a_b",
    "ü.example",
    "a b",
    `${label}a`,
    `${longest}a`,
    "10.0.0.1",
    "a.",
    "http://a",
    7,
  ]) {
    const answer = await reseller.path.post("/license/update", { license_key, hostname });
    expect(`${hostname}: ${verdictOf(answer)}`).toBe(`${hostname}: 400 INVALID_REQUEST`);
    expect(Object.keys(answer.body.details)).toEqual(["hostname"]);
  }
  for (const hostname of ["a", "1a.example", "xn--4ca.example", longest]) {
    expect((await reseller.path.post("/license/update", { license_key, hostname })).status).toBe(200);
  }
});

test("an unknown key, and another reseller's, are NOT_FOUND alike (contract 2.3, 1.12)", async ({
  reseller,
  newReseller,
}) => {
  const foreign = await (await newReseller()).newLicense();
  const update = (license_key: string) => reseller.path.post("/license/update", { license_key, hostname: "a.example" });
  const answers = [await update("LIC-00000-00000-00000-00000"), await update(foreign.license_key)];
  expect(answers.map(verdictOf)).toEqual(["404 NOT_FOUND", "404 NOT_FOUND"]);
  expect(answers[1]?.text).toBe(answers[0]?.text);
});

test("an impossible move is INVALID_LICENSE on this interface (contract 1.15)", async ({ reseller }) => {
  const { license_key, license_id } = await reseller.newLicense();
  await setLicense(license_id, "terminated");
  const answer = await reseller.path.post("/license/update", { license_key, ip_address: reseller.newAddress() });
  expect(verdictOf(answer)).toBe("400 INVALID_LICENSE");
});
