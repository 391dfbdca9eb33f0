import { verdictOf } from "../support/http.ts";
import { expect, test } from "../support/test.ts";
import { setLicense } from "../support/world.ts";

test("GET /license/status has the documented fields (contract 2.1, path-interface.md#get-licensestatus)", async ({
  reseller,
}) => {
  const ip = reseller.newAddress();
  const license = await reseller.newLicense({ ip, product: { pricePerCore: 1n, workers: 4 } });
  const { license_key } = license;
  const { status, body } = await reseller.path.get("/license/status", { license_key });
  expect(status).toBe(200);
  expect(body).toEqual({
    status: "active",
    type: license.type,
    expires: license.expires_at.slice(0, 10),
    cores: 1,
    workers: 4,
    ip,
    hostname: "",
  });
});

test("cores and workers are 0 where the product has none; hostname is told once known (contract 2.1)", async ({
  reseller,
}) => {
  const { license_key } = await reseller.newLicense();
  await reseller.path.post("/license/update", { license_key, hostname: "Web1.Example.COM" });
  const { body } = await reseller.path.get("/license/status", { license_key });
  expect(body).toMatchObject({ cores: 0, workers: 0, hostname: "web1.example.com" });
});

test("license_key, else license_id in both forms, else ip_address, else the source address chooses (contract 2.1)", async ({
  reseller,
}) => {
  const byKey = await reseller.newLicense();
  const byId = await reseller.newLicense();
  const ip = reseller.newAddress();
  const byAddress = await reseller.newLicense({ ip });
  const bySource = await reseller.newLicense({ ip: reseller.source });
  const key = byKey.license_key;
  const id = byId.license_id;
  const chosen = async (query: Record<string, string | number>) =>
    (await reseller.path.get("/license/status", query)).body.type;
  expect(await chosen({ ip_address: ip, license_id: id, license_key: key })).toBe(byKey.type);
  expect(await chosen({ license_key: key.toLowerCase() })).toBe(byKey.type);
  expect(await chosen({ ip_address: ip, license_id: id })).toBe(byId.type);
  expect(await chosen({ license_id: `lic_${id}` })).toBe(byId.type);
  expect(await chosen({ ip_address: ip })).toBe(byAddress.type);
  expect(await chosen({})).toBe(bySource.type);
});

test("nothing found is NOT_FOUND, whatever the selector (contract 2.1)", async ({ reseller }) => {
  for (const query of [
    { license_key: "LIC-00000-00000-00000-00000" },
    { license_id: 2_147_483_647 },
    { license_id: "lic_2147483647" },
    { ip_address: reseller.newAddress() },
    {},
  ]) {
    expect(verdictOf(await reseller.path.get("/license/status", query))).toBe("404 NOT_FOUND");
  }
});

test("several on one address are INVALID_REQUEST, and details name each candidate (contract 2.1)", async ({
  reseller,
}) => {
  const ip = reseller.newAddress();
  const licenses = [await reseller.newLicense({ ip }), await reseller.newLicense({ ip })];
  const gone = await reseller.newLicense({ ip });
  await setLicense(gone.license_id, "terminated");
  const answer = await reseller.path.get("/license/status", { ip_address: ip });
  expect(verdictOf(answer)).toBe("400 INVALID_REQUEST");
  expect(answer.body.details).toEqual(
    Object.fromEntries(licenses.map(({ license_id, name }) => [`lic_${license_id}`, name])),
  );
});

test("a malformed selector is refused, and named (contract 1.8, 1.16)", async ({ reseller }) => {
  const { license_key } = await reseller.newLicense();
  const last = license_key.at(-1) === "0" ? "1" : "0";
  const wrongCheck = `${license_key.slice(0, -1)}${last}`;
  for (const [query, verdict] of [
    [{ license_key: "nonsense" }, "400 INVALID_LICENSE"],
    [{ license_key: wrongCheck }, "400 INVALID_LICENSE"],
    [{ license_key: license_key.replaceAll("-", "") }, "400 INVALID_LICENSE"],
    [{ license_id: "lic_0" }, "400 INVALID_REQUEST"],
    [{ license_id: "lic_+1" }, "400 INVALID_REQUEST"],
    [{ license_id: "1e3" }, "400 INVALID_REQUEST"],
    [{ license_id: "2147483648" }, "400 INVALID_REQUEST"],
    [{ ip_address: "1.2.3.4.5" }, "400 INVALID_REQUEST"],
    [{ ip_address: "::1" }, "400 INVALID_REQUEST"],
  ] as const) {
    const answer = await reseller.path.get("/license/status", query);
    expect(verdictOf(answer)).toBe(verdict);
    expect(Object.keys(answer.body.details)).toEqual(Object.keys(query));
  }
});

test("another reseller's license is byte for byte one that does not exist (contract 1.12)", async ({
  reseller,
  newReseller,
}) => {
  const other = await newReseller();
  const ip = other.newAddress();
  const { license_key, license_id } = await other.newLicense({ ip });
  for (const [foreign, missing] of [
    [{ license_key }, { license_key: "LIC-00000-00000-00000-00000" }],
    [{ license_id }, { license_id: 2_147_483_647 }],
    [{ ip_address: ip }, { ip_address: reseller.newAddress() }],
  ]) {
    const answers = [
      await reseller.path.get("/license/status", foreign),
      await reseller.path.get("/license/status", missing),
    ];
    expect(answers[0]?.status).toBe(404);
    expect(answers[0]?.text).toBe(answers[1]?.text);
  }
});
