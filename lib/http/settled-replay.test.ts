import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LicenseAddress } from "#lib/domain/license-address.ts";
import type { Currency } from "#lib/domain/money.ts";
import { hashRequest } from "#lib/domain/request-hash.ts";
import type { LicenseProvider, ProviderOutcome } from "#lib/ports/license-provider.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { setLicenseLabels } from "#lib/services/license/set-labels.ts";
import { suspendLicense } from "#lib/services/license/suspend.ts";
import { reconcileOperations } from "#lib/services/operation/reconcile.ts";
import { pruneOldRecords } from "#lib/services/retention/prune.ts";
import { sql } from "#tests/sql.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { dispatchInterface, operations } from "./dispatch-api/interface.ts";
import type { Endpoint } from "./endpoint.ts";
import { handleKeyedRequest } from "./idempotency.ts";
import { pathInterface, pathTargets } from "./path-api/interface.ts";
import { JsonText } from "./response.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld({ start: new Date() });
});
afterAll(() => world.close());

const pathEndpoints = Object.values(pathTargets).flatMap((byMethod) => Object.values(byMethod));
const endpoints = new Map<string, Endpoint>([...operations, ...pathEndpoints].map((one) => [one.name, one]));

/** Sends a request with its key, like the pipeline. */
async function send(ctx: ServiceContext, name: string, fields: object, key: string = randomUUID()) {
  const endpoint = endpoints.get(name) ?? expect.unreachable(name);
  const api = pathEndpoints.includes(endpoint) ? pathInterface : dispatchInterface;
  const call = endpoint.read({ ...fields }, { sourceAddress: "198.51.100.1", currency: "USD" as Currency });
  const request = { key, requestHash: hashRequest(name, call.identity) };
  const answered = await handleKeyedRequest(ctx, request, call.handle, api.presentError).catch((error) => ({
    ...api.presentError(error),
    replayed: undefined,
  }));
  const { status, body, replayed } = answered;
  return { status, text: body instanceof JsonText ? body.text : JSON.stringify(body), replayed: replayed === true };
}

const unknown: ProviderOutcome = { kind: "unknown", message: "No answer." };
/** Carries out the request; its last response is lost. */
const silent = (provider: LicenseProvider): LicenseProvider => ({
  ...provider,
  async execute(request, maySend) {
    const outcome = await provider.execute(request, maySend);
    const { position, size } = request.bundle ?? { position: 0, size: 1 };
    return position === size - 1 ? unknown : outcome;
  },
});
/** Never receives the request. */
const deaf = (provider: LicenseProvider): LicenseProvider => ({ ...provider, execute: async () => unknown });

const askedThrough = (reseller: ResellerWorld, stand: (provider: LicenseProvider) => LicenseProvider) =>
  reseller.context({ providers: new Map([[world.provider.name, stand(world.provider)]]) });

/** A request for each endpoint that starts an operation, from a reseller that meets its requirements. */
const requests: Readonly<Record<string, (reseller: ResellerWorld) => Promise<object>>> = {
  async "license.register"(reseller) {
    const { productId, cycleId } = await world.offer(reseller.id, "control_panel");
    return { product_id: productId, cycle_id: cycleId, ip_address: world.freshIp(), notes: "n" };
  },
  "license.renew": async (reseller) => ({ license_id: (await reseller.register()).licenseId }),
  "license.change_ip": async (reseller) => ({
    license_id: (await reseller.register()).licenseId,
    new_ip: world.freshIp(),
  }),
  "license.change_core": async (reseller) => ({
    license_id: (await reseller.register({ type: "web_server" })).licenseId,
    cores: 4,
  }),
  "license.suspend": async (reseller) => ({ license_id: (await reseller.register()).licenseId, reason: "unpaid" }),
  "license.terminate": async (reseller) => ({ license_id: (await reseller.register()).licenseId }),
  "licenses.terminate": async (reseller) => ({ license_key: (await reseller.register()).licenseKey }),
  async "license.unsuspend"(reseller) {
    const { licenseId } = await reseller.register();
    await suspendLicense(reseller.context(), { licenseId });
    return { license_id: licenseId };
  },
  "license.update": async (reseller) => ({
    license_key: (await reseller.register()).licenseKey,
    ip_address: world.freshIp(),
    hostname: "a.example",
  }),
  async "bundle.register"(reseller) {
    const { bundleId, cycleId } = await world.bundleOffer(reseller.id);
    return { bundle_id: bundleId, cycle_id: cycleId, ip_address: world.freshIp() };
  },
  "bundle.renew": async (reseller) => ({ bundle_instance_id: await newBundle(reseller) }),
  "bundle.change_ip": async (reseller) => ({
    bundle_instance_id: await newBundle(reseller),
    new_ip: world.freshIp(),
  }),
};

async function newBundle(reseller: ResellerWorld): Promise<number> {
  const { bundleId, cycleId } = await world.bundleOffer(reseller.id);
  const input = { bundleId, cycleId, ipAddress: world.freshIp() as LicenseAddress };
  return (await registerBundle(reseller.context(), input)).instance.id;
}

/** Changes everything that may differ when the response is replayed long after settlement. */
async function changeEverything(reseller: ResellerWorld): Promise<() => Promise<void>> {
  const run = (text: string) => world.db.query(sql(text.replace("$1", String(reseller.id))), []);
  await run(`update licenses set ip_address = '198.19.0.' || id % 256, hostname = 'later.example', cores = cores + 1,
                    expires_at = expires_at + interval '1 year', suspended_at = null, suspended_by = null,
                    terminated_at = now(), suspension_reason = 'later' where reseller_id = $1`);
  await run(`update bundle_instances set ip_address = '198.19.1.1', expires_at = expires_at + interval '1 year'
              where reseller_id = $1`);
  await run("update wallets set posted = posted - 100 where reseller_id = $1");
  await run("update products set name = 'Later ' || name");
  await run("update bundles set name = 'Later ' || name");
  await run("update bundle_members set position = -position - 1");
  world.advance(86_400_000);
  return async () => {
    await run("update products set name = substr(name, 7)");
    await run("update bundles set name = substr(name, 7)");
    await run("update bundle_members set position = -position - 1");
  };
}

/** Masks what differs between two resellers that send the same request. */
async function comparable({ id }: ResellerWorld, text: string, fields: object): Promise<string> {
  const rows = await world.db.query(
    sql<{ id: number; key: string; instance: number | null }>(
      `select id, key, bundle_instance_id as instance from licenses where reseller_id = $1 order by id`,
    ),
    [id],
  );
  const names = new Map<string, string>();
  for (const [position, { id: licenseId, key, instance }] of rows.entries()) {
    names.set(`"license_id":${licenseId}`, `"license_id":<license ${position}>`);
    names.set(key, `<key ${position}>`);
    if (instance !== null) names.set(`"bundle_instance_id":${instance}`, `"bundle_instance_id":<instance>`);
  }
  for (const [name, value] of Object.entries(fields)) {
    if (/ip/.test(name)) names.set(String(value), `<${name}>`);
  }
  const old = /"old_ip":"([^"]+)"/.exec(text)?.[1];
  if (old) names.set(old, "<old_ip>");
  return [...names].reduce((shown, [from, to]) => shown.replaceAll(from, to), text);
}

const states = async (reseller: ResellerWorld) => (await reseller.operations()).map(({ state }) => state);
const settle = () => reconcileOperations(world.operator, { early: true });

test("every endpoint that starts an operation is requested here", () => {
  const direct = /^(diagnostics|events|webhook_endpoints)\.|\.set_(?:auto_renew|labels)$/;
  const writing = [...endpoints.values()].filter(({ acceptsKey, name }) => acceptsKey && !direct.test(name));
  expect(writing.map(({ name }) => name).toSorted()).toEqual(Object.keys(requests).toSorted());
});

test("the replay of a settled update leaves the tags that were set since then (contract 1.11)", async () => {
  const reseller = await world.reseller();
  const { licenseId, licenseKey } = await reseller.register();
  const fields = { license_key: licenseKey, ip_address: world.freshIp(), tags: "first" };
  const key = randomUUID();
  const first = await send(askedThrough(reseller, silent), "license.update", fields, key);
  expect(first.status).toBe(202);
  await settle();
  await setLicenseLabels(reseller.context(), { licenseId, change: { tags: ["newer"] } });
  expect(await send(reseller.context(), "license.update", fields, key)).toMatchObject({ status: 200, replayed: true });
  const text = "select tags from licenses where id = $1";
  expect(await world.db.query(sql<{ tags: string[] }>(text), [licenseId])).toEqual([{ tags: ["newer"] }]);
});

describe.each(Object.entries(requests))("%s (contract 1.11)", (name, prepare) => {
  test("a 202 is replayed while the outcome is open, then becomes what the first response would have been", async () => {
    const [reseller, twin] = [await world.reseller(), await world.reseller()];
    const fields = await prepare(reseller);
    const twinFields = await prepare(twin);
    const key = randomUUID();
    const first = await send(askedThrough(reseller, silent), name, fields, key);
    expect(first).toMatchObject({ status: 202, replayed: false });
    const again = () => send(reseller.context(), name, fields, key);
    expect(await again()).toEqual({ ...first, replayed: true });
    const direct = await send(twin.context(), name, twinFields);
    expect(direct).toMatchObject({ status: 200, replayed: false });
    const expected = await comparable(twin, direct.text, twinFields);

    await settle();
    const before = await states(reseller);
    expect(before.at(-1)).toBe("succeeded");
    const restore = await changeEverything(reseller);
    try {
      const settled = await again();
      expect(settled).toMatchObject({ status: 200, replayed: true });
      expect(await comparable(reseller, settled.text, fields)).toBe(expected);
      expect(await again()).toEqual(settled);
      expect(await states(reseller)).toEqual(before);
    } finally {
      await restore();
    }
  });

  test("a 202 that stays open for days starts nothing again, nor does its outcome for another day", async () => {
    const reseller = await world.reseller();
    const fields = await prepare(reseller);
    const key = randomUUID();
    const again = () => send(reseller.context(), name, fields, key);
    const first = await send(askedThrough(reseller, silent), name, fields, key);
    const age = "update idempotency_records set created_at = created_at - interval '3 days' where key = $1";
    await world.db.query(sql(age), [key]);
    await pruneOldRecords(world.operator);
    expect(await again()).toEqual({ ...first, replayed: true });
    await settle();
    await pruneOldRecords(world.operator);
    const before = await states(reseller);
    const settled = await again();
    expect(settled).toMatchObject({ status: 200, replayed: true });
    expect(await again()).toEqual(settled);
    expect(await states(reseller)).toEqual(before);
    const end = "update operations set settled_at = now() - interval '25 hours' where reseller_id = $1";
    await world.db.query(sql(end), [reseller.id]);
    expect(await pruneOldRecords(world.operator)).toMatchObject({ idempotencyRecords: 1 });
  });

  test("a 202 whose operation was rejected is replayed as the error, and nothing starts again", async () => {
    const reseller = await world.reseller();
    const fields = await prepare(reseller);
    const key = randomUUID();
    const first = await send(askedThrough(reseller, deaf), name, fields, key);
    expect(first.status).toBe(202);
    await settle();
    const before = await states(reseller);
    expect(before.at(-1)).toBe("rejected");
    const refusal = await send(reseller.context(), name, fields, key);
    expect(refusal).toMatchObject({ status: 400, replayed: true });
    expect(JSON.parse(refusal.text)).toMatchObject({ error: true, message: expect.any(String) });
    expect(await send(reseller.context(), name, fields, key)).toEqual(refusal);
    expect(await states(reseller)).toEqual(before);
  });
});
