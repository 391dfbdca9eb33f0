import { getRuntime } from "#lib/runtime.ts";
import { verdictOf } from "../support/http.ts";
import { expect, test } from "../support/test.ts";
import { setLicense } from "../support/world.ts";

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

test("license.info has the documented fields, and no message (dispatch-interface.md#licenseinfo)", async ({
  reseller,
}) => {
  const ip = reseller.newAddress();
  const license = await reseller.newLicense({ ip, notes: "rack 7 – Ω", product: { pricePerCore: 100n } });
  const { status, body } = await reseller.dispatch.get("license.info", { license_id: license.license_id });
  expect(status).toBe(200);
  expect(body).toEqual({
    success: true,
    data: {
      license_id: license.license_id,
      license_key: license.license_key,
      product_id: license.product_id,
      product: license.name,
      cycle_months: 1,
      ip_address: ip,
      status: "active",
      issued_at: expect.stringMatching(TIMESTAMP),
      expires_at: license.expires_at,
      days_remaining: expect.any(Number),
      cores: 1,
      notes: "rack 7 – Ω",
      auto_renew: false,
    },
  });
});

test("the member of a bundle also names its bundle (contract 3.10)", async ({ reseller }) => {
  const { bundle_id, cycle_id } = await reseller.newBundle([{}, {}]);
  const bundle = { bundle_id, cycle_id, ip_address: reseller.newAddress() };
  const { data } = (await reseller.dispatch.post("bundle.register", bundle)).body;
  for (const { license_id } of data.licenses) {
    const { body } = await reseller.dispatch.get("license.info", { license_id });
    expect(body.data).toMatchObject({ bundle_instance_id: data.bundle_instance_id, cycle_months: 1 });
  }
});

test("days_remaining counts down to 0 and never below (dispatch-interface.md#licenseinfo)", async ({ reseller }) => {
  const { license_id } = await reseller.newLicense();
  const daysLeft = async () => (await reseller.dispatch.get("license.info", { license_id })).body.data.days_remaining;
  const { prisma } = getRuntime().db;
  for (const [hours, days] of [
    [1, 1],
    [25, 2],
    [48 * 5 - 1, 10],
  ] as const) {
    await prisma.license.updateMany({
      where: { id: license_id },
      data: { expiresAt: new Date(Date.now() + hours * 3_600_000) },
    });
    expect(await daysLeft()).toBe(days);
  }
  await setLicense(license_id, { expiredDays: 3 });
  expect(await daysLeft()).toBe(0);
});

for (const [wanted, facts] of [
  ["terminated", { provisionedAt: null, suspended: true, expired: true, terminated: true }],
  ["pending", { ip: "192.0.2.20", suspended: true, expired: true, terminated: false }],
  ["suspended", { suspended: true, expired: true, terminated: false }],
  ["expired", { suspended: false, expired: true, terminated: false }],
  ["active", { suspended: false, expired: false, terminated: false }],
] as const) {
  test(`status ${wanted} outranks what stands after it, with no job run (contract 1.15)`, async ({ reseller }) => {
    // The provider's answer to its registration is lost.
    const { license_id, license_key } = await reseller.newLicense("ip" in facts ? { ip: facts.ip } : {});
    if (facts.expired) await setLicense(license_id, { expiredDays: 1 });
    await getRuntime().db.prisma.license.updateMany({
      where: { id: license_id },
      data: {
        ...("provisionedAt" in facts ? { provisionedAt: facts.provisionedAt } : {}),
        ...(facts.suspended ? { suspendedAt: new Date(), suspendedBy: "reseller" as const } : {}),
        ...(facts.terminated ? { terminatedAt: new Date() } : {}),
      },
    });
    expect((await reseller.dispatch.get("license.info", { license_id })).body.data.status).toBe(wanted);
    expect((await reseller.path.get("/license/status", { license_key })).body.status).toBe(wanted);
    const listed = (await reseller.path.get("/licenses", { status: wanted })).body.licenses;
    expect(listed.map(({ id, status }) => [id, status])).toEqual([[`lic_${license_id}`, wanted]]);
  });
}

test("another reseller's license is byte for byte one that does not exist (contract 1.12)", async ({
  reseller,
  newReseller,
}) => {
  const other = await (await newReseller()).newLicense({ product: { pricePerCore: 1n } });
  const calls = [
    (license_id: number) => reseller.dispatch.get("license.info", { license_id }),
    (license_id: number) => reseller.dispatch.post("license.renew", { license_id }),
    (license_id: number) => reseller.dispatch.post("license.change_ip", { license_id, new_ip: "10.9.9.9" }),
    (license_id: number) => reseller.dispatch.post("license.change_core", { license_id, cores: 2 }),
    (license_id: number) => reseller.dispatch.post("license.suspend", { license_id }),
    (license_id: number) => reseller.dispatch.post("license.unsuspend", { license_id }),
  ];
  for (const call of calls) {
    const foreign = await call(other.license_id);
    const missing = await call(2_147_483_647);
    expect(verdictOf(foreign)).toBe("404 LICENSE_NOT_FOUND");
    expect([foreign.status, foreign.text]).toEqual([missing.status, missing.text]);
  }
});
