import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { changeLicenseCores } from "#lib/services/license/change-core.ts";
import { changeLicenseIp } from "#lib/services/license/change-ip.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { suspendLicense } from "#lib/services/license/suspend.ts";
import { unsuspendLicense } from "#lib/services/license/unsuspend.ts";
import { clearRehearsed, codeOf, ip, placeLicense, rehearsed } from "#tests/support/faults.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { reconcileOperations } from "./reconcile.ts";

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

interface Verb {
  readonly rejection: string;
  readonly event: string;
  /** Minor units that success charges. */
  readonly price: bigint;
  readonly prepare?: (licenseId: number) => Promise<unknown>;
  readonly run: (licenseId: number, address: string) => Promise<unknown>;
  /** Whether the license shows the change. */
  readonly done: (license: Awaited<ReturnType<ResellerWorld["license"]>>, address: string) => boolean;
}

const verbs: Record<string, Verb> = {
  renew: {
    rejection: "provider_rejected",
    event: "license.renewed",
    price: 1800n,
    run: (licenseId) => renewLicense(reseller.context(), { licenseId }),
    done: ({ expiresAt }) => expiresAt.toISOString() === "2027-05-10T12:00:00.000Z",
  },
  change_ip: {
    rejection: "ip_change_rejected",
    event: "license.ip_changed",
    price: 0n,
    run: (licenseId, address) => changeLicenseIp(reseller.context(), { licenseId, newIp: ip(address) }),
    done: ({ ipAddress }, address) => ipAddress === address,
  },
  change_core: {
    rejection: "core_change_rejected",
    event: "license.cores_changed",
    price: 1950n,
    run: (licenseId) => changeLicenseCores(reseller.context(), { licenseId, cores: 4 }),
    done: ({ cores }) => cores === 4,
  },
  suspend: {
    rejection: "provider_rejected",
    event: "license.suspended",
    price: 0n,
    run: (licenseId) => suspendLicense(reseller.context(), { licenseId, reason: "unpaid" }),
    done: ({ suspendedAt }) => suspendedAt !== null,
  },
  unsuspend: {
    rejection: "provider_rejected",
    event: "license.unsuspended",
    price: 0n,
    prepare: (licenseId) => suspendLicense(reseller.context(), { licenseId }),
    run: (licenseId) => unsuspendLicense(reseller.context(), { licenseId }),
    done: ({ suspendedAt }) => suspendedAt === null,
  },
};

/** Registers a metered license, and moves it to the rehearsed address unless the verb does. */
async function prepare(name: string, verb: Verb, address: string) {
  const { licenseId } = await reseller.register({ type: "web_server" });
  await verb.prepare?.(licenseId);
  if (name !== "change_ip") await placeLicense(world, licenseId, address);
  return { licenseId, before: await reseller.license(licenseId), funds: await reseller.spendable() };
}

describe.each(Object.entries(verbs))("license.%s", (name, verb) => {
  test("a rejection has its own code and changes neither license nor wallet nor provider", async () => {
    const { licenseId, before, funds } = await prepare(name, verb, rehearsed.rejects);
    const books = await world.books();
    expect(await codeOf(verb.run(licenseId, rehearsed.rejects))).toBe(verb.rejection);
    const { version: _, ...unchanged } = before;
    expect(await reseller.license(licenseId)).toMatchObject(unchanged);
    expect(await reseller.wallet()).toMatchObject({ held: 0n, posted: funds });
    expect(await world.books()).toEqual(books);
    expect(await reseller.eventKinds()).not.toContain(verb.event);
  });

  test("an unreachable provider is PROVIDER_UNAVAILABLE, holds nothing and emits nothing (contract 3.13)", async () => {
    const { licenseId, before, funds } = await prepare(name, verb, rehearsed.refusesConnection);
    expect(await codeOf(verb.run(licenseId, rehearsed.refusesConnection))).toBe("provider_unavailable");
    const { version: _, ...unchanged } = before;
    expect(await reseller.license(licenseId)).toMatchObject(unchanged);
    expect(await reseller.wallet()).toMatchObject({ held: 0n, posted: funds, pendingCount: 0 });
    expect(await reseller.eventKinds()).not.toContain("license.renewal_failed");
  });

  test.each([
    ["an answer that never arrives", rehearsed.losesAnswer, true],
    ["an answer after the time-out", rehearsed.answersLate, true],
    ["an unreadable answer", rehearsed.garblesAnswer, true],
    ["a request that never arrives", rehearsed.losesRequest, false],
  ])(
    "%s is pending with the money held, and reconciling settles it once (contract 3.11)",
    async (_, address, happened) => {
      const { licenseId, before, funds } = await prepare(name, verb, address);
      await verb.run(licenseId, address);
      const { version: _version, openOperationId: _open, ...unchanged } = before;
      expect(await reseller.license(licenseId)).toMatchObject(unchanged);
      expect(await reseller.wallet()).toMatchObject({ held: verb.price, posted: funds });
      expect(await codeOf(renewLicense(reseller.context(), { licenseId }))).toBe("operation_in_progress");

      const summary = await reconcileOperations(world.operator, { early: true });
      expect(summary).toEqual({ asked: 1, succeeded: happened ? 1 : 0, rejected: happened ? 0 : 1, stillOpen: 0 });
      expect(verb.done(await reseller.license(licenseId), address)).toBe(happened);
      expect(await reseller.wallet()).toMatchObject({ held: 0n, posted: funds - (happened ? verb.price : 0n) });
      const kinds = await reseller.eventKinds();
      expect(kinds.filter((kind) => kind === verb.event)).toHaveLength(happened ? 1 : 0);
      expect(kinds.at(-1)).toBe("operation.settled");
      expect(await reseller.difference()).toBeNull();
      expect(await reconcileOperations(world.operator, { early: true })).toMatchObject({ asked: 0 });
    },
  );

  test("a success is charged once and emits one event", async () => {
    const address = world.freshIp();
    const { licenseId, funds } = await prepare(name, verb, address);
    await verb.run(licenseId, address);
    expect(verb.done(await reseller.license(licenseId), address)).toBe(true);
    expect(await reseller.wallet()).toMatchObject({ held: 0n, posted: funds - verb.price });
    expect((await reseller.eventKinds()).filter((kind) => kind === verb.event)).toHaveLength(1);
    expect(await reseller.difference()).toBeNull();
  });
});
