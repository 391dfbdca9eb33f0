import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Database } from "#lib/db/connection/client.ts";
import { withQuery } from "#lib/db/connection/with-query.ts";
import { deriveLicenseStatus } from "#lib/domain/license-status.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { sql } from "#tests/sql.ts";
import { clearRehearsed, codeOf, rehearsed } from "#tests/support/faults.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { changeLicenseCores } from "./change-core.ts";
import { changeLicenseIp } from "./change-ip.ts";
import { renewLicense } from "./renew.ts";
import { suspendLicense } from "./suspend.ts";
import { unsuspendLicense } from "./unsuspend.ts";

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

const inBooks = async (key: string) => (await world.books()).find(({ reference }) => reference === key)?.state;

describe("license.suspend and license.unsuspend (contract 1.15, 3.7)", () => {
  test("switch between active and suspended, here and at the provider, with the reason", async () => {
    const { licenseId, licenseKey } = await reseller.register();
    const suspended = await suspendLicense(reseller.context(), { licenseId, reason: "unpaid" });
    expect(suspended).toMatchObject({
      providerStatus: "updated",
      status: "suspended",
      reason: "unpaid",
      suspendedAt: world.now(),
    });
    expect(await reseller.license(licenseId)).toMatchObject({
      suspensionReason: "unpaid",
      suspendedBy: "reseller",
      suspendedAt: world.now(),
    });
    expect(await inBooks(licenseKey)).toBe("suspended");
    const lifted = await unsuspendLicense(reseller.context(), { licenseId });
    expect(lifted).toMatchObject({ providerStatus: "updated", status: "active" });
    const license = await reseller.license(licenseId);
    expect(license).toMatchObject({ suspensionReason: "", suspendedBy: null, suspendedAt: null });
    expect(await inBooks(licenseKey)).toBe("active");
    expect(await reseller.eventKinds()).toEqual(["license.activated", "license.suspended", "license.unsuspended"]);
  });

  test("repeating a change has no effect and emits nothing", async () => {
    const { licenseId } = await reseller.register();
    expect(await unsuspendLicense(reseller.context(), { licenseId })).toMatchObject({ providerStatus: "unchanged" });
    await suspendLicense(reseller.context(), { licenseId, reason: "first" });
    const again = await suspendLicense(reseller.context(), { licenseId, reason: "second" });
    expect(again).toMatchObject({ providerStatus: "unchanged", reason: "first" });
    expect(await reseller.eventKinds()).toEqual(["license.activated", "license.suspended"]);
  });

  test("an unchanged suspension reports the status that it found, even if that changes meanwhile", async () => {
    const { licenseId } = await reseller.register();
    const meanwhile = (change: typeof unsuspendLicense): ServiceContext => {
      let isFirst = true;
      const query: Database["query"] = async (...statement) => {
        const rows = await world.db.query(...statement);
        if (isFirst) {
          isFirst = false;
          await change(reseller.context(), { licenseId });
        }
        return rows;
      };
      return { ...reseller.context(), db: withQuery(world.db, query) };
    };
    await suspendLicense(reseller.context(), { licenseId, reason: "unpaid" });
    expect(await suspendLicense(meanwhile(unsuspendLicense), { licenseId })).toMatchObject({
      providerStatus: "unchanged",
      status: "suspended",
      reason: "unpaid",
    });
    expect(await unsuspendLicense(meanwhile(suspendLicense), { licenseId })).toMatchObject({
      providerStatus: "unchanged",
      status: "active",
    });
  });

  test("only an admin can lift an admin's suspension", async () => {
    const { licenseId } = await reseller.register();
    await suspendLicense(reseller.admin(), { licenseId, reason: "abuse" });
    expect((await reseller.license(licenseId)).suspendedBy).toBe("admin");
    expect(await codeOf(unsuspendLicense(reseller.context(), { licenseId }))).toBe("permission_denied");
    expect(await unsuspendLicense(reseller.admin(), { licenseId })).toMatchObject({ providerStatus: "updated" });
  });

  test("a reseller cannot turn an admin's suspension into its own by suspending again", async () => {
    const { licenseId } = await reseller.register();
    await suspendLicense(reseller.admin(), { licenseId, reason: "abuse" });
    await suspendLicense(reseller.context(), { licenseId, reason: "mine" });
    expect(await reseller.license(licenseId)).toMatchObject({ suspendedBy: "admin", suspensionReason: "abuse" });
  });
});

describe("every cell of the table of moves (docs/decisions/0003)", () => {
  const states = {
    pending: async () => (await reseller.register({ type: "web_server", ip: rehearsed.losesAnswer })).licenseId,
    active: async () => (await reseller.register({ type: "web_server" })).licenseId,
    suspended: async () => {
      const licenseId = await states.active();
      await suspendLicense(reseller.context(), { licenseId });
      return licenseId;
    },
    expired: async () => {
      const { licenseId, expiresAt } = await reseller.register({ type: "web_server" });
      world.setClock(expiresAt);
      return licenseId;
    },
    "suspended and past its end": async () => {
      const licenseId = await states.suspended();
      world.setClock((await reseller.license(licenseId)).expiresAt);
      return licenseId;
    },
    terminated: async () => {
      const licenseId = await states.active();
      const text = "update licenses set terminated_at = $2 where id = $1";
      await world.db.query(sql(text), [licenseId, world.now()]);
      return licenseId;
    },
  };
  const moves = {
    renew: async (licenseId: number) =>
      (await renewLicense(reseller.context(), { licenseId })).pending ? "pending" : "updated",
    change_ip: async (licenseId: number) =>
      (await changeLicenseIp(reseller.context(), { licenseId, newIp: world.freshIp() })).providerStatus,
    change_core: async (licenseId: number) =>
      (await changeLicenseCores(reseller.context(), { licenseId, cores: 2 })).providerStatus,
    suspend: async (licenseId: number) => (await suspendLicense(reseller.context(), { licenseId })).providerStatus,
    unsuspend: async (licenseId: number) => (await unsuspendLicense(reseller.context(), { licenseId })).providerStatus,
  };
  const no = "state_invalid";
  const busy = "operation_in_progress";
  const table: Record<keyof typeof states, Record<keyof typeof moves, string>> = {
    pending: { renew: busy, change_ip: busy, change_core: busy, suspend: busy, unsuspend: busy },
    active: {
      renew: "updated",
      change_ip: "updated",
      change_core: "updated",
      suspend: "updated",
      unsuspend: "unchanged",
    },
    suspended: {
      renew: "updated",
      change_ip: "updated",
      change_core: "updated",
      suspend: "unchanged",
      unsuspend: "updated",
    },
    expired: {
      renew: "updated",
      change_ip: "updated",
      change_core: no,
      suspend: "updated",
      unsuspend: "unchanged",
    },
    "suspended and past its end": {
      renew: "updated",
      change_ip: "updated",
      change_core: no,
      suspend: "unchanged",
      unsuspend: "updated",
    },
    terminated: { renew: no, change_ip: no, change_core: no, suspend: no, unsuspend: no },
  };
  const cells = Object.entries(table).flatMap(([state, row]) =>
    Object.entries(row).map(
      ([move, outcome]) => [state, move, outcome] as [keyof typeof states, keyof typeof moves, string],
    ),
  );

  test.each(cells)("%s: %s → %s", async (state, move, outcome) => {
    const licenseId = await states[state]();
    expect(await moves[move](licenseId).catch((error) => error.code)).toBe(outcome);
    if (outcome !== no && outcome !== busy) return;
    const license = await reseller.license(licenseId);
    const derived = state === "suspended and past its end" ? "suspended" : state;
    expect(deriveLicenseStatus(license, world.now())).toBe(derived);
  });
});
