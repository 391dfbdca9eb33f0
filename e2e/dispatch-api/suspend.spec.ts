import { suspendLicense } from "#lib/services/license/suspend.ts";
import { unsuspendLicense } from "#lib/services/license/unsuspend.ts";
import { findAtProvider, listEventKinds, readTraces } from "../support/books.ts";
import { verdictOf } from "../support/http.ts";
import { expect, test } from "../support/test.ts";
import { adminContext, setLicense } from "../support/world.ts";

test("license.suspend moves active to suspended, license.unsuspend back (contract 1.15, 3.7)", async ({ reseller }) => {
  const { license_id, license_key } = await reseller.newLicense();
  const suspended = await reseller.dispatch.post("license.suspend", { license_id, reason: "Überfällig ☂" });
  expect(suspended.status).toBe(200);
  expect(suspended.body).toEqual({
    success: true,
    message: expect.any(String),
    data: {
      license_id,
      status: "suspended",
      reason: "Überfällig ☂",
      suspended_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    },
  });
  expect(await findAtProvider(license_key)).toMatchObject({ state: "suspended" });

  const active = await reseller.dispatch.post("license.unsuspend", { license_id });
  expect(active.status).toBe(200);
  expect(active.body).toEqual({
    success: true,
    message: expect.any(String),
    data: { license_id, status: "active" },
  });
  expect(await findAtProvider(license_key)).toMatchObject({ state: "active" });
  expect(await listEventKinds(reseller.resellerId)).toEqual([
    "wallet.topped_up",
    "license.activated",
    "license.suspended",
    "license.unsuspended",
  ]);
});

test("repeating the move is a success that changes nothing and emits nothing (contract 1.15)", async ({ reseller }) => {
  const { license_id } = await reseller.newLicense();
  const first = await reseller.dispatch.post("license.suspend", { license_id, reason: "first" });
  const before = await readTraces(reseller.resellerId);
  const again = await reseller.dispatch.post("license.suspend", { license_id, reason: "second" });
  expect(again.status).toBe(200);
  expect(again.body.data).toEqual(first.body.data);
  expect(await readTraces(reseller.resellerId)).toEqual(before);

  await reseller.dispatch.post("license.unsuspend", { license_id });
  const lifted = await readTraces(reseller.resellerId);
  expect((await reseller.dispatch.post("license.unsuspend", { license_id })).status).toBe(200);
  expect(await readTraces(reseller.resellerId)).toEqual(lifted);
});

test("without a reason the reason is empty (contract 3.7)", async ({ reseller }) => {
  const { license_id } = await reseller.newLicense();
  const { body } = await reseller.dispatch.post("license.suspend", { license_id });
  expect(body.data.reason).toBe("");
});

test("a license that is terminated can be neither suspended nor reactivated (contract 1.15)", async ({ reseller }) => {
  const { license_id } = await reseller.newLicense();
  await setLicense(license_id, "terminated");
  for (const endpoint of ["license.suspend", "license.unsuspend"]) {
    expect(verdictOf(await reseller.dispatch.post(endpoint, { license_id }))).toBe("409 INVALID_STATE");
  }
});

test("an expired license can be suspended and reactivated; a move that is repeated changes nothing (contract 1.15)", async ({
  reseller,
}) => {
  const { license_id } = await reseller.newLicense();
  await setLicense(license_id, { expiredDays: 1 });
  const statuses: string[] = [];
  for (const endpoint of ["unsuspend", "suspend", "suspend", "unsuspend", "unsuspend"]) {
    statuses.push((await reseller.dispatch.post(`license.${endpoint}`, { license_id })).body.data.status);
  }
  expect(statuses).toEqual(["expired", "suspended", "suspended", "expired", "expired"]);
  const kinds = (await listEventKinds(reseller.resellerId)).filter((kind) => kind.endsWith("suspended"));
  expect(kinds).toEqual(["license.suspended", "license.unsuspended"]);
});

test("what is under way keeps a license from being suspended and reactivated, and says when to ask again (contract 1.15)", async ({
  reseller,
}) => {
  const { license_id, operation_id } = await reseller.newLicense({ ip: "192.0.2.40" });
  for (const endpoint of ["license.suspend", "license.unsuspend"]) {
    const answer = await reseller.dispatch.post(endpoint, { license_id });
    expect(verdictOf(answer)).toBe("409 OPERATION_IN_PROGRESS");
    expect(answer.headers["retry-after"]).toMatch(/^[1-9]\d*$/);
    expect(answer.body.details.operation_id).toBe(operation_id);
  }
});

test("suspended outranks expired: it is lifted first, and expired then (contract 1.15)", async ({ reseller }) => {
  const { license_id } = await reseller.newLicense();
  await reseller.dispatch.post("license.suspend", { license_id });
  await setLicense(license_id, { expiredDays: 1 });
  const status = async () => (await reseller.dispatch.get("license.info", { license_id })).body.data.status;
  expect(await status()).toBe("suspended");
  const lifted = await reseller.dispatch.post("license.unsuspend", { license_id });
  expect(lifted.status).toBe(200);
  expect(lifted.body.data.status).toBe("expired");
  expect(await status()).toBe("expired");
});

test("what an admin suspended, only an admin can lift (contract 1.15)", async ({ reseller }) => {
  const { license_id } = await reseller.newLicense();
  await suspendLicense(adminContext(reseller.resellerId), { licenseId: license_id, reason: "abuse" });
  const before = await readTraces(reseller.resellerId);
  expect(verdictOf(await reseller.dispatch.post("license.unsuspend", { license_id }))).toBe("403 NO_PERMISSION");
  expect((await reseller.dispatch.post("license.suspend", { license_id })).body.data.reason).toBe("abuse");
  expect(await readTraces(reseller.resellerId)).toEqual(before);
  await unsuspendLicense(adminContext(reseller.resellerId), { licenseId: license_id });
  expect((await reseller.dispatch.get("license.info", { license_id })).body.data.status).toBe("active");
});

test("many suspensions at once suspend once (contract 1.15)", async ({ reseller }) => {
  const { license_id } = await reseller.newLicense();
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => reseller.dispatch.post("license.suspend", { license_id })),
  );
  for (const answer of answers) expect(["200", "409 OPERATION_IN_PROGRESS"]).toContain(verdictOf(answer));
  const kinds = await listEventKinds(reseller.resellerId);
  expect(kinds.filter((kind) => kind === "license.suspended")).toHaveLength(1);
});
