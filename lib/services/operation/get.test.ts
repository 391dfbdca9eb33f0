import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { OperationId } from "#lib/domain/ids.ts";
import type { Scope } from "#lib/domain/scopes.ts";
import { changeBundleIp } from "#lib/services/bundle/change-ip.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { pruneOldRecords } from "#lib/services/retention/prune.ts";
import { actors } from "#tests/support/actors.ts";
import { clearRehearsed, codeOf, ip, rehearsed } from "#tests/support/faults.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { getOperation } from "./get.ts";
import { reconcileOperations } from "./reconcile.ts";

const DAY_MS = 86_400_000;

let world: World;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  await clearRehearsed(world);
  reseller = await world.reseller();
});
afterAll(() => world.close());

const read = (id: string, scopes?: readonly Scope[]) =>
  getOperation(world.context(actors.apiKey(reseller.id, scopes)), { operationId: id as OperationId });

async function newBundle() {
  const { bundleId, cycleId } = await world.bundleOffer(reseller.id);
  return registerBundle(reseller.context(), { bundleId, cycleId, ipAddress: world.freshIp() });
}

describe("operation.info (contract 3.11)", () => {
  test("shows an operation while open, and its outcome", async () => {
    const { operation, licenseId } = await reseller.register({ ip: rehearsed.losesAnswer });
    expect(await read(operation.id)).toMatchObject({ state: "unknown", license_id: licenseId, settled_at: null });
    await reconcileOperations(world.operator, { early: true });
    expect(await read(operation.id)).toMatchObject({
      kind: "license_register",
      state: "succeeded",
      license_id: licenseId,
      bundle_instance_id: null,
      price: 1450n,
      currency: "USD",
      settled_at: world.now(),
    });
  });

  test("shows rejected operations for at least 90 days, also when they left nothing else", async () => {
    expect(await codeOf(reseller.register({ ip: rehearsed.rejects }))).toBe("registration_rejected");
    const lost = await reseller.register({ ip: rehearsed.losesRequest });
    await reconcileOperations(world.operator, { early: true });
    const ids = (await reseller.operations()).map(({ id }) => id);
    expect(ids).toContain(lost.operation.id);
    world.advance(90 * DAY_MS);
    await pruneOldRecords(world.operator);
    const kept = await Promise.all(ids.map((id) => read(id)));
    expect(kept.map(({ state }) => state)).toEqual(["rejected", "rejected"]);
    expect(kept.map(({ failure_message }) => failure_message)).toEqual([
      "The provider rejected this address.",
      "The provider never received the request.",
    ]);
    expect(kept[1]).toMatchObject({ license_id: lost.licenseId });
  });

  test("requires licenses:read for operations of licenses, bundles:read for those of bundles", async () => {
    const license = await reseller.register();
    const { operation, instance } = await newBundle();
    const newIp = ip(world.freshIp());
    const { operationId } = await changeBundleIp(reseller.context(), { bundleInstanceId: instance.id, newIp });
    const renewal = await renewLicense(reseller.context(), { licenseId: license.licenseId });
    const own = {
      licenses: [license.operation.id, renewal.operation.id],
      bundles: [operation.id, String(operationId)],
    };
    for (const [scope, shown, hidden] of [
      ["licenses:read", own.licenses, own.bundles],
      ["bundles:read", own.bundles, own.licenses],
    ] as const) {
      for (const id of shown) expect(await read(id, [scope])).toMatchObject({ id });
      for (const id of hidden) expect(await codeOf(read(id, [scope]))).toBe("operation_not_found");
    }
    expect(await codeOf(read(operation.id, ["licenses:write", "bundles:write"]))).toBe("permission_denied");
  });
});
