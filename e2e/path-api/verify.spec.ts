import { getRuntime } from "#lib/runtime.ts";
import { readTraces } from "../support/books.ts";
import { verdictOf } from "../support/http.ts";
import { expect, test } from "../support/test.ts";
import { setLicense } from "../support/world.ts";

const UNKNOWN_KEY = "LIC-00000-00000-00000-00000";

test("POST /license/verify: valid for an active license on its address (contract 2.2, path-interface.md#post-licenseverify)", async ({
  reseller,
}) => {
  const ip_address = reseller.newAddress();
  const license = await reseller.newLicense({ ip: ip_address });
  const { license_key } = license;
  const { status, body } = await reseller.path.post("/license/verify", { license_key, ip_address });
  expect(status).toBe(200);
  expect(body).toEqual({
    valid: true,
    type: license.type,
    expires: license.expires_at.slice(0, 10),
    message: expect.any(String),
    code: "VALID",
  });
});

test("ip_address defaults to the source address (contract 2.2, 1.6)", async ({ reseller }) => {
  const { license_key } = await reseller.newLicense({ ip: reseller.source });
  expect((await reseller.path.post("/license/verify", { license_key })).body.code).toBe("VALID");
  const elsewhere = await reseller.path.post("/license/verify", { license_key }, { source: reseller.newAddress() });
  expect([elsewhere.body.valid, elsewhere.body.code]).toEqual([false, "IP_MISMATCH"]);
});

test("a lower-case key is accepted (contract 1.16)", async ({ reseller }) => {
  const { license_key } = await reseller.newLicense({ ip: reseller.source });
  const { body } = await reseller.path.post("/license/verify", { license_key: license_key.toLowerCase() });
  expect(body.valid).toBe(true);
});

test("an unknown key is 200 NOT_FOUND with empty type and expires; so is another reseller's (contract 2.2, 1.12)", async ({
  reseller,
  newReseller,
}) => {
  const other = await newReseller();
  const foreign = await other.newLicense({ ip: reseller.source });
  const answers = [
    await reseller.path.post("/license/verify", { license_key: UNKNOWN_KEY }),
    await reseller.path.post("/license/verify", { license_key: foreign.license_key }),
  ];
  expect(answers[0]?.status).toBe(200);
  expect(answers[0]?.body).toEqual({
    valid: false,
    type: "",
    expires: "",
    message: expect.any(String),
    code: "NOT_FOUND",
  });
  expect([answers[1]?.status, answers[1]?.text]).toEqual([200, answers[0]?.text]);
});

for (const [code, facts] of [
  ["TERMINATED", { terminatedAt: new Date(), suspendedAt: new Date(), suspendedBy: "admin" }],
  ["PENDING", { provisionedAt: null, suspendedAt: new Date(), suspendedBy: "admin" }],
  ["SUSPENDED", { suspendedAt: new Date(), suspendedBy: "reseller" }],
] as const) {
  test(`${code} is never valid, on whatever address it is seen (contract 2.2, 1.15)`, async ({ reseller }) => {
    const { license_key, license_id, type, expires_at } = await reseller.newLicense({ ip: reseller.source });
    await getRuntime().db.prisma.license.updateMany({ where: { id: license_id }, data: facts });
    for (const source of [reseller.source, reseller.newAddress()]) {
      const { status, body } = await reseller.path.post("/license/verify", { license_key }, { source });
      expect(status).toBe(200);
      expect(body).toMatchObject({ valid: false, code, type, expires: expires_at.slice(0, 10) });
    }
  });
}

test("EXPIRED from the second it expires, with no job run (contract 2.2, 1.15)", async ({ reseller }) => {
  const { license_key, license_id } = await reseller.newLicense({ ip: reseller.source });
  await setLicense(license_id, { expiredDays: 0 });
  const { body } = await reseller.path.post("/license/verify", { license_key });
  expect([body.valid, body.code]).toEqual([false, "EXPIRED"]);
});

test("a malformed key is INVALID_LICENSE, a missing one INVALID_REQUEST; details name it (contract 2.2, path-interface.md#post-licenseverify)", async ({
  reseller,
}) => {
  for (const license_key of [
    "x",
    "LIC-00000-00000-00000-00001",
    "LIC-IIIII-00000-00000-00000",
    "LIC-00000",
    `${UNKNOWN_KEY}0`,
  ]) {
    const answer = await reseller.path.post("/license/verify", { license_key });
    expect(verdictOf(answer)).toBe("400 INVALID_LICENSE");
    expect(answer.body).toEqual({
      error: true,
      code: "INVALID_LICENSE",
      message: expect.any(String),
      details: { license_key: expect.any(String) },
    });
  }
  for (const request of [{}, { license_key: "" }, { license_key: null }, { license_key: 5 }, { license_key: ["x"] }]) {
    const answer = await reseller.path.post("/license/verify", request);
    expect(verdictOf(answer)).toBe("400 INVALID_REQUEST");
    expect(Object.keys(answer.body.details)).toEqual(["license_key"]);
  }
});

test("a malformed ip_address is INVALID_REQUEST; beside a malformed key, the key decides (contract 1.8, 2.2)", async ({
  reseller,
}) => {
  for (const ip_address of ["1.2.3.4.5", "::1", "0x7f.1", "010.0.0.1", "1.2.3.4/24", 16_843_009]) {
    const answer = await reseller.path.post("/license/verify", { license_key: UNKNOWN_KEY, ip_address });
    expect(verdictOf(answer)).toBe("400 INVALID_REQUEST");
    expect(Object.keys(answer.body.details)).toEqual(["ip_address"]);
  }
  const both = await reseller.path.post("/license/verify", { license_key: "x", ip_address: "::1" });
  expect(verdictOf(both)).toBe("400 INVALID_LICENSE");
  expect(Object.keys(both.body.details)).toEqual(["license_key", "ip_address"]);
});

test("verifying changes nothing and costs nothing (contract 2.2)", async ({ reseller }) => {
  const { license_key } = await reseller.newLicense({ ip: reseller.source });
  const before = await readTraces(reseller.resellerId);
  await Promise.all(Array.from({ length: 20 }, () => reseller.path.post("/license/verify", { license_key })));
  expect(await readTraces(reseller.resellerId)).toEqual(before);
});
