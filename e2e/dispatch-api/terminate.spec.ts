import { everydayScopes } from "#lib/domain/scopes.ts";
import { verdictOf } from "../support/http.ts";
import { expect, test } from "../support/test.ts";

test("license.terminate ends a license and frees its address for the next order (contract 1.15, 3.3)", async ({
  reseller,
}) => {
  const ip = reseller.newAddress();
  const { license_id, product_id, cycle_id } = await reseller.newLicense({ ip });
  const order = { product_id, cycle_id, ip_address: ip };
  expect(verdictOf(await reseller.dispatch.post("license.register", order))).toBe("400 REGISTRATION_FAILED");
  const before = (await reseller.dispatch.get("balance")).body.data.balance;
  const ended = await reseller.dispatch.post("license.terminate", { license_id });
  expect([ended.status, ended.body.data]).toEqual([200, { license_id, provider_status: "updated" }]);
  const again = await reseller.dispatch.post("license.terminate", { license_id });
  expect(again.body.data.provider_status).toBe("unchanged");
  expect((await reseller.dispatch.get("balance")).body.data.balance).toBe(before);
  expect((await reseller.dispatch.get("license.info", { license_id })).body.data.status).toBe("terminated");
  expect((await reseller.dispatch.post("license.register", order)).status).toBe(200);
});

test("a key for everything cannot terminate: the scope is granted by name (contract 1.14)", async ({ newReseller }) => {
  const reseller = await newReseller({ scopes: everydayScopes });
  const { license_id } = await reseller.newLicense();
  const refused = await reseller.dispatch.post("license.terminate", { license_id });
  expect(verdictOf(refused)).toBe("403 NO_PERMISSION");
  expect(refused.body.message).toContain("licenses:terminate");
  expect((await reseller.dispatch.get("license.info", { license_id })).body.data.status).toBe("active");
});
