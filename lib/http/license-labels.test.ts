import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiUser, type ApiWorld, newApiWorld } from "#tests/support/api.ts";

let world: ApiWorld;
let user: ApiUser;
beforeAll(async () => {
  world = await newApiWorld();
  user = await world.user({ funds: "10000" });
});
afterAll(() => world.close());

const json = (fields: object) => ({ json: JSON.stringify(fields) });
const queries: readonly Record<string, string>[] = [
  { customer: "ACME gmbh" },
  { customer: "c-1042" },
  { tag: "VIP" },
  { q: "gmbh vip" },
];
const acme = { customer_name: "Acme GmbH", customer_email: "billing@acme.example", customer_reference: "C-1042" };

test("what one interface sets, both answer and filter by (contract 3.19)", async () => {
  const { licenseId: license_id, licenseKey: license_key } = await user.register();
  const form = { license_id, ...acme, tags: " VIP, eu ,eu" };
  const labels = { ...acme, tags: ["eu", "vip"] };
  expect((await user.dispatch("license.set_labels", { form })).body.data).toEqual({ license_id, ...labels });
  expect((await user.dispatch("license.info", { query: { license_id } })).body.data).toMatchObject(labels);
  expect((await user.path("/license/status", { query: { license_key } })).body).toMatchObject(labels);
  for (const query of queries) {
    expect((await user.path("/licenses", { query })).body.licenses, JSON.stringify(query)).toMatchObject([labels]);
    expect((await user.dispatch("license.list", { query })).body.data.licenses).toMatchObject([labels]);
  }
  const update = { license_key, customer_email: "", tags: ["beta"] };
  expect((await user.path("/license/update", json(update))).status).toBe(200);
  const { data } = (await user.dispatch("license.info", { query: { license_id } })).body;
  expect(data).toMatchObject({ customer_name: "Acme GmbH", tags: ["beta"] });
  expect(data).not.toHaveProperty("customer_email");
  expect((await user.path("/licenses", { query: { tag: "vip" } })).body.licenses).toEqual([]);
});

test("a key on a customer's server does not see whose it is (contract 3.19)", async () => {
  const agent = await world.user({ scopes: ["licenses:verify", "licenses:write"], funds: "100" });
  const { licenseId: license_id, licenseKey: license_key } = await agent.register();
  const form = { license_id, ...acme, tags: "late-payer" };
  expect((await agent.dispatch("license.set_labels", { form })).status).toBe(200);
  const { status, body } = await agent.path("/license/status", { query: { license_key } });
  expect(status).toBe(200);
  expect(Object.keys(body).filter((name) => name.startsWith("customer") || name === "tags")).toEqual([]);
});

test("license.info answers whether a license renews automatically, as its bundle does", async () => {
  const { licenseId } = await user.register();
  const { bundleId: bundle_id, cycleId: cycle_id } = await world.bundleOffer(user.id);
  const form = { bundle_id, cycle_id, ip_address: world.freshIp() };
  const { licenses } = (await user.dispatch("bundle.register", { form })).body.data;
  await world.db.prisma.license.updateMany({ where: { id: licenseId }, data: { autoRenew: true } });
  await world.db.prisma.bundleInstance.updateMany({ where: { resellerId: user.id }, data: { autoRenew: true } });
  const other = (await user.register()).licenseId;
  for (const [license_id, auto_renew] of [
    [licenseId, true],
    [licenses[0].license_id, true],
    [other, false],
  ] as const) {
    expect((await user.dispatch("license.info", { query: { license_id } })).body.data).toMatchObject({ auto_renew });
  }
});

const eleven = Array.from({ length: 11 }, (_, index) => `t${index}`);
test.each<[what: string, name: string, value: unknown]>([
  ["eleven tags", "tags", eleven.join(",")],
  ["10,000 tags", "tags", Array.from({ length: 10_000 }, (_, index) => index.toString(36)).join(",")],
  ["a list of eleven tags", "tags", eleven],
  ["a number in a list", "tags", [7]],
  ["an object", "tags", { a: "b" }],
  ["a number", "tags", 7],
  ["a NUL byte in a list", "tags", ["a\u0000b"]],
  ["a lone surrogate", "tags", ["\ud800"]],
  ["a comma in a tag", "tags", ["a,b"]],
  ["a long tag", "tags", "x".repeat(41)],
  ["a long name", "customer_name", "x".repeat(121)],
  ["a NUL byte", "customer_name", "a\u0000b"],
  ["a control character", "customer_name", "a\u0001b"],
  ["a list", "customer_name", ["Acme"]],
  ["no email address", "customer_email", "acme"],
  ["a long reference", "customer_reference", "x".repeat(101)],
])("%s for %s is 400 with the field in details, and nothing changes (contract 3.1)", async (_, name, value) => {
  const { licenseId: license_id, licenseKey: license_key } = await user.register();
  const answers = [
    await user.dispatch("license.set_labels", json({ license_id, customer_reference: "other", [name]: value })),
    await user.path("/license/update", json({ license_key, hostname: "a.example", [name]: value })),
  ];
  for (const { status, body } of answers) {
    expect(status).toBe(400);
    expect(body.details ?? body.error.details).toHaveProperty(name);
  }
  expect(await user.license(license_id)).toMatchObject({
    customerName: "",
    customerReference: "",
    tags: [],
    hostname: "",
  });
});

test.each(["שלום עולם", "🚀🚀", "Ünïcödé", "İstanbul", 'it\'s \\ a "quote"', "' | ! & : * <->", "%_", "&+#@"])(
  "%s is a label like any other",
  async (label) => {
    const owner = await world.user({ funds: "100" });
    const { licenseId: license_id } = await owner.register();
    const answer = await owner.dispatch(
      "license.set_labels",
      json({ license_id, customer_name: label, tags: [label] }),
    );
    expect(answer.status).toBe(200);
    const { status, body } = await owner.path("/licenses", { query: { customer: label, tag: label } });
    expect([status, body.licenses.length]).toEqual([200, 1]);
  },
);
