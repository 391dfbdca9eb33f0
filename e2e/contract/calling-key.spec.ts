import { everydayScopes } from "#lib/domain/scopes.ts";
import { expect, test } from "../support/test.ts";

test("me tells any key about itself, on both interfaces (contract 1.17)", async ({ newReseller }) => {
  const reseller = await newReseller({ scopes: ["licenses:verify"], rateLimit: 900, currency: "JPY" });
  const dispatch = await reseller.dispatch.get("me");
  const path = await reseller.path.get("/me");
  expect(path.body).toEqual({
    key: {
      name: "e2e",
      hint: expect.stringContaining(reseller.apiKey.slice(-4)),
      scopes: ["licenses:verify"],
      license_id: null,
      signing: "none",
      expires_at: null,
    },
    mode: "live",
    reseller: { name: reseller.name, currency: "JPY" },
    limits: { requests_per_minute: 900 },
  });
  expect(dispatch.body).toEqual({ success: true, data: path.body });
  expect(dispatch.text).not.toContain(reseller.apiKey);
});

test("auto-renew is switched on either interface, at the price that was agreed (contract 3.4)", async ({
  reseller,
}) => {
  const { license_id, license_key } = await reseller.newLicense({ product: { price: 1000n } });
  const isOn = async () => (await reseller.dispatch.get("license.list")).body.data.licenses[0]?.auto_renew;
  const on = await reseller.dispatch.post("license.set_auto_renew", {
    license_id,
    auto_renew: "true",
    expected_price: 10,
  });
  expect([on.body.data, await isOn()]).toEqual([{ license_id, auto_renew: true }, true]);
  const off = await reseller.path.post("/license/auto-renew", { license_key, auto_renew: false });
  expect([off.status, off.body.success, await isOn()]).toEqual([200, true, false]);
  const dear = await reseller.path.post("/license/auto-renew", { license_key, auto_renew: true, expected_price: 9 });
  expect([dear.status, await isOn()]).toEqual([409, false]);
});

test("a license is terminated by its key, under a scope of its own (contract 1.14, 1.15)", async ({ reseller }) => {
  const { license_key } = await reseller.newLicense();
  const everyday = await reseller.newKey({ scopes: everydayScopes });
  const refused = await reseller.path.post("/license/terminate", { license_key }, { key: everyday.apiKey });
  expect(refused.status).toBe(403);
  for (let time = 0; time < 2; time++) {
    const ended = await reseller.path.post("/license/terminate", { license_key });
    expect([ended.status, ended.body.success]).toEqual([200, true]);
  }
  expect((await reseller.path.get("/license/status", { license_key })).body.status).toBe("terminated");
});

test("a status that has not changed is 304 to who knows it (contract 1.5)", async ({ reseller }) => {
  const { license_id, license_key } = await reseller.newLicense();
  const ask = (etag?: string) =>
    reseller.path.send({
      method: "GET",
      target: `/api/v1/license/status?license_key=${license_key}`,
      ...(etag === undefined ? {} : { headers: { "if-none-match": etag } }),
    });
  const first = await ask();
  const etag = String(first.headers.etag);
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
    const same = await ask(known);
    expect([same.status, same.text, same.headers.etag]).toEqual([304, "", etag]);
    expect(same.headers["x-request-id"]).toMatch(/^req_/);
  }
  expect((await ask('"other"')).status).toBe(200);
  await reseller.dispatch.post("license.suspend", { license_id });
  const changed = await ask(etag);
  expect([changed.status, changed.body.status]).toEqual([200, "suspended"]);
  expect(changed.headers["cache-control"]).toBe("private, no-cache");
});
