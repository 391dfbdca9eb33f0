import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { reconcileOperations } from "#lib/services/operation/reconcile.ts";
import { actors } from "#tests/support/actors.ts";
import { clearRehearsed, codeOf, placeLicense, rehearsed } from "#tests/support/faults.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { renewLicense } from "./renew.ts";
import { suspendLicense } from "./suspend.ts";
import { terminateLicense } from "./terminate.ts";

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

const user = () => world.context(actors.user(reseller.id));
const terminate = (licenseId: number) => terminateLicense(user(), { licenseId });
const inBooks = async (key: string) => (await world.books()).find(({ reference }) => reference === key)?.state;

describe("license.terminate (docs/decisions/0011)", () => {
  test("ends a license here and at the provider, refunds nothing, and frees its address", async () => {
    const ip = world.freshIp();
    const { licenseId, licenseKey } = await reseller.register({ ip });
    const before = await reseller.spendable();
    expect(await terminate(licenseId)).toMatchObject({ providerStatus: "updated" });
    expect(await reseller.license(licenseId)).toMatchObject({ terminatedAt: world.now(), openOperationId: null });
    expect(await inBooks(licenseKey)).toBe("terminated");
    expect(await reseller.spendable()).toBe(before);
    expect(await reseller.eventKinds()).toEqual(["license.activated", "license.terminated"]);
    expect(await codeOf(renewLicense(reseller.context(), { licenseId }))).toBe("state_invalid");
    await reseller.register({ ip });
  });

  test("a repeated termination has no effect and emits nothing (contract 1.15)", async () => {
    const { licenseId } = await reseller.register();
    await terminate(licenseId);
    expect(await terminate(licenseId)).toEqual({ providerStatus: "unchanged", operationId: null, settledAt: null });
    expect(await reseller.eventKinds()).toEqual(["license.activated", "license.terminated"]);
  });

  test("a suspended license can be terminated by those who can lift the suspension", async () => {
    const own = await reseller.register();
    await suspendLicense(reseller.context(), { licenseId: own.licenseId });
    expect(await terminate(own.licenseId)).toMatchObject({ providerStatus: "updated" });
    const admins = await reseller.register();
    await suspendLicense(reseller.admin(), { licenseId: admins.licenseId });
    expect(await codeOf(terminate(admins.licenseId))).toBe("permission_denied");
    expect(await terminateLicense(reseller.admin(), { licenseId: admins.licenseId })).toMatchObject({
      providerStatus: "updated",
    });
  });

  test("the request says whether the license was suspended before, which then does not show that it ended", async () => {
    const execute = vi.spyOn(world.provider, "execute");
    for (const wasSuspended of [false, true]) {
      const { licenseId } = await reseller.register();
      if (wasSuspended) await suspendLicense(reseller.context(), { licenseId });
      await terminate(licenseId);
      expect(execute.mock.lastCall?.[0]).toMatchObject({ action: "terminate", wasSuspended });
    }
  });

  test("pending, expired and other resellers' licenses are rejected", async () => {
    const pending = await reseller.register({ ip: rehearsed.losesAnswer });
    expect(await codeOf(terminate(pending.licenseId))).toBe("operation_in_progress");
    const other = await (await world.reseller()).register();
    expect(await codeOf(terminate(other.licenseId))).toBe("license_not_found");
    const { licenseId, expiresAt } = await reseller.register();
    world.setClock(expiresAt);
    expect(await codeOf(terminate(licenseId))).toBe("state_invalid");
  });

  test("a rejection changes nothing; an unclear answer ends it once the provider confirms", async () => {
    const refused = await reseller.register();
    await placeLicense(world, refused.licenseId, rehearsed.rejects);
    expect(await codeOf(terminate(refused.licenseId))).toBe("provider_rejected");
    expect(await reseller.license(refused.licenseId)).toMatchObject({ terminatedAt: null, openOperationId: null });

    const unclear = await reseller.register();
    await placeLicense(world, unclear.licenseId, rehearsed.losesAnswer);
    expect(await terminate(unclear.licenseId)).toMatchObject({ providerStatus: "pending" });
    expect(await reseller.license(unclear.licenseId)).toMatchObject({ terminatedAt: null });
    await reconcileOperations(world.operator, { early: true });
    expect(await reseller.license(unclear.licenseId)).toMatchObject({ terminatedAt: world.now() });
  });
});
