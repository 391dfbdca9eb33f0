import { readTraces } from "../support/books.ts";
import { verdictOf } from "../support/http.ts";
import { expect, test } from "../support/test.ts";
import { setLicense } from "../support/world.ts";

const FORM = { "content-type": "application/x-www-form-urlencoded" };

test("rate limit before key: over quota, a wrong key is RATE_LIMITED (contract 1.3)", async ({ reseller }) => {
  const source = reseller.newAddress();
  const { apiKey: neverSeen } = await reseller.newKey();
  expect((await reseller.dispatch.get("balance")).status).toBe(200);
  await Promise.all(Array.from({ length: 60 }, () => reseller.path.get("/licenses", {}, { key: "x", source })));
  expect(verdictOf(await reseller.path.get("/licenses", {}, { key: "x", source }))).toBe("429 RATE_LIMITED");
  expect(verdictOf(await reseller.dispatch.get("balance", {}, { key: "x", source }))).toBe("429 RATE_LIMITED");
  // A key that has proven valid has a count of its own; one that would have to be looked up is not.
  expect((await reseller.dispatch.get("balance", {}, { source })).status).toBe(200);
  expect(verdictOf(await reseller.dispatch.get("balance", {}, { source, key: neverSeen }))).toBe("429 RATE_LIMITED");
  expect((await reseller.dispatch.get("balance", {}, { key: neverSeen })).status).toBe(200);
});

test("key before address: without a key nobody learns which addresses exist (contract 1.3)", async ({ reseller }) => {
  const none = { key: null };
  expect(verdictOf(await reseller.path.get("/nothing/here", {}, none))).toBe("401 UNAUTHORIZED");
  expect(verdictOf(await reseller.dispatch.get("no.such", {}, none))).toBe("401 MISSING_API_KEY");
  const wrongMethod = await reseller.dispatch.send({ method: "DELETE", target: "/api/v1/?endpoint=balance" }, none);
  expect(verdictOf(wrongMethod)).toBe("401 MISSING_API_KEY");
});

test("address before method, method before scope, scope before parameters and body (contract 1.3)", async ({
  newReseller,
}) => {
  const reseller = await newReseller({ scopes: ["catalog:read"] });
  const { path, dispatch } = reseller;
  const dispatched = (method: string, endpoint: string, body = "") =>
    dispatch.send({ method, target: `/api/v1/?endpoint=${endpoint}`, headers: FORM, body });
  expect(verdictOf(await dispatched("PUT", "no.such"))).toBe("404 UNKNOWN_ENDPOINT");
  expect(verdictOf(await dispatched("PUT", "license.register"))).toBe("405 METHOD_NOT_ALLOWED");
  expect(verdictOf(await dispatched("POST", "license.register"))).toBe("403 NO_PERMISSION");
  expect(verdictOf(await dispatched("POST", "license.register", "x".repeat(70_000)))).toBe("403 NO_PERMISSION");
  expect(verdictOf(await path.send({ method: "PUT", target: "/api/v1/nothing" }))).toBe("404 NOT_FOUND");
  expect(verdictOf(await path.send({ method: "PUT", target: "/api/v1/licenses" }))).toBe("405 METHOD_NOT_ALLOWED");
  expect(verdictOf(await path.get("/licenses", { limit: "x" }))).toBe("403 FORBIDDEN");
});

test("parameters before existence, existence before state (contract 1.3)", async ({ reseller, newReseller }) => {
  const missing = { license_id: 2_147_483_647, new_ip: "nowhere" };
  expect(verdictOf(await reseller.dispatch.post("license.change_ip", missing))).toBe("400 INVALID_IP_ADDRESS");
  const foreign = await (await newReseller()).newLicense();
  await setLicense(foreign.license_id, "terminated");
  const { license_id } = foreign;
  expect(verdictOf(await reseller.dispatch.post("license.renew", { license_id }))).toBe("404 LICENSE_NOT_FOUND");
});

test("state before funds, funds before provider; what comes after the refusal has not happened (contract 1.3)", async ({
  newReseller,
}) => {
  const reseller = await newReseller({ funds: "10.00" });
  const { license_id } = await reseller.newLicense();
  await setLicense(license_id, "terminated");
  expect(verdictOf(await reseller.dispatch.post("license.renew", { license_id }))).toBe("409 INVALID_STATE");
  const { product_id, cycle_id } = await reseller.newProduct();
  const before = await readTraces(reseller.resellerId);
  for (const ip_address of ["192.0.2.10", "192.0.2.20", "192.0.2.60"]) {
    const answer = await reseller.dispatch.post("license.register", { product_id, cycle_id, ip_address });
    expect(verdictOf(answer)).toBe("400 INSUFFICIENT_BALANCE");
  }
  expect(await readTraces(reseller.resellerId)).toEqual(before);
});
