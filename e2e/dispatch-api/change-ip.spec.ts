import { findAtProvider, listEventKinds, readTraces } from "../support/books.ts";
import { verdictOf } from "../support/http.ts";
import { undocumented } from "../support/openapi.ts";
import { expect, test } from "../support/test.ts";
import { setLicense } from "../support/world.ts";

test("license.change_ip moves the license here and at the provider (contract 3.5, dispatch-interface.md#licensechange_ip)", async ({
  reseller,
}) => {
  const old_ip = reseller.newAddress();
  const new_ip = reseller.newAddress();
  const { license_id, license_key } = await reseller.newLicense({ ip: old_ip });
  const { status, body } = await reseller.dispatch.post("license.change_ip", { license_id, new_ip });
  expect(status).toBe(200);
  expect(body).toEqual({
    success: true,
    message: expect.any(String),
    data: { license_id, old_ip, new_ip, provider_status: "updated" },
  });
  expect((await reseller.dispatch.get("license.info", { license_id })).body.data.ip_address).toBe(new_ip);
  expect(await findAtProvider(license_key)).toMatchObject({ address: new_ip });
  expect(await listEventKinds(reseller.resellerId)).toContain("license.ip_changed");
  expect((await reseller.dispatch.get("balance")).body.data.balance).toBe(990);
});

test("the same address is a success that changes nothing and emits nothing (contract 3.5)", async ({ reseller }) => {
  const new_ip = reseller.newAddress();
  const { license_id } = await reseller.newLicense({ ip: new_ip });
  const before = await readTraces(reseller.resellerId);
  const { status, body } = await reseller.dispatch.post("license.change_ip", { license_id, new_ip });
  expect([status, body.data.provider_status]).toEqual([200, "unchanged"]);
  expect(await readTraces(reseller.resellerId)).toEqual(before);
});

test("white space around an address is trimmed (contract 1.8)", undocumented, async ({ reseller }) => {
  const { license_id } = await reseller.newLicense();
  const new_ip = reseller.newAddress();
  const { body } = await reseller.dispatch.post("license.change_ip", { license_id, new_ip: ` ${new_ip}\t` });
  expect(body.data.new_ip).toBe(new_ip);
});

test("an address that has the product already is refused (contract 3.5)", async ({ reseller }) => {
  const taken = reseller.newAddress();
  const { product_id, cycle_id } = await reseller.newLicense({ ip: taken });
  const { body } = await reseller.dispatch.post("license.register", {
    product_id,
    cycle_id,
    ip_address: reseller.newAddress(),
  });
  const answer = await reseller.dispatch.post("license.change_ip", {
    license_id: body.data.license_id,
    new_ip: taken,
  });
  expect(verdictOf(answer)).toBe("400 IP_CHANGE_FAILED");
  expect(answer.body.details).toEqual({ new_ip: expect.any(String), reason: "address_taken" });
});

test("a member of a bundle is refused: use bundle.change_ip (contract 3.5)", async ({ reseller }) => {
  const { bundle_id, cycle_id } = await reseller.newBundle([{}, {}]);
  const bundle = { bundle_id, cycle_id, ip_address: reseller.newAddress() };
  const { body } = await reseller.dispatch.post("bundle.register", bundle);
  const license_id = body.data.licenses[0]?.license_id ?? 0;
  const moved = await reseller.dispatch.post("license.change_ip", { license_id, new_ip: reseller.newAddress() });
  expect(verdictOf(moved)).toBe("400 IP_CHANGE_FAILED");
  const same = await reseller.dispatch.post("license.change_ip", { license_id, new_ip: bundle.ip_address });
  expect(same.body.data).toMatchObject({ provider_status: "unchanged" });
});

test("a terminated license does not move (contract 1.15)", async ({ reseller }) => {
  const { license_id, license_key } = await reseller.newLicense();
  await setLicense(license_id, "terminated");
  const ip_address = reseller.newAddress();
  const answer = await reseller.dispatch.post("license.change_ip", { license_id, new_ip: ip_address });
  expect(verdictOf(answer)).toBe("409 INVALID_STATE");
  const update = await reseller.path.post("/license/update", { license_key, ip_address });
  expect(verdictOf(update)).toBe("400 INVALID_LICENSE");
});

test("an expired license whose address was taken since moves, and renews there (contract 3.5)", async ({
  reseller,
}) => {
  const home = reseller.newAddress();
  const { license_id, product_id, cycle_id } = await reseller.newLicense({ ip: home });
  await setLicense(license_id, { expiredDays: 2 });
  const successor = { product_id, cycle_id, ip_address: home };
  expect((await reseller.dispatch.post("license.register", successor)).status).toBe(200);
  expect(verdictOf(await reseller.dispatch.post("license.renew", { license_id }))).toBe("409 INVALID_STATE");
  const back = await reseller.dispatch.post("license.change_ip", { license_id, new_ip: home });
  expect(back.body.data.provider_status).toBe("unchanged");
  const new_ip = reseller.newAddress();
  const moved = await reseller.dispatch.post("license.change_ip", { license_id, new_ip });
  expect([moved.status, moved.body.data.provider_status]).toEqual([200, "updated"]);
  expect((await reseller.dispatch.post("license.renew", { license_id })).status).toBe(200);
  expect((await reseller.dispatch.get("license.info", { license_id })).body.data).toMatchObject({
    ip_address: new_ip,
    status: "active",
  });
});

test("of a registration and a move onto one address at once, one succeeds (contract 3.3, 3.5)", async ({
  reseller,
}) => {
  const target = reseller.newAddress();
  const { license_id, product_id, cycle_id } = await reseller.newLicense();
  const [moved, registered] = await Promise.all([
    reseller.dispatch.post("license.change_ip", { license_id, new_ip: target }),
    reseller.dispatch.post("license.register", { product_id, cycle_id, ip_address: target }),
  ]);
  expect(["200/400 REGISTRATION_FAILED", "400 IP_CHANGE_FAILED/200"]).toContain(
    `${verdictOf(moved)}/${verdictOf(registered)}`,
  );
});
