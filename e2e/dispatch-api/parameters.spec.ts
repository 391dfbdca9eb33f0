import type { Fields } from "../support/client.ts";
import { verdictOf } from "../support/http.ts";
import { expect, test } from "../support/test.ts";

/** Parameters in their documented order, each with the code of its absence (contract 3.2). */
const required = [
  [
    "POST",
    "license.register",
    { product_id: "MISSING_PRODUCT_ID", cycle_id: "MISSING_CYCLE_ID", ip_address: "MISSING_IP_ADDRESS" },
  ],
  ["POST", "license.renew", { license_id: "MISSING_LICENSE_ID" }],
  ["POST", "license.change_ip", { license_id: "MISSING_LICENSE_ID", new_ip: "MISSING_NEW_IP" }],
  ["POST", "license.change_core", { license_id: "MISSING_LICENSE_ID", cores: "MISSING_CORES" }],
  ["POST", "license.suspend", { license_id: "MISSING_LICENSE_ID" }],
  ["POST", "license.terminate", { license_id: "MISSING_LICENSE_ID" }],
  ["POST", "license.set_labels", { license_id: "MISSING_LICENSE_ID" }],
  ["POST", "license.set_auto_renew", { license_id: "MISSING_LICENSE_ID", auto_renew: "MISSING_AUTO_RENEW" }],
  ["POST", "license.unsuspend", { license_id: "MISSING_LICENSE_ID" }],
  ["GET", "license.info", { license_id: "MISSING_LICENSE_ID" }],
  [
    "POST",
    "bundle.register",
    { bundle_id: "MISSING_BUNDLE_ID", cycle_id: "MISSING_CYCLE_ID", ip_address: "MISSING_IP_ADDRESS" },
  ],
  ["POST", "bundle.renew", { bundle_instance_id: "MISSING_BUNDLE_INSTANCE_ID" }],
  ["POST", "bundle.change_ip", { bundle_instance_id: "MISSING_BUNDLE_INSTANCE_ID", new_ip: "MISSING_NEW_IP" }],
  ["GET", "bundle.info", { bundle_instance_id: "MISSING_BUNDLE_INSTANCE_ID" }],
] as const;

const wellFormed: Fields = {
  product_id: 1,
  cycle_id: 1,
  ip_address: "10.0.0.1",
  license_id: 2_147_483_647,
  new_ip: "10.0.0.1",
  cores: 2,
  auto_renew: true,
  bundle_id: 1,
  bundle_instance_id: 2_147_483_647,
};

for (const [method, endpoint, codes] of required) {
  const names = Object.keys(codes);
  const call = (reseller: Parameters<Parameters<typeof test>[2]>[0]["reseller"], fields: Fields) =>
    method === "GET" ? reseller.dispatch.get(endpoint, fields) : reseller.dispatch.post(endpoint, fields);
  const only = (given: readonly string[]): Fields =>
    Object.fromEntries(given.map((name) => [name, wellFormed[name] ?? ""]));

  test(`${endpoint}: the first missing parameter is the code, details name all (contract 3.1, 3.2)`, async ({
    reseller,
  }) => {
    const none = await call(reseller, {});
    expect(none.body).toEqual({
      success: false,
      error: true,
      code: Object.values(codes)[0],
      message: expect.any(String),
      details: Object.fromEntries(names.map((name) => [name, expect.any(String)])),
    });
    expect(none.status).toBe(400);
    for (const [name, code] of Object.entries(codes)) {
      const answer = await call(reseller, only(names.filter((other) => other !== name)));
      expect(verdictOf(answer)).toBe(`400 ${code}`);
      expect(Object.keys(answer.body.details)).toEqual([name]);
      const empty = await call(reseller, { ...only(names), [name]: "" });
      expect(verdictOf(empty)).toBe(`400 ${code}`);
    }
  });

  test(`${endpoint}: a malformed parameter has its code and its place in details (contract 1.8, 3.2)`, async ({
    reseller,
  }) => {
    for (const name of names) {
      const isAddress = name === "ip_address" || name === "new_ip";
      const wrong = isAddress
        ? ["1.2.3.4.5", "1.2.3", "::1", "0x7f.1", "01.2.3.4", "256.1.1.1", "1.2.3.4/32", "host.example"]
        : ["0", "-1", "+1", "01", "1e3", "1.0", "2147483648", "99999999999999999999", "0x1", " 1", "one", "1,5"];
      for (const value of wrong) {
        const isBeyond = name === "cores" && /^(0|-?[1-9]\d*)$/.test(value);
        const code = isAddress ? "INVALID_IP_ADDRESS" : isBeyond ? "CORE_CHANGE_FAILED" : "INVALID_PARAMETER";
        const answer = await call(reseller, { ...only(names), [name]: value });
        expect(`${name}=${value}: ${verdictOf(answer)}`).toBe(`${name}=${value}: 400 ${code}`);
        expect(Object.keys(answer.body.details)).toEqual([name]);
      }
    }
  });
}

test("the first in documented order decides between missing and malformed; details have both (contract 3.2)", async ({
  reseller,
}) => {
  const malformedFirst = await reseller.dispatch.post("license.register", { product_id: "x", ip_address: "1.2.3.4" });
  expect(verdictOf(malformedFirst)).toBe("400 INVALID_PARAMETER");
  expect(Object.keys(malformedFirst.body.details)).toEqual(["product_id", "cycle_id"]);
  const missingFirst = await reseller.dispatch.post("license.register", { cycle_id: "x", ip_address: "nowhere" });
  expect(verdictOf(missingFirst)).toBe("400 MISSING_PRODUCT_ID");
  expect(Object.keys(missingFirst.body.details)).toEqual(["product_id", "cycle_id", "ip_address"]);
});

test("notes and reason take 1,000 characters, counted as people count them, and no more (contract 1.8)", async ({
  reseller,
}) => {
  const license = await reseller.newLicense({ notes: "😀".repeat(1000) });
  const { license_id } = license;
  expect((await reseller.dispatch.get("license.info", { license_id })).body.data.notes).toBe("😀".repeat(1000));
  const tooLong = await reseller.dispatch.post("license.register", { ...wellFormed, notes: "x".repeat(1001) });
  expect(verdictOf(tooLong)).toBe("400 INVALID_PARAMETER");
  expect(Object.keys(tooLong.body.details)).toEqual(["notes"]);
  const reason = await reseller.dispatch.post("license.suspend", { license_id, reason: "é".repeat(1001) });
  expect(verdictOf(reason)).toBe("400 INVALID_PARAMETER");
  const fits = await reseller.dispatch.post("license.suspend", { license_id, reason: "é".repeat(1000) });
  expect(fits.body.data.reason).toBe("é".repeat(1000));
});

test("an optional cycle_id that is malformed is refused too (contract 3.2)", async ({ reseller }) => {
  for (const [endpoint, id] of [
    ["license.renew", "license_id"],
    ["bundle.renew", "bundle_instance_id"],
  ] as const) {
    const answer = await reseller.dispatch.post(endpoint, { [id]: 1, cycle_id: "1e1" });
    expect(verdictOf(answer)).toBe("400 INVALID_PARAMETER");
    expect(Object.keys(answer.body.details)).toEqual(["cycle_id"]);
  }
});

test("unknown fields are ignored (contract 1.7)", async ({ reseller }) => {
  const { license_id } = await reseller.newLicense();
  const { status } = await reseller.dispatch.post("license.suspend", { license_id, status: "terminated", id: 7 });
  expect(status).toBe(200);
  expect((await reseller.dispatch.get("balance", { reseller_id: 1 })).status).toBe(200);
});
