/** Compares responses of both interfaces with the fields in docs/contract. */
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type ApiAnswer, type ApiUser, type ApiWorld, newApiWorld } from "#tests/support/api.ts";
import { blocksOf, readSections } from "#tests/support/contract-documents.ts";
import { differences, fieldsOf } from "#tests/support/contract-fields.ts";
import { clearRehearsed, rehearsed } from "#tests/support/faults.ts";
import { type Receiver, startReceiver } from "#tests/support/receiver.ts";
import { ENCRYPTION_KEY, newWebhooks, type Webhooks } from "#tests/support/webhooks.ts";

vi.stubEnv("ENCRYPTION_KEY", ENCRYPTION_KEY);
vi.stubEnv("WEBHOOK_ALLOW_HTTP", "1");
vi.stubEnv("WEBHOOK_ALLOW_CIDRS", "127.0.0.0/8");

let world: ApiWorld;
let webhooks: Webhooks;
let receiver: Receiver;
let user: ApiUser;
beforeAll(async () => {
  world = await newApiWorld();
  webhooks = newWebhooks(world);
  receiver = await startReceiver();
  user = await world.user({ funds: "10000" });
});
afterAll(async () => {
  await receiver.close();
  await world.close();
});

const json = (fields: object) => ({ json: JSON.stringify(fields) });

const labels = {
  customer_name: "Acme GmbH",
  customer_email: "billing@acme.example",
  customer_reference: "C-1042",
  tags: "eu,vip",
};

type Provoke = () => Promise<ApiAnswer[]>;
const register = (form: Record<string, string | number> = {}, type = "control_panel") => {
  return world
    .offer(user.id, type)
    .then(({ productId: product_id, cycleId: cycle_id }) =>
      user.dispatch("license.register", { form: { product_id, cycle_id, ip_address: world.freshIp(), ...form } }),
    );
};
const license = async (type?: string): Promise<{ license_id: number; license_key: string }> =>
  (await register({}, type)).body.data;
const post = (endpoint: string, form: Record<string, string | number>) => user.dispatch(endpoint, { form });
async function labeled() {
  const registered = await license();
  await post("license.set_labels", { license_id: registered.license_id, ...labels });
  return registered;
}
const bundle = async () => {
  const { bundleId: bundle_id, cycleId: cycle_id } = await world.bundleOffer(user.id);
  return post("bundle.register", { bundle_id, cycle_id, ip_address: world.freshIp() });
};
async function pending(): Promise<ApiAnswer> {
  await clearRehearsed(world);
  return register({ ip_address: rehearsed.garblesAnswer });
}

const dispatchAnswers: Record<string, Provoke> = {
  "license.register": async () => [
    await register({ external_id: "order-1" }),
    await register({ external_id: "order-1" }),
  ],
  "license.renew": async () => [await post("license.renew", { license_id: (await license()).license_id })],
  "license.change_ip": async () => [
    await post("license.change_ip", { license_id: (await license()).license_id, new_ip: world.freshIp() }),
  ],
  "license.change_core": async () => {
    const { license_id } = await license("web_server");
    return [
      await post("license.change_core", { license_id, cores: 4 }),
      await post("license.change_core", { license_id, cores: 4 }),
      await post("license.change_core", { license_id, cores: 2 }),
    ];
  },
  "license.suspend": async () => {
    const { license_id } = await license();
    return [await post("license.suspend", { license_id }), await post("license.suspend", { license_id })];
  },
  "license.unsuspend": async () => [await post("license.unsuspend", { license_id: (await license()).license_id })],
  "license.terminate": async () => {
    const { license_id } = await license();
    return [await post("license.terminate", { license_id }), await post("license.terminate", { license_id })];
  },
  "license.set_auto_renew": async () => [
    await post("license.set_auto_renew", { license_id: (await license()).license_id, auto_renew: "true" }),
  ],
  "license.set_labels": async () => [
    await post("license.set_labels", { license_id: (await license()).license_id, ...labels }),
  ],
  "license.info": async () => {
    const ids = [
      (await labeled()).license_id,
      (await license()).license_id,
      (await license("web_server")).license_id,
      (await pending()).body.data.license_id,
      (await bundle()).body.data.licenses[0].license_id,
    ];
    return Promise.all(ids.map((license_id) => user.dispatch("license.info", { query: { license_id } })));
  },
  "license.list": async () => {
    await labeled();
    await register({ external_id: `order-${Date.now()}` });
    await pending();
    await bundle();
    return [
      await user.dispatch("license.list", { query: { limit: 1000 } }),
      await user.dispatch("license.list", { query: { limit: 1 } }),
    ];
  },
  "bundle.register": async () => [await bundle()],
  "bundle.renew": async () => {
    const { bundle_instance_id } = (await bundle()).body.data;
    return [await post("bundle.renew", { bundle_instance_id })];
  },
  "bundle.change_ip": async () => {
    const { bundle_instance_id } = (await bundle()).body.data;
    return [await post("bundle.change_ip", { bundle_instance_id, new_ip: world.freshIp() })];
  },
  "bundle.info": async () => {
    const { bundle_instance_id } = (await bundle()).body.data;
    return [await user.dispatch("bundle.info", { query: { bundle_instance_id } })];
  },
  "operation.info": async () => {
    const { operation_id } = (await pending()).body.data;
    return [await user.dispatch("operation.info", { query: { operation_id } })];
  },
  me: async () => [await user.dispatch("me")],
  balance: async () => [await user.dispatch("balance")],
  products: async () => [await user.dispatch("products")],
  bundles: async () => [await user.dispatch("bundles")],
};

const endpoint = () => webhooks.endpoint(user.id, { url: receiver.url });
const endpointPath = async () => `/webhook-endpoints/whe_${(await endpoint()).id}`;
async function eventPath(): Promise<string> {
  await endpoint();
  const id = await webhooks.emit(user.id);
  await webhooks.deliver();
  return `/events/evt_${id}`;
}

const pathAnswers: Record<string, Provoke> = {
  "GET /license/status": async () => [
    await user.path("/license/status", { query: { license_id: (await license()).license_id } }),
    await user.path("/license/status", { query: { license_id: (await labeled()).license_id } }),
  ],
  "POST /license/verify": async () => [
    await user.path("/license/verify", json({ license_key: (await license()).license_key })),
    await user.path("/license/verify", json({ license_key: "LIC-00000-00000-00000-00000" })),
  ],
  "POST /license/update": async () => [
    await user.path("/license/update", json({ license_key: (await license()).license_key, hostname: "a.example" })),
    await user.path("/license/update", json({ license_key: (await license()).license_key, ...labels })),
  ],
  "POST /license/auto-renew": async () => [
    await user.path("/license/auto-renew", json({ license_key: (await license()).license_key, auto_renew: true })),
  ],
  "POST /license/terminate": async () => [
    await user.path("/license/terminate", json({ license_key: (await license()).license_key })),
  ],
  "GET /licenses": async () => {
    await license();
    await labeled();
    return [await user.path("/licenses"), await user.path("/licenses", { query: { limit: 1 } })];
  },
  "GET /diagnostics": async () => [await user.path("/diagnostics")],
  "POST /diagnostics": async () => {
    const host = { os: "Debian", kernel: "6.1", cpu_cores: 8, memory: "16GB", disk_free: "120GB", uptime: "12 days" };
    const { license_key } = await license();
    return [await user.path("/diagnostics", json({ license_key, hostname: "a.example", ...host }))];
  },
  "GET /operations/{id}": async () => {
    const { operation_id } = (await pending()).body.data;
    return [await user.path(`/operations/${operation_id}`)];
  },
  "GET /me": async () => [await user.path("/me")],
  "GET /webhook-endpoints": async () => {
    await endpoint();
    return [await user.path("/webhook-endpoints")];
  },
  "POST /webhook-endpoints": async () => [
    await user.path("/webhook-endpoints", json({ url: "http://127.0.0.1:9/hooks", events: ["license.expired"] })),
  ],
  "GET /webhook-endpoints/{id}": async () => [await user.path(await endpointPath())],
  "PATCH /webhook-endpoints/{id}": async () => [
    await user.path(await endpointPath(), { method: "PATCH", ...json({ status: "paused" }) }),
  ],
  "DELETE /webhook-endpoints/{id}": async () => [await user.path(await endpointPath(), { method: "DELETE" })],
  "POST /webhook-endpoints/{id}/rotate-secret": async () => [
    await user.path(`${await endpointPath()}/rotate-secret`, { method: "POST" }),
  ],
  "POST /webhook-endpoints/{id}/verify": async () => [
    await user.path(`${await endpointPath()}/verify`, { method: "POST" }),
  ],
  "POST /webhook-endpoints/{id}/test": async () => [
    await user.path(`${await endpointPath()}/test`, { method: "POST" }),
  ],
  "GET /events": async () => {
    await license();
    return [await user.path("/events")];
  },
  "GET /events/{id}": async () => [await user.path(await eventPath())],
  "POST /events/{id}/resend": async () => [await user.path(`${await eventPath()}/resend`, { method: "POST" })],
};

describe.each([
  { page: "path-interface", provocations: pathAnswers, wrapped: false },
  { page: "dispatch-interface", provocations: dispatchAnswers, wrapped: true },
] as const)("docs/contract: $page", ({ page, provocations, wrapped }) => {
  const sections = readSections(page);
  const operations = sections.filter(({ level }) => level === 3);

  test("every operation is requested here", () => {
    expect(Object.keys(provocations)).toEqual(operations.map(({ title }) => title));
  });

  test.each(operations)("$title returns exactly the documented fields", async (section) => {
    const answered = await (provocations[section.title] ?? expect.unreachable(section.title))();
    expect(answered.map(({ status }) => status).filter((status) => status > 202)).toEqual([]);
    for (const { status, body } of wrapped ? answered : []) {
      const isRead = section.text.includes("`GET`. ");
      expect(Object.keys(body)).toEqual(isRead ? ["success", "data"] : ["success", "message", "data"]);
      expect(status).toBe(200);
    }
    const fields = fieldsOf(section, sections);
    const example = JSON.parse(blocksOf(section, "json")[0] ?? "");
    const bodyOf = (body: { readonly data?: unknown }) => (wrapped ? body.data : body);
    expect(
      differences(
        answered.map(({ body }) => bodyOf(body)),
        fields,
      ),
    ).toEqual([]);
    expect(differences([bodyOf(example)], fields)).toEqual([]);
    if (!wrapped && answered[0]?.status !== 200) expect(section.text).toContain(`${answered[0]?.status}.`);
  });
});

test("a pending outcome has the fields of its operation and those common to pending outcomes (contract 3.11)", async () => {
  const sections = readSections("dispatch-interface");
  const { status, body } = await pending();
  expect(status).toBe(202);
  const fields = sections
    .filter(({ title }) => ["license.register", "Pending outcome"].includes(title))
    .flatMap((section) => [...fieldsOf(section, sections)]);
  expect(differences([body.data], new Map(fields))).toEqual([]);
});

test.each(["path-interface", "dispatch-interface"] as const)(
  "%s.md: an error has the documented fields",
  async (page) => {
    const sections = readSections(page);
    const section = sections.find(({ title }) => title === "Errors") ?? expect.unreachable("Errors");
    const { body } = page === "path-interface" ? await user.path("/nothing") : await user.dispatch("nothing");
    const withoutDetails = { ...body, details: {} };
    expect(differences([withoutDetails], fieldsOf(section, sections))).toEqual([]);
  },
);
