import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { reconcileOperations } from "#lib/services/operation/reconcile.ts";
import { sql } from "#tests/sql.ts";
import { clearRehearsed, codeOf, ip, rehearsed } from "#tests/support/faults.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { changeLicenseIp } from "./change-ip.ts";
import { renewLicense } from "./renew.ts";

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

const move = (licenseId: number, newIp: string) => changeLicenseIp(reseller.context(), { licenseId, newIp: ip(newIp) });

describe("at most one live license of a product on an address (contract 3.3)", () => {
  test("a second registration is rejected before sending or holding, whichever reseller has the first", async () => {
    const address = world.freshIp();
    await reseller.register({ ip: address });
    const books = await world.books();
    const other = await world.reseller();
    expect(await codeOf(reseller.register({ ip: address }))).toBe("registration_address_taken");
    expect(await codeOf(other.register({ ip: address }))).toBe("registration_address_taken");
    expect(await world.books()).toEqual(books);
    expect(await other.wallet()).toMatchObject({ held: 0n, posted: 100_000n });
  });

  test("a license of another product can share the address", async () => {
    const address = world.freshIp();
    await reseller.register({ ip: address, type: "control_panel" });
    await expect(reseller.register({ ip: address, type: "hardened_kernel" })).resolves.toMatchObject({
      pending: false,
    });
  });

  test("a license with an unknown outcome counts, as it may be live", async () => {
    await reseller.register({ ip: rehearsed.losesAnswer });
    expect(await codeOf(reseller.register({ ip: rehearsed.losesAnswer }))).toBe("registration_address_taken");
  });

  test("a rejected registration does not count", async () => {
    await reseller.register({ ip: rehearsed.losesRequest });
    await reconcileOperations(world.operator, { early: true });
    await expect(reseller.register({ ip: rehearsed.losesRequest })).resolves.toMatchObject({ pending: true });
    await reconcileOperations(world.operator, { early: true });
  });

  test("an expired license does not count from the instant of its end, and cannot renew beside its successor", async () => {
    const address = world.freshIp();
    const old = await reseller.register({ ip: address });
    world.setClock(new Date(old.expiresAt.getTime() - 1));
    expect(await codeOf(reseller.register({ ip: address }))).toBe("registration_address_taken");
    world.setClock(old.expiresAt);
    await reseller.register({ ip: address });
    expect(await codeOf(renewLicense(reseller.context(), { licenseId: old.licenseId }))).toBe("state_invalid");
    expect(await reseller.wallet()).toMatchObject({ held: 0n, posted: 100_000n - 2n * 1450n });
  });

  test("a terminated license does not count", async () => {
    const address = world.freshIp();
    const { licenseId } = await reseller.register({ ip: address });
    const text = "update licenses set terminated_at = $2 where id = $1";
    await world.db.query(sql(text), [licenseId, world.now()]);
    await expect(reseller.register({ ip: address })).resolves.toMatchObject({ pending: false });
  });

  test("a suspended license counts", async () => {
    const address = world.freshIp();
    const { licenseId } = await reseller.register({ ip: address });
    const text = "update licenses set suspended_at = $2, suspended_by = 'reseller' where id = $1";
    await world.db.query(sql(text), [licenseId, world.now()]);
    expect(await codeOf(reseller.register({ ip: address }))).toBe("registration_address_taken");
  });
});

describe("license.change_ip (contract 3.5)", () => {
  test("the same address is unchanged: nothing is sent, held or emitted", async () => {
    const address = world.freshIp();
    const { licenseId } = await reseller.register({ ip: address });
    const events = await reseller.eventKinds();
    expect(await move(licenseId, address)).toEqual({
      licenseId,
      oldIp: address,
      newIp: address,
      providerStatus: "unchanged",
      operationId: null,
      settledAt: null,
    });
    expect(await reseller.operations()).toHaveLength(1);
    expect(await reseller.eventKinds()).toEqual(events);
  });

  test("frees the old address and takes the new one", async () => {
    const [first, second] = [world.freshIp(), world.freshIp()];
    const { licenseId } = await reseller.register({ ip: first });
    expect(await move(licenseId, second)).toMatchObject({ oldIp: first, newIp: second, providerStatus: "updated" });
    expect(await codeOf(reseller.register({ ip: second }))).toBe("registration_address_taken");
    await expect(reseller.register({ ip: first })).resolves.toMatchObject({ pending: false });
  });

  test("an address that has the product is rejected before sending", async () => {
    const [first, second] = [world.freshIp(), world.freshIp()];
    await reseller.register({ ip: first });
    const { licenseId } = await reseller.register({ ip: second });
    const books = await world.books();
    expect(await codeOf(move(licenseId, first))).toBe("ip_change_address_taken");
    expect(await world.books()).toEqual(books);
  });

  test("an expired license moves only to an address where it could be renewed (contract 3.5)", async () => {
    const home = world.freshIp();
    const old = await reseller.register({ ip: home });
    world.setClock(old.expiresAt);
    await reseller.register({ ip: home });
    const taken = world.freshIp();
    await reseller.register({ ip: taken });
    expect(await codeOf(renewLicense(reseller.context(), { licenseId: old.licenseId }))).toBe("state_invalid");
    expect(await codeOf(move(old.licenseId, taken))).toBe("ip_change_address_taken");
    const free = world.freshIp();
    expect(await move(old.licenseId, free)).toMatchObject({ providerStatus: "updated", oldIp: home, newIp: free });
    // It claims the address only once it is renewed.
    const guest = await reseller.register({ ip: free });
    await move(guest.licenseId, world.freshIp());
    await renewLicense(reseller.context(), { licenseId: old.licenseId });
    expect(await codeOf(reseller.register({ ip: free }))).toBe("registration_address_taken");
  });

  test("a license can move to the address of an expired one, move back, and renew there", async () => {
    const { licenseId } = await reseller.register({ months: 12 });
    const from = (await reseller.license(licenseId)).ipAddress;
    const address = world.freshIp();
    const earlier = await reseller.register({ ip: address });
    world.setClock(earlier.expiresAt);
    await move(licenseId, address);
    await renewLicense(reseller.context(), { licenseId });
    expect(await codeOf(renewLicense(reseller.context(), { licenseId: earlier.licenseId }))).toBe("state_invalid");
    await move(licenseId, from);
    await renewLicense(reseller.context(), { licenseId: earlier.licenseId });
    expect(await codeOf(move(licenseId, address))).toBe("ip_change_address_taken");
  });

  test("an unknown outcome claims both addresses until it is settled", async () => {
    const home = world.freshIp();
    const { licenseId } = await reseller.register({ ip: home });
    expect(await move(licenseId, rehearsed.losesAnswer)).toMatchObject({ providerStatus: "pending" });
    expect(await codeOf(reseller.register({ ip: home }))).toBe("registration_address_taken");
    expect(await codeOf(reseller.register({ ip: rehearsed.losesAnswer }))).toBe("registration_address_taken");
    await reconcileOperations(world.operator, { early: true });
    await expect(reseller.register({ ip: home })).resolves.toMatchObject({ pending: false });
    expect(await codeOf(reseller.register({ ip: rehearsed.losesAnswer }))).toBe("registration_address_taken");
  });
});

describe("races for one address end with one license there", () => {
  const liveAt = async (address: string) =>
    (await world.books()).filter((entry) => entry.ipAddress === address && entry.state !== "terminated");

  test.each([1, 2, 3])("concurrent registrations and changes of IP (round %i)", async () => {
    const address = world.freshIp();
    const movers = await Promise.all([1, 2, 3].map(() => reseller.register()));
    const outcomes = await Promise.allSettled([
      ...movers.map(({ licenseId }) => move(licenseId, address)),
      ...[1, 2, 3].map(() => reseller.register({ ip: address })),
    ]);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === "rejected")
        expect(outcome.reason.code).toMatch(/^(registration|ip_change)_address_taken$/);
    }
    expect(await liveAt(address)).toHaveLength(1);
    expect(await reseller.difference()).toBeNull();
  });

  test("bundles and licenses that share products never deadlock", async () => {
    const address = world.freshIp();
    const offers = await Promise.all([
      world.bundleOffer(reseller.id, "Performance Server"),
      world.bundleOffer(reseller.id, "Shared Hosting Essentials"),
    ]);
    const outcomes = await Promise.allSettled([
      ...offers.map(({ bundleId, cycleId }) =>
        registerBundle(reseller.context(), { bundleId, cycleId, ipAddress: address }),
      ),
      reseller.register({ ip: address, type: "backup_agent" }),
      reseller.register({ ip: address, type: "control_panel" }),
    ]);
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") expect(outcome.reason.code).toBe("registration_address_taken");
    }
    const products = (await liveAt(address)).map(({ product }) => product);
    expect(new Set(products).size).toBe(products.length);
    expect(await reseller.difference()).toBeNull();
  });
});
