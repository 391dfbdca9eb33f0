import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { changeBundleIp } from "#lib/services/bundle/change-ip.ts";
import { getBundleInstance } from "#lib/services/bundle/get.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { claimKey } from "#lib/services/idempotency/claim.ts";
import { versionOf } from "#lib/services/operation/seen-version.ts";
import { clearRehearsed, codeOf, ip, rehearsed } from "#tests/support/faults.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { changeLicenseCores } from "./change-core.ts";
import { changeLicenseIp } from "./change-ip.ts";
import { quoteCoreChange } from "./quote-core-change.ts";
import { renewLicense } from "./renew.ts";
import { setLicenseNotes } from "./set-notes.ts";

let world: World;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  world.setClock("2027-04-01T00:00:00Z");
  await clearRehearsed(world);
  reseller = await world.reseller();
});
afterAll(() => world.close());

const seen = (seenVersion: string) => reseller.context({ seenVersion });

describe("a change from an outdated page", () => {
  test("sends and charges nothing; from the current page it succeeds", async () => {
    const { licenseId } = await reseller.register();
    const stale = versionOf([await reseller.license(licenseId)]);
    await setLicenseNotes(reseller.context(), { licenseId, notes: "somebody else was here" });
    const money = await reseller.spendable();
    const operations = (await reseller.operations()).length;
    expect(await codeOf(renewLicense(seen(stale), { licenseId }))).toBe("changed_meanwhile");
    expect(await codeOf(changeLicenseIp(seen(stale), { licenseId, newIp: world.freshIp() }))).toBe("changed_meanwhile");
    expect(await codeOf(setLicenseNotes(seen(stale), { licenseId, notes: "mine" }))).toBe("changed_meanwhile");
    expect(await reseller.spendable()).toBe(money);
    expect(await reseller.operations()).toHaveLength(operations);
    const present = versionOf([await reseller.license(licenseId)]);
    expect(await setLicenseNotes(seen(present), { licenseId, notes: "mine" })).toMatchObject({ notes: "mine" });
  });

  test("of a bundle is rejected if one of its licenses has changed", async () => {
    const { bundleId, cycleId } = await world.bundleOffer(reseller.id);
    const ipAddress = world.freshIp();
    const { instance } = await registerBundle(reseller.context(), { bundleId, cycleId, ipAddress });
    const stale = versionOf(instance.members);
    const bundleInstanceId = instance.id;
    const member = instance.members.at(-1);
    if (!member) throw new Error("a bundle without members");
    await setLicenseNotes(reseller.context(), { licenseId: member.id, notes: "new" });
    const move = (version: string) => changeBundleIp(seen(version), { bundleInstanceId, newIp: world.freshIp() });
    expect(await codeOf(move(stale))).toBe("changed_meanwhile");
    const { members } = await getBundleInstance(reseller.context(), { bundleInstanceId });
    expect(await move(versionOf(members))).toMatchObject({ providerStatus: "updated" });
  });

  test("repeated with its idempotency key returns its own outcome", async () => {
    const { licenseId } = await reseller.register();
    const key = randomUUID();
    const seenVersion = versionOf([await reseller.license(licenseId)]);
    const send = async () => {
      const claim = await claimKey(reseller.context({ seenVersion }), { key, requestHash: Buffer.alloc(32) });
      if (claim.kind === "answered") return expect.unreachable();
      return changeLicenseIp(claim.ctx, { licenseId, newIp: ip(rehearsed.losesAnswer) });
    };
    expect(await send()).toMatchObject({ providerStatus: "pending" });
    await world.crash();
    expect(await send()).toMatchObject({ providerStatus: "updated" });
  });
});

describe("the quote of a change of cores", () => {
  test("has the price of the change and the new renewal price", async () => {
    const { licenseId } = await reseller.register({ type: "web_server" });
    world.setClock("2027-04-16T00:00:00Z");
    const quote = await quoteCoreChange(reseller.context(), { licenseId, cores: 4 });
    expect(quote).toMatchObject({ oldCores: 1, newCores: 4, price: 975n, renewalChange: 1950n, renewalPrice: 3750n });
    expect(await changeLicenseCores(reseller.context(), { licenseId, cores: 4 })).toMatchObject({ price: quote.price });
    expect(await renewLicense(reseller.context(), { licenseId })).toMatchObject({ operation: { price: 3750n } });
    expect(await quoteCoreChange(reseller.context(), { licenseId, cores: 1 })).toMatchObject({ renewalPrice: 1800n });
  });

  test("is rejected where the change would be", async () => {
    const unmetered = await reseller.register({ type: "control_panel" });
    const quote = (licenseId: number) => quoteCoreChange(reseller.context(), { licenseId, cores: 2 });
    expect(await codeOf(quote(unmetered.licenseId))).toBe("not_core_metered");
    const { licenseId, expiresAt } = await reseller.register({ type: "web_server" });
    world.setClock(expiresAt);
    expect(await codeOf(quote(licenseId))).toBe("state_invalid");
  });
});
