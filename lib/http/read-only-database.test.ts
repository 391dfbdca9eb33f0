import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { getRuntime } from "#lib/runtime.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { sql } from "#tests/sql.ts";
import { type ApiAnswer, type ApiCall, type ApiUser, type ApiWorld, newApiWorld } from "#tests/support/api.ts";
import { ip } from "#tests/support/faults.ts";
import { operations } from "./dispatch-api/interface.ts";
import { pathTargets } from "./path-api/interface.ts";

const OWN = "198.51.100.7";
let world: ApiWorld;
let user: ApiUser;
let calls: Readonly<Record<string, () => Promise<ApiAnswer>>>;

/** Simulates a standby before its promotion, or a demoted primary. */
async function setReadOnly(on: boolean): Promise<void> {
  const name = new URL(world.url).pathname.slice(1);
  const client = new pg.Client({ connectionString: world.url });
  await client.connect();
  await client.query("set default_transaction_read_only = off");
  await client.query(`alter database ${name} set default_transaction_read_only = ${on ? "on" : "off"}`);
  await client.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  await client.end();
}

beforeAll(async () => {
  process.env.ENCRYPTION_KEY = Buffer.alloc(32, 7).toString("base64");
  world = await newApiWorld();
  user = await world.user();
  const license = await user.register({ type: "web_server", ip: OWN });
  const suspended = await user.register();
  await user.dispatch("license.suspend", { form: { license_id: suspended.licenseId } });
  const { bundleId, cycleId } = await world.bundleOffer(user.id);
  const bundle = await registerBundle(user.context(), { bundleId, cycleId, ipAddress: ip(world.freshIp()) });
  const offer = await world.offer(user.id, "control_panel");
  const endpoint = await user.path("/webhook-endpoints", { json: '{"url":"https://hooks.example.com/desk"}' });
  const hook = `/webhook-endpoints/${endpoint.body.id}`;
  await world.db.query(sql("update webhook_endpoints set pending_since = null"), []);
  const { events } = (await user.path("/events")).body;
  const event = `/events/${events[0].id}`;
  const [operation] = await user.operations();
  const dispatch = (name: string, call?: ApiCall) => () => user.dispatch(name, call);
  const path = (target: string, call?: ApiCall) => () => user.path(target, call);
  const json = (value: object) => ({ json: JSON.stringify(value) });
  const licenseId = license.licenseId;
  const instanceId = bundle.instance.id;
  const licenseKey = license.licenseKey;
  const report = {
    os: "AlmaLinux 9.6",
    kernel: "5.14.0",
    cpu_cores: 4,
    memory: "16GB",
    disk_free: "512MB",
    uptime: "45 days",
  };
  calls = {
    balance: dispatch("balance"),
    products: dispatch("products"),
    bundles: dispatch("bundles"),
    "bundle.info": dispatch("bundle.info", { query: { bundle_instance_id: instanceId } }),
    me: dispatch("me"),
    "me.get": path("/me"),
    "license.list": dispatch("license.list"),
    "license.info": dispatch("license.info", { query: { license_id: licenseId } }),
    "operation.info": dispatch("operation.info", { query: { operation_id: operation?.id ?? "" } }),
    "license.status": path("/license/status", { query: { license_key: licenseKey } }),
    "license.verify": path("/license/verify", json({ license_key: licenseKey, ip_address: OWN })),
    licenses: path("/licenses"),
    diagnostics: path("/diagnostics", { query: { license_key: licenseKey } }),
    "operations.get": path(`/operations/${operation?.id}`),
    webhook_endpoints: path("/webhook-endpoints"),
    "webhook_endpoints.get": path(hook),
    events: path("/events"),
    "events.get": path(event),

    "bundle.register": dispatch("bundle.register", {
      form: { bundle_id: bundleId, cycle_id: cycleId, ip_address: world.freshIp() },
    }),
    "bundle.renew": dispatch("bundle.renew", { form: { bundle_instance_id: instanceId } }),
    "bundle.change_ip": dispatch("bundle.change_ip", {
      form: { bundle_instance_id: instanceId, new_ip: world.freshIp() },
    }),
    "license.register": dispatch("license.register", {
      form: { product_id: offer.productId, cycle_id: offer.cycleId, ip_address: world.freshIp() },
    }),
    "license.renew": dispatch("license.renew", { form: { license_id: licenseId } }),
    "license.change_ip": dispatch("license.change_ip", { form: { license_id: licenseId, new_ip: world.freshIp() } }),
    "license.change_core": dispatch("license.change_core", { form: { license_id: licenseId, cores: 4 } }),
    "license.suspend": dispatch("license.suspend", { form: { license_id: licenseId } }),
    "license.terminate": dispatch("license.terminate", { form: { license_id: licenseId } }),
    "license.unsuspend": dispatch("license.unsuspend", { form: { license_id: suspended.licenseId } }),
    "license.set_auto_renew": dispatch("license.set_auto_renew", {
      form: { license_id: licenseId, auto_renew: "true" },
    }),
    "license.set_labels": dispatch("license.set_labels", { form: { license_id: licenseId, tags: "eu" } }),
    "licenses.set_auto_renew": path("/license/auto-renew", json({ license_key: licenseKey, auto_renew: true })),
    "licenses.terminate": path("/license/terminate", json({ license_key: licenseKey })),
    "license.update": path("/license/update", json({ license_key: licenseKey, hostname: "new.example" })),
    "diagnostics.report": path("/diagnostics", json({ license_key: licenseKey, hostname: "a.example", ...report })),
    "webhook_endpoints.create": path("/webhook-endpoints", json({ url: "https://hooks.example.com/other" })),
    "webhook_endpoints.update": path(hook, { ...json({ description: "new" }), method: "PATCH" }),
    "webhook_endpoints.delete": path(hook, { method: "DELETE" }),
    "webhook_endpoints.rotate_secret": path(`${hook}/rotate-secret`, json({})),
    "webhook_endpoints.test": path(`${hook}/test`, json({})),
    "webhook_endpoints.verify": path(`${hook}/verify`, json({})),
    "events.resend": path(`${event}/resend`, json({})),
  };
  await calls["diagnostics.report"]?.();
  await setReadOnly(true);
  // Wait until the pool has dropped the cut connections.
  await vi.waitFor(
    async () => expect(verdict((await calls["license.renew"]?.()) as ApiAnswer)).toEqual(READ_ONLY),
    10_000,
  );
});
afterAll(async () => {
  await setReadOnly(false);
  await world.close();
});

const endpoints = [...operations, ...Object.values(pathTargets).flatMap((methods) => Object.values(methods))];
const writes = endpoints.filter(({ method, acceptsKey }) => acceptsKey || method === "PATCH" || method === "DELETE");
const reads = endpoints.filter((endpoint) => !writes.includes(endpoint));
const READ_ONLY = { status: 503, code: "UNAVAILABLE", retryAfter: "30", saysSo: true };

function verdict({ status, headers, body }: ApiAnswer) {
  const saysSo = /read-only/.test(JSON.stringify(body));
  return { status, code: body?.code, retryAfter: headers.get("retry-after"), saysSo };
}

test("the table below has every operation of both interfaces", () => {
  expect(Object.keys(calls).toSorted()).toEqual(endpoints.map(({ name }) => name).toSorted());
});

test.each(writes)("on a read-only database $name is 503 with Retry-After and an explanation", async ({ name }) => {
  expect(verdict((await calls[name]?.()) as ApiAnswer)).toEqual(READ_ONLY);
});

test.each(reads)("on a read-only database $name answers", async ({ name }) => {
  expect(await calls[name]?.()).toMatchObject({ status: 200 });
});

test("an idempotency key on a read-only database gets 503 and stays unused", async () => {
  const form = { license_id: (await user.path("/licenses")).body.licenses[0].license_id };
  const call = { form, headers: { "idempotency-key": "read-only" } };
  expect(verdict(await user.dispatch("license.renew", call))).toEqual(READ_ONLY);
});

test("a change after the process's lease has expired is 503 for the same reason", async () => {
  await vi.waitFor(() => expect(getRuntime().processLease.isAlive()).toBe(false), { timeout: 10_000 });
  expect(verdict((await calls["license.renew"]?.()) as ApiAnswer)).toEqual(READ_ONLY);
});
