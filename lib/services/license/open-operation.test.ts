import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { withQuery } from "#lib/db/connection/with-query.ts";
import type { Hostname } from "#lib/domain/hostname.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { renewBundle } from "#lib/services/bundle/renew.ts";
import { setBundleAutoRenew } from "#lib/services/bundle/set-auto-renew.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { reconcileOperations } from "#lib/services/operation/reconcile.ts";
import { sql } from "#tests/sql.ts";
import { clearRehearsed, codeOf, ip, placeLicense, rehearsed } from "#tests/support/faults.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { changeLicenseCores } from "./change-core.ts";
import { renewLicense } from "./renew.ts";
import { setLicenseAutoRenew } from "./set-auto-renew.ts";
import { type UpdateInput, updateLicense } from "./update.ts";

let world: World;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  await clearRehearsed(world);
  reseller = await world.reseller();
});
const settle = () => reconcileOperations(world.operator, { early: true });
afterEach(settle);
afterAll(() => world.close());

const inProgress = { code: "operation_in_progress", retryAfterSeconds: expect.any(Number) };

describe("contract 2.3: a host name", () => {
  const update = (input: UpdateInput) => updateLicense(reseller.context(), input);
  const name = (text: string) => text as Hostname;

  test("is not accepted while an open operation sets one, which would replace it", async () => {
    const { licenseId, licenseKey } = await reseller.register();
    const first = { licenseKey, hostname: name("a.example"), ipAddress: ip(rehearsed.losesAnswer) };
    expect((await update(first)).pendingOperationId).not.toBeNull();
    const second = { licenseKey, hostname: name("b.example") };
    await expect(update(second)).rejects.toMatchObject(inProgress);
    const same = { licenseKey, hostname: name((await reseller.license(licenseId)).hostname) };
    await expect(update(same)).rejects.toMatchObject(inProgress);
    await settle();
    expect((await reseller.license(licenseId)).hostname).toBe("a.example");
    await update(second);
    expect((await reseller.license(licenseId)).hostname).toBe("b.example");
  });

  test("is accepted while another operation is open, and stays", async () => {
    const { licenseId, licenseKey } = await reseller.register();
    expect((await update({ licenseKey, ipAddress: ip(rehearsed.losesAnswer) })).pendingOperationId).not.toBeNull();
    await update({ licenseKey, hostname: name("b.example") });
    await settle();
    expect((await reseller.license(licenseId)).hostname).toBe("b.example");
  });
});

describe("contract 1.15: auto-renew at an agreed price", () => {
  test("waits for a pending registration, as every change does", async () => {
    const { licenseId } = await reseller.register({ ip: rehearsed.losesAnswer });
    const agree = () => setLicenseAutoRenew(reseller.context(), { licenseId, on: true, agreedPrice: 1450n });
    await expect(agree()).rejects.toMatchObject(inProgress);
    await settle();
    await expect(agree()).resolves.toMatchObject({ autoRenew: true });
  });

  test("waits for a pending registration of a bundle", async () => {
    const { bundleId, cycleId, price } = await bundleOffer();
    const order = { bundleId, cycleId, ipAddress: ip(rehearsed.losesAnswer) };
    const { instance } = await registerBundle(reseller.context(), order);
    const choice = { bundleInstanceId: instance.id, on: true, agreedPrice: price };
    await expect(setBundleAutoRenew(reseller.context(), choice)).rejects.toMatchObject(inProgress);
  });

  test("waits for an open renewal, whose older charge would become the agreed price", async () => {
    const { licenseId } = await reseller.register();
    await placeLicense(world, licenseId, rehearsed.losesAnswer);
    expect((await renewLicense(reseller.context(), { licenseId })).pending).toBe(true);
    const { cycleId } = await world.offer(reseller.id, "control_panel");
    await setPrice(cycleId, 1000n);
    const choice = { licenseId, on: true, agreedPrice: 1000n };
    await expect(setLicenseAutoRenew(reseller.context(), choice)).rejects.toMatchObject(inProgress);
    await settle();
    await setLicenseAutoRenew(reseller.context(), choice);
    expect((await reseller.license(licenseId)).agreedPrice).toBe(1000n);
  });

  test("waits for an open renewal of a bundle", async () => {
    const { bundleId, cycleId, price } = await bundleOffer();
    const order = { bundleId, cycleId, ipAddress: world.freshIp() };
    const { instance } = await registerBundle(reseller.context(), order);
    for (const { id } of instance.members) await placeLicense(world, id, rehearsed.losesAnswer);
    expect((await renewBundle(reseller.context(), { bundleInstanceId: instance.id })).pending).toBe(true);
    const choice = { bundleInstanceId: instance.id, on: true, agreedPrice: price };
    await expect(setBundleAutoRenew(reseller.context(), choice)).rejects.toMatchObject(inProgress);
  });

  test("without a price it is switched while an operation is open", async () => {
    const { licenseId } = await reseller.register({ ip: rehearsed.losesAnswer });
    expect(await codeOf(renewLicense(reseller.context(), { licenseId }))).toBe("operation_in_progress");
    await expect(setLicenseAutoRenew(reseller.context(), { licenseId, on: true })).resolves.toMatchObject({
      autoRenew: true,
    });
  });
});

describe("what changes between the check and the write", () => {
  /** Runs `change` once, right before the named statement. */
  function meanwhile(name: string, change: () => Promise<unknown>): ServiceContext {
    const ctx = reseller.context();
    let done = false;
    const query: typeof ctx.db.query = async (statement, values) => {
      if (statement.name === name && !done) {
        done = true;
        await change();
      }
      return ctx.db.query(statement, values);
    };
    return { ...ctx, db: withQuery(ctx.db, query) };
  }

  test("a host name is not replaced while an operation that opened sets one", async () => {
    const { licenseId, licenseKey } = await reseller.register();
    const move = { licenseKey, hostname: "a.example" as Hostname, ipAddress: ip(rehearsed.losesAnswer) };
    const ctx = meanwhile("update_hostname", () => updateLicense(reseller.context(), move));
    await expect(updateLicense(ctx, { licenseKey, hostname: "b.example" as Hostname })).rejects.toMatchObject(
      inProgress,
    );
    await settle();
    expect((await reseller.license(licenseId)).hostname).toBe("a.example");
  });

  test("a host name that is set is replaced by the later one", async () => {
    const { licenseId, licenseKey } = await reseller.register();
    const first = { licenseKey, hostname: "a.example" as Hostname };
    const ctx = meanwhile("update_hostname", () => updateLicense(reseller.context(), first));
    await updateLicense(ctx, { licenseKey, hostname: "b.example" as Hostname });
    expect((await reseller.license(licenseId)).hostname).toBe("b.example");
  });

  test("a renewal that opens prevents an agreement, and after one that settles the price is checked again", async () => {
    const { licenseId } = await reseller.register();
    const { cycleId } = await world.offer(reseller.id, "control_panel");
    const choice = { licenseId, on: true, agreedPrice: 1450n };
    const settled = meanwhile("update_auto_renew_license", async () => {
      await setPrice(cycleId, 1550n);
      await renewLicense(reseller.context(), { licenseId });
    });
    expect(await codeOf(setLicenseAutoRenew(settled, choice))).toBe("price_changed");
    await placeLicense(world, licenseId, rehearsed.losesAnswer);
    const next = { ...choice, agreedPrice: 1550n };
    const opened = meanwhile("update_auto_renew_license", () => renewLicense(reseller.context(), { licenseId }));
    await expect(setLicenseAutoRenew(opened, next)).rejects.toMatchObject(inProgress);
  });

  test("a change of a bundle's member prevents an agreement to the bundle's price", async () => {
    const { bundleId, cycleId, price } = await bundleOffer();
    const { instance } = await registerBundle(reseller.context(), { bundleId, cycleId, ipAddress: world.freshIp() });
    for (const { id } of instance.members) await placeLicense(world, id, rehearsed.losesAnswer);
    const { id: licenseId } = instance.members.find(({ cores }) => cores !== null) ?? expect.unreachable();
    const ctx = meanwhile("update_auto_renew_bundle", () =>
      changeLicenseCores(reseller.context(), { licenseId, cores: 2 }),
    );
    const choice = { bundleInstanceId: instance.id, on: true, agreedPrice: price };
    await expect(setBundleAutoRenew(ctx, choice)).rejects.toMatchObject(inProgress);
  });
});

async function bundleOffer() {
  const offer = await world.bundleOffer(reseller.id);
  return { ...offer, price: offer.cycle.price };
}

async function setPrice(cycleId: number, price: bigint): Promise<void> {
  const text = "insert into prices (cycle_id, reseller_id, currency, price) values ($1, $2, 'USD', $3)";
  await world.db.query(sql(text), [cycleId, reseller.id, price]);
}
