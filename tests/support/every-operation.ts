/** A valid request of every operation of both interfaces. */
import { registerBundle } from "#lib/services/bundle/register.ts";
import { sql } from "#tests/sql.ts";
import { type ApiAnswer, type ApiCall, type ApiCaller, type ApiUser, type ApiWorld, SOURCE } from "./api.ts";
import { ip } from "./faults.ts";

export type OperationCall = (by: ApiCaller) => Promise<ApiAnswer>;

const json = (value: object) => ({ json: JSON.stringify(value) });
const dispatch =
  (name: string, call?: ApiCall): OperationCall =>
  (by) =>
    by.dispatch(name, call);
const path =
  (target: string, call?: ApiCall): OperationCall =>
  (by) =>
    by.path(target, call);

/**
 * By name of the operation. In this order, each succeeds once with a key of all scopes of `user`, whose ENCRYPTION_KEY
 * has to be set.
 */
export async function prepareOperations(
  world: ApiWorld,
  user: ApiUser,
): Promise<Readonly<Record<string, OperationCall>>> {
  const license = await user.register({ type: "web_server", ip: SOURCE });
  const suspended = await user.register();
  await user.dispatch("license.suspend", { form: { license_id: suspended.licenseId } });
  const [ended, endedByKey] = [await user.register(), await user.register()];
  const { bundleId, cycleId } = await world.bundleOffer(user.id);
  const bundle = await registerBundle(user.context(), { bundleId, cycleId, ipAddress: ip(world.freshIp()) });
  const offer = await world.offer(user.id, "control_panel");
  const endpoint = await user.path("/webhook-endpoints", { json: '{"url":"https://hooks.example.com/desk"}' });
  const hook = `/webhook-endpoints/${endpoint.body.id}`;
  await world.db.query(sql("update webhook_endpoints set pending_since = null"), []);
  const { events } = (await user.path("/events")).body;
  const event = `/events/${events[0].id}`;
  const [operation] = await user.operations();
  const { licenseId, licenseKey } = license;
  const instanceId = bundle.instance.id;
  const report = {
    license_key: licenseKey,
    hostname: "a.example",
    os: "AlmaLinux 9.6",
    kernel: "5.14.0",
    cpu_cores: 4,
    memory: "16GB",
    disk_free: "512MB",
    uptime: "45 days",
  };
  return {
    "diagnostics.report": path("/diagnostics", json(report)),
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
    "license.verify": path("/license/verify", json({ license_key: licenseKey, ip_address: SOURCE })),
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
    "license.terminate": dispatch("license.terminate", { form: { license_id: ended.licenseId } }),
    "license.unsuspend": dispatch("license.unsuspend", { form: { license_id: suspended.licenseId } }),
    "license.set_auto_renew": dispatch("license.set_auto_renew", {
      form: { license_id: licenseId, auto_renew: "true" },
    }),
    "license.set_labels": dispatch("license.set_labels", { form: { license_id: licenseId, tags: "eu" } }),
    "licenses.set_auto_renew": path("/license/auto-renew", json({ license_key: licenseKey, auto_renew: true })),
    "licenses.terminate": path("/license/terminate", json({ license_key: endedByKey.licenseKey })),
    "license.update": path("/license/update", json({ license_key: licenseKey, hostname: "new.example" })),
    "webhook_endpoints.create": path("/webhook-endpoints", json({ url: "https://hooks.example.com/other" })),
    "webhook_endpoints.update": path(hook, { ...json({ description: "new" }), method: "PATCH" }),
    "webhook_endpoints.rotate_secret": path(`${hook}/rotate-secret`, json({})),
    "webhook_endpoints.test": path(`${hook}/test`, json({})),
    "webhook_endpoints.verify": path(`${hook}/verify`, json({})),
    "events.resend": path(`${event}/resend`, json({})),
    "webhook_endpoints.delete": path(hook, { method: "DELETE" }),
  };
}
