import { verdictOf } from "../support/http.ts";
import { expect, test } from "../support/test.ts";
import { reconcile } from "../support/world.ts";

const TIMESTAMP = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
const ABSENT = "00000000-0000-4000-8000-000000000000";

test("both interfaces tell an operation, while it is open and when it is settled (contract 3.11)", async ({
  reseller,
}) => {
  const license = await reseller.newLicense({ ip: "192.0.2.20", product: { price: 1450n, setupFee: 50n } });
  const { operation_id, license_id } = license;
  const common = {
    operation: "license.register",
    message: expect.stringMatching(/^\S.*\.$/),
    bundle_instance_id: null,
    price: 15,
    currency: "USD",
    created_at: TIMESTAMP,
  };
  for (const outcome of [
    { status: "pending", settled_at: null },
    { status: "succeeded", settled_at: TIMESTAMP },
  ]) {
    const dispatched = await reseller.dispatch.get("operation.info", { operation_id });
    expect(dispatched.body).toEqual({ success: true, data: { ...common, ...outcome, license_id } });
    const pathed = await reseller.path.get(`/operations/${operation_id}`);
    expect(pathed.body).toEqual({ ...common, ...outcome, license_id: `lic_${license_id}` });
    await reconcile(operation_id);
  }
});

test("what was refused is told with its reason, also when nothing of it is left (contract 3.11)", async ({
  reseller,
}) => {
  const { operation_id, license_id } = await reseller.newLicense({ ip: "192.0.2.21" });
  await reconcile(operation_id);
  expect(verdictOf(await reseller.dispatch.get("license.info", { license_id }))).toBe("404 LICENSE_NOT_FOUND");
  const { data } = (await reseller.dispatch.get("operation.info", { operation_id })).body;
  expect(data).toMatchObject({ status: "rejected", license_id, message: expect.stringMatching(/provider/) });
});

test("a pending update on the path interface names its operation (contract 2.3, 3.11)", async ({ reseller }) => {
  const { license_key, license_id } = await reseller.newLicense();
  const { status, body } = await reseller.path.post("/license/update", { license_key, ip_address: "192.0.2.20" });
  expect([status, body.success, body.message]).toEqual([202, true, expect.stringContaining("pending")]);
  const { body: operation } = await reseller.path.get(/\/operations\/[0-9a-f-]+/.exec(body.message)?.[0] ?? "");
  expect(operation).toMatchObject({
    operation: "license.change_ip",
    status: "pending",
    license_id: `lic_${license_id}`,
  });
});

test("a bundle's operation names the bundle (contract 3.11)", async ({ reseller }) => {
  const { bundle_id, cycle_id } = await reseller.newBundle([{}, {}]);
  const { body } = await reseller.dispatch.post("bundle.register", { bundle_id, cycle_id, ip_address: "192.0.2.40" });
  const { operation_id, bundle_instance_id } = body.data;
  const { data } = (await reseller.dispatch.get("operation.info", { operation_id })).body;
  expect(data).toMatchObject({ operation: "bundle.register", license_id: null, bundle_instance_id });
});

test("another reseller's operation answers byte for byte as one that does not exist (contract 1.12)", async ({
  reseller,
  newReseller,
}) => {
  const { operation_id } = await (await newReseller()).newLicense({ ip: "192.0.2.20" });
  for (const ask of [
    (id: string) => reseller.dispatch.get("operation.info", { operation_id: id }),
    (id: string) => reseller.path.get(`/operations/${id}`),
  ]) {
    const [foreign, absent] = [await ask(operation_id), await ask(ABSENT)];
    expect(foreign.text).toBe(absent.text);
    expect(foreign.status).toBe(404);
  }
});

test("what is no id is a malformed parameter, or nothing at that address (contract 3.2)", async ({ reseller }) => {
  for (const operation_id of ["1", "x", `${ABSENT}0`]) {
    const answer = await reseller.dispatch.get("operation.info", { operation_id });
    expect(verdictOf(answer)).toBe("400 INVALID_PARAMETER");
    expect(Object.keys(answer.body.details)).toEqual(["operation_id"]);
    expect(verdictOf(await reseller.path.get(`/operations/${operation_id}`))).toBe("404 NOT_FOUND");
  }
});

test("it needs licenses:read or bundles:read, and shows of each what it reads (contract 1.14)", async ({
  reseller,
}) => {
  const { operation_id } = await reseller.newLicense({ ip: "192.0.2.20" });
  const ask = async (...scopes: ("licenses:read" | "bundles:read" | "licenses:write")[]) => {
    const { apiKey } = await reseller.newKey({ scopes });
    return verdictOf(await reseller.dispatch.get("operation.info", { operation_id }, { key: apiKey }));
  };
  expect(await ask("licenses:read")).toBe("200");
  expect(await ask("bundles:read")).toBe("404 OPERATION_NOT_FOUND");
  expect(await ask("licenses:write")).toBe("403 NO_PERMISSION");
});
