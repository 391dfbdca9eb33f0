import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Database } from "#lib/db/connection/client.ts";
import { parseHostname } from "#lib/domain/hostname.ts";
import { deriveLicenseStatus } from "#lib/domain/license-status.ts";
import { setCycleRetired } from "#lib/services/catalog/set-cycle-retired.ts";
import { changeLicenseCores } from "#lib/services/license/change-core.ts";
import { changeLicenseIp } from "#lib/services/license/change-ip.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { updateLicense } from "#lib/services/license/update.ts";
import { reconcileOperations } from "#lib/services/operation/reconcile.ts";
import { sql } from "#tests/sql.ts";
import { clearRehearsed, codeOf, ip, rehearsed } from "#tests/support/faults.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { START } from "#tests/support/start.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { changeBundleIp } from "./change-ip.ts";
import { getBundleInstance } from "./get.ts";
import { quoteBundleRenewals } from "./quote-renewal.ts";
import { registerBundle } from "./register.ts";
import { renewBundle } from "./renew.ts";

let world: World;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  world.setClock(START);
  await clearRehearsed(world);
  reseller = await world.reseller();
});
afterAll(() => world.close());

/** Performance Server: control panel, web server (metered) and backup agent for 32.00 a month. */
async function register(address: string = world.freshIp(), autoRenew?: boolean) {
  const { bundleId, cycleId } = await world.bundleOffer(reseller.id);
  return registerBundle(reseller.context(), { bundleId, cycleId, ipAddress: ip(address), autoRenew });
}

const members = (bundleInstanceId: number) =>
  getBundleInstance(reseller.context(), { bundleInstanceId }).then((instance) => instance.members);

/** Entries of these licenses in the provider's books, in terms of the licenses. */
async function booksOf(keys: readonly string[]) {
  const books = await world.books();
  return books.filter(({ reference }) => keys.includes(reference));
}

async function expectBooksToAgree(bundleInstanceId: number) {
  const licenses = await members(bundleInstanceId);
  const expected = licenses.map(({ key, providerSku, ipAddress, cores }) => ({
    reference: key,
    product: providerSku,
    ipAddress,
    cores,
    state: "active",
  }));
  const books = await booksOf(licenses.map(({ key }) => key));
  expect(books).toEqual(expected.toSorted((a, b) => (a.reference < b.reference ? -1 : 1)));
}

const liveBooksAt = async (address: string) =>
  (await world.books()).filter(({ ipAddress, state }) => ipAddress === address && state !== "terminated");

describe("bundle.register (contract 3.10)", () => {
  test("registers every member on the address for the bundle's price", async () => {
    const { instance, balanceAfter } = await register();
    expect(balanceAfter).toBe(100_000n - 3200n);
    expect(instance.members.map(({ type, cores }) => [type, cores])).toEqual([
      ["control_panel", null],
      ["web_server", 1],
      ["backup_agent", null],
    ]);
    expect(await reseller.entries()).toEqual([100_000n, -3200n]);
    expect(await reseller.eventKinds()).toEqual([
      "license.activated",
      "license.activated",
      "license.activated",
      "bundle.registered",
    ]);
    await expectBooksToAgree(instance.id);
  });

  test("renews automatically from the start if that is asked for, by the bundle and not by its members", async () => {
    const stored = async ({ instance: { id } }: Awaited<ReturnType<typeof register>>) => {
      const whole = await world.db.prisma.bundleInstance.findFirstOrThrow({
        where: { id },
        include: { licenses: true },
      });
      return [whole.autoRenew, whole.agreedRenewalPrice, whole.licenses.some(({ autoRenew }) => autoRenew)];
    };
    expect(await stored(await register(world.freshIp(), true))).toEqual([true, 3200n, false]);
    expect(await stored(await register())).toEqual([false, 3200n, false]);
    // As a process of the version before automatic renewals of bundles writes it.
    const written: Database["query"] = (statement, values) =>
      world.db.query(
        statement,
        values.map((value) => (typeof value === "string" ? value.replaceAll('"auto_renew":true,', "") : value)),
      );
    const { bundleId, cycleId } = await world.bundleOffer(reseller.id);
    const ctx = { ...reseller.context(), db: { ...world.db, query: written } };
    const order = { bundleId, cycleId, ipAddress: world.freshIp(), autoRenew: true };
    expect(await stored(await registerBundle(ctx, order))).toEqual([false, 3200n, false]);
  });

  test("one member rejected: the others are reverted at the provider, and nothing is charged or left", async () => {
    expect(await codeOf(register(rehearsed.rejectsLastMember))).toBe("registration_rejected");
    expect(await liveBooksAt(rehearsed.rejectsLastMember)).toEqual([]);
    expect(await reseller.wallet()).toMatchObject({ held: 0n, posted: 100_000n, pendingCount: 0 });
    for (const table of ["licenses", "bundle_instances"]) {
      const rows = await world.db.query(sql(`select from ${table} where reseller_id = $1`), [reseller.id]);
      expect(rows).toEqual([]);
    }
  });

  test.each([rehearsed.losesAnswer, rehearsed.garblesAnswer, rehearsed.losesRequest])(
    "unknown after the first member (%s): pending and held; once asked, all of it is taken back",
    async (address) => {
      const { pending, instance } = await register(address);
      expect(pending).toBe(true);
      expect(instance.members.map((member) => deriveLicenseStatus(member, world.now()))).toEqual(
        instance.members.map(() => "pending"),
      );
      expect(await reseller.wallet()).toMatchObject({ held: 3200n, posted: 100_000n });
      const summary = await reconcileOperations(world.operator, { early: true });
      expect(summary).toMatchObject({ asked: 1, rejected: 1, stillOpen: 0 });
      expect(await reseller.wallet()).toMatchObject({ held: 0n, posted: 100_000n });
      expect(await liveBooksAt(address)).toEqual([]);
    },
  );

  test("an address with a member's product is rejected before sending, and the product is named (contract 3.3)", async () => {
    world.setClock(new Date());
    const address = world.freshIp();
    await reseller.register({ type: "backup_agent", ip: address });
    const { productId } = await world.offer(reseller.id, "backup_agent");
    const { name } = await world.db.prisma.product.findUniqueOrThrow({ where: { id: productId } });
    const { instance } = await register();
    const books = await world.books();
    const message = `The address already has a live license of ${name}.`;
    await expect(register(address)).rejects.toMatchObject({
      code: "registration_address_taken",
      message,
      details: { ip_address: message, product_id: String(productId) },
    });
    const move = changeBundleIp(reseller.context(), { bundleInstanceId: instance.id, newIp: address });
    await expect(move).rejects.toMatchObject({
      code: "ip_change_address_taken",
      message,
      details: { new_ip: message, product_id: String(productId) },
    });
    expect(await world.books()).toEqual(books);
  });
});

describe("bundle.renew (contract 3.4, 3.10)", () => {
  test("a renewal has the price, with cores, and the term of its quote", async () => {
    const { instance } = await register();
    const bundleInstanceId = instance.id;
    const [metered] = instance.members.filter(({ coreMetered }) => coreMetered);
    await changeLicenseCores(reseller.context(), { licenseId: metered?.id ?? 0, cores: 3 });
    const quotes = await quoteBundleRenewals(reseller.context(), { bundleInstanceId });
    const quote = quotes.find(({ current }) => current);
    const before = await reseller.spendable();
    const renewed = await renewBundle(reseller.context(), { bundleInstanceId });
    expect(before - renewed.balanceAfter).toBe(quote?.price);
    expect(renewed.newExpiry).toEqual(quote?.term.expiresAt);
    expect(quote?.price).toBeGreaterThan(3200n);
  });

  test("extends all members together; cores beyond the first at their product's price", async () => {
    const { instance } = await register();
    const web = instance.members[1];
    await changeLicenseCores(reseller.context(), { licenseId: Number(web?.id), cores: 3 });
    const before = await reseller.spendable();
    const { newExpiry, balanceAfter } = await renewBundle(reseller.context(), { bundleInstanceId: instance.id });
    expect(newExpiry.toISOString()).toBe("2027-05-10T12:00:00.000Z");
    expect(before - balanceAfter).toBe(3200n + 2n * 650n);
    for (const member of await members(instance.id)) expect(member.expiresAt).toEqual(newExpiry);
    await expectBooksToAgree(instance.id);
  });

  test("by a longer cycle, cores cost their product's price for as many months", async () => {
    const { instance } = await register();
    await changeLicenseCores(reseller.context(), { licenseId: Number(instance.members[1]?.id), cores: 3 });
    const { cycleId } = await world.bundleOffer(reseller.id, "Performance Server", 12);
    const before = await reseller.spendable();
    const { balanceAfter } = await renewBundle(reseller.context(), { bundleInstanceId: instance.id, cycleId });
    expect(before - balanceAfter).toBe(32_000n + 2n * 6_500n);
  });

  test("one that ends more than 25 years ahead is not renewed, and is offered no renewal (contract 3.16)", async () => {
    const { instance } = await register();
    const bundle = { bundleInstanceId: instance.id };
    const end = new Date(world.now().getTime() + 9_133 * 86_400_000);
    await world.db.prisma.bundleInstance.updateMany({ where: { id: instance.id }, data: { expiresAt: end } });
    expect(await codeOf(renewBundle(reseller.context(), bundle))).toBe("parameters_invalid");
    expect(await quoteBundleRenewals(reseller.context(), bundle)).toEqual([]);
  });

  test("another cycle becomes the current one", async () => {
    const { instance } = await register();
    const yearly = await world.bundleOffer(reseller.id, "Performance Server", 12);
    await renewBundle(reseller.context(), { bundleInstanceId: instance.id, cycleId: yearly.cycleId });
    expect(await getBundleInstance(reseller.context(), { bundleInstanceId: instance.id })).toMatchObject({
      cycleId: yearly.cycleId,
      expiresAt: new Date("2028-04-10T12:00:00Z"),
    });
    const monthly = await world.bundleOffer(reseller.id);
    const setRetired = (retired: boolean) => setCycleRetired(world.operator, { cycleId: yearly.cycleId, retired });
    await setRetired(true);
    await renewBundle(reseller.context(), { bundleInstanceId: instance.id });
    await renewBundle(reseller.context(), { bundleInstanceId: instance.id, cycleId: monthly.cycleId });
    const back = { bundleInstanceId: instance.id, cycleId: yearly.cycleId };
    expect(await codeOf(renewBundle(reseller.context(), back))).toBe("cycle_not_found");
    await setRetired(false);
    const other = await world.offer(reseller.id, "control_panel");
    const wrong = { bundleInstanceId: instance.id, cycleId: other.cycleId };
    expect(await codeOf(renewBundle(reseller.context(), wrong))).toBe("cycle_not_found");
  });
});

describe("bundle.change_ip (contract 3.10)", () => {
  test("changes the address of every member; the same address changes nothing", async () => {
    const { instance } = await register();
    const newIp = world.freshIp();
    expect(await changeBundleIp(reseller.context(), { bundleInstanceId: instance.id, newIp })).toMatchObject({
      providerStatus: "updated",
      oldIp: instance.ipAddress,
      newIp,
      currency: "USD",
      balanceAfter: await reseller.spendable(),
    });
    for (const member of await members(instance.id)) expect(member.ipAddress).toBe(newIp);
    await expectBooksToAgree(instance.id);
    const again = await changeBundleIp(reseller.context(), { bundleInstanceId: instance.id, newIp });
    expect(again).toMatchObject({
      providerStatus: "unchanged",
      operationId: null,
      balanceAfter: await reseller.spendable(),
    });
  });

  test("moves an expired bundle, whose address may be taken, to one where it can be renewed (contract 3.5)", async () => {
    const { instance } = await register();
    world.setClock(instance.expiresAt);
    await reseller.register({ ip: instance.ipAddress });
    const move = { bundleInstanceId: instance.id, newIp: world.freshIp() };
    expect(await codeOf(renewBundle(reseller.context(), move))).toBe("state_invalid");
    expect(await changeBundleIp(reseller.context(), move)).toMatchObject({ providerStatus: "updated" });
    await renewBundle(reseller.context(), move);
    await expectBooksToAgree(instance.id);
  });

  test("the last member rejected: the others are moved back, at the provider too", async () => {
    const { instance } = await register();
    const move = { bundleInstanceId: instance.id, newIp: ip(rehearsed.rejectsLastMember) };
    expect(await codeOf(changeBundleIp(reseller.context(), move))).toBe("ip_change_rejected");
    for (const member of await members(instance.id)) expect(member.ipAddress).toBe(instance.ipAddress);
    await expectBooksToAgree(instance.id);
  });

  test.each([rehearsed.losesAnswer, rehearsed.losesRequest])(
    "unknown (%s): pending; once asked, all members are where they were",
    async (address) => {
      const { instance } = await register();
      const move = { bundleInstanceId: instance.id, newIp: ip(address) };
      expect(await changeBundleIp(reseller.context(), move)).toMatchObject({ providerStatus: "pending" });
      expect(await codeOf(renewBundle(reseller.context(), move))).toBe("operation_in_progress");
      await reconcileOperations(world.operator, { early: true });
      for (const member of await members(instance.id)) expect(member.ipAddress).toBe(instance.ipAddress);
      await expectBooksToAgree(instance.id);
    },
  );
});

test("a cycle that does not exist takes precedence over the bundle's state (contract 1.3)", async () => {
  const { instance } = await register();
  await world.db.query(sql("update bundle_instances set terminated_at = now() where id = $1"), [instance.id]);
  const renew = (cycleId?: number) =>
    codeOf(renewBundle(reseller.context(), { bundleInstanceId: instance.id, cycleId }));
  expect(await renew(2_000_000_000)).toBe("cycle_not_found");
  expect(await renew()).toBe("state_invalid");
});

test("a member cannot be moved or renewed alone (contract 3.4, 3.5)", async () => {
  const { instance } = await register();
  const licenseId = Number(instance.members[0]?.id);
  const ctx = reseller.context();
  expect(await codeOf(changeLicenseIp(ctx, { licenseId, newIp: world.freshIp() }))).toBe("ip_change_bundle_member");
  const own = ip(instance.ipAddress);
  expect(await changeLicenseIp(ctx, { licenseId, newIp: own })).toMatchObject({ providerStatus: "unchanged" });
  expect(await codeOf(renewLicense(ctx, { licenseId }))).toBe("state_invalid");
});

test("an update of a member with its own address sets the host name (contract 2.3)", async () => {
  const { instance } = await register();
  const licenseId = Number(instance.members[0]?.id);
  const { key: licenseKey } = await reseller.license(licenseId);
  const hostname = parseHostname("web1.example.com") ?? undefined;
  await updateLicense(reseller.context(), { licenseKey, hostname, ipAddress: ip(instance.ipAddress) });
  expect(await reseller.license(licenseId)).toMatchObject({ hostname: "web1.example.com" });
});

test("an open operation of a member blocks its bundle", async () => {
  const { instance } = await register();
  const licenseId = Number(instance.members[1]?.id);
  const silent = { name: "sandbox", execute: async () => ({ kind: "unknown", message: "silence" }) as const };
  const providers = new Map([["sandbox", { ...world.provider, ...silent }]]);
  await changeLicenseCores(reseller.context({ providers }), { licenseId, cores: 2 });
  const bundleInstanceId = instance.id;
  expect(await codeOf(renewBundle(reseller.context(), { bundleInstanceId }))).toBe("operation_in_progress");
  const move = { bundleInstanceId, newIp: world.freshIp() };
  expect(await codeOf(changeBundleIp(reseller.context(), move))).toBe("operation_in_progress");
});
