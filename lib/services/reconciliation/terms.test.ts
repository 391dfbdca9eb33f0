import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { renewBundle } from "#lib/services/bundle/renew.ts";
import { changeLicenseIp } from "#lib/services/license/change-ip.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { suspendLicense } from "#lib/services/license/suspend.ts";
import { sql } from "#tests/sql.ts";
import { placeLicense, rehearsed } from "#tests/support/faults.ts";
import { createInbox, type Inbox } from "#tests/support/inbox.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";

const DAY_MS = 86_400_000;
const NOW = new Date("2027-03-10T12:00:00Z");

let world: World;
let inbox: Inbox;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
  inbox = createInbox(world);
});
beforeEach(async () => {
  world.setClock(NOW);
  await inbox.begin();
  reseller = await world.reseller({ funds: "100000" });
});
afterAll(() => world.close());

/** Expected case; the reference is the license's key. */
interface Expected {
  readonly reference: string;
  readonly kind: "differs" | "late_success";
  readonly what: "unprovided" | "unpaid";
  /** Minor units. */
  readonly value: bigint;
}

const daysAgo = (days: number) => world.setClock(new Date(NOW.getTime() - days * DAY_MS));
const endAtProvider = async (key: string, end: Date) =>
  inbox.editBooks("update sandbox_provider_licenses set expires_at = $2 where reference = $1", [key, end]);

/** Renewed and charged here; the provider's term is unchanged. */
async function lost(licenseId: number): Promise<Expected> {
  const { key, expiresAt } = await reseller.license(licenseId);
  world.advance(1_000);
  const { operation } = await renewLicense(reseller.context(), { licenseId });
  await endAtProvider(key, expiresAt);
  return { reference: key, kind: "differs", what: "unprovided", value: operation.price };
}

/** The renewal was rejected and its money released; then the provider does it. */
async function late(licenseId: number): Promise<Expected> {
  const { key, ipAddress } = await reseller.license(licenseId);
  await placeLicense(world, licenseId, rehearsed.losesRequest);
  world.advance(1_000);
  const { operation, newExpiry } = await renewLicense(reseller.context(), { licenseId });
  await inbox.refuseWhatWasLost();
  await placeLicense(world, licenseId, ipAddress);
  await endAtProvider(key, newExpiry);
  return { reference: key, kind: "late_success", what: "unpaid", value: operation.price };
}

const offers = ["control_panel", "hardened_kernel", "web_server", "malware_scanner", "backup_agent"].flatMap((type) =>
  [1, 3, 12].map((months) => ({ type, months })),
);

async function suspended(licenseId: number): Promise<number> {
  world.advance(1_000);
  await suspendLicense(reseller.context(), { licenseId });
  return licenseId;
}

async function bundle() {
  const { bundleId, cycleId } = await world.bundleOffer(reseller.id);
  const { instance } = await registerBundle(reseller.context(), { bundleId, cycleId, ipAddress: world.freshIp() });
  world.advance(1_000);
  return instance;
}

async function lostRenewals(): Promise<Expected[]> {
  const found: Expected[] = [];
  daysAgo(60);
  const expired = await reseller.register();
  daysAgo(10);
  found.push(await lost(expired.licenseId));
  daysAgo(1);
  for (const offer of offers) found.push(await lost((await reseller.register(offer)).licenseId));
  found.push(await lost(await suspended((await reseller.register()).licenseId)));

  const twice = await reseller.register();
  const { key, expiresAt } = await reseller.license(twice.licenseId);
  const first = await lost(twice.licenseId);
  const second = await lost(twice.licenseId);
  await endAtProvider(key, expiresAt);
  found.push({ ...second, value: first.value + second.value });

  const ahead = await reseller.register();
  world.advance(1_000);
  await renewLicense(reseller.context(), { licenseId: ahead.licenseId });
  found.push(await lost(ahead.licenseId));

  const instance = await bundle();
  const { operation } = await renewBundle(reseller.context(), { bundleInstanceId: instance.id });
  for (const member of instance.members) {
    await endAtProvider(member.key, member.expiresAt);
    found.push({ reference: member.key, kind: "differs", what: "unprovided", value: operation.price });
  }
  return found;
}

async function lateRenewals(): Promise<Expected[]> {
  const found: Expected[] = [];
  daysAgo(40);
  const expired = await reseller.register();
  daysAgo(15);
  found.push(await late(expired.licenseId));
  daysAgo(1);
  for (const offer of offers) found.push(await late((await reseller.register(offer)).licenseId));
  found.push(await late(await suspended((await reseller.register()).licenseId)));

  const twice = await reseller.register();
  await late(twice.licenseId);
  world.advance(1_000);
  found.push(await late(twice.licenseId));

  const moved = await reseller.register();
  found.push(await late(moved.licenseId));
  world.advance(1_000);
  const { expires_at } = await endOf(moved.licenseKey);
  await changeLicenseIp(reseller.context(), { licenseId: moved.licenseId, newIp: world.freshIp() });
  await endAtProvider(moved.licenseKey, expires_at);

  const instance = await bundle();
  const addresses = instance.members.map(({ ipAddress }) => ipAddress);
  for (const { id } of instance.members) await placeLicense(world, id, rehearsed.losesRequest);
  const { operation, newExpiry } = await renewBundle(reseller.context(), { bundleInstanceId: instance.id });
  await inbox.refuseWhatWasLost();
  for (const [index, { id, key }] of instance.members.entries()) {
    await placeLicense(world, id, addresses[index] ?? "");
    await endAtProvider(key, newExpiry);
    found.push({ reference: key, kind: "late_success", what: "unpaid", value: operation.price });
  }
  return found;
}

async function endOf(key: string): Promise<{ expires_at: Date }> {
  const [row] = await world.db.query(
    sql<{ expires_at: Date }>("select expires_at from sandbox_provider_licenses where reference = $1"),
    [key],
  );
  if (!row) throw new Error(`the provider does not hold ${key}`);
  return row;
}

describe("terms are compared", () => {
  test("each of 44 lost or late renewals is a case with its value and operation", async () => {
    const expected = [...(await lostRenewals()), ...(await lateRenewals())];
    expect(expected).toHaveLength(44);
    world.setClock(NOW);
    await inbox.compare();
    const cases = await inbox.openCases();
    const seen = cases.map(({ reference, kind, facts, value, operationId }) => ({
      reference,
      kind,
      what: value?.what,
      value: BigInt(value?.amount ?? -1),
      differing: facts.differing,
      named: operationId !== null,
    }));
    const byReference = (a: { reference: string }, b: { reference: string }) => (a.reference < b.reference ? -1 : 1);
    expect(seen.toSorted(byReference)).toEqual(
      expected.map((one) => ({ ...one, differing: ["term"], named: true })).toSorted(byReference),
    );
  });
});
