import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { renewLicense } from "#lib/services/license/renew.ts";
import { emitExpiryNotices } from "#lib/services/renewals/emit-expiry-notices.ts";
import { createInbox, type Inbox } from "#tests/support/inbox.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";

const DAY_MS = 86_400_000;
let world: World;
let inbox: Inbox;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
  inbox = createInbox(world);
});
beforeEach(async () => {
  reseller = await inbox.begin();
});
afterAll(() => world.close());

const expiries = async () => (await reseller.eventKinds()).filter((kind) => kind === "license.expired").length;

async function afterNoticesOf(end: Date) {
  world.setClock(new Date(end.getTime() + DAY_MS));
  await emitExpiryNotices(world.operator);
}

test("a license whose end an admin moves into the past is reported as expired, once", async () => {
  const { licenseId, licenseKey, expiresAt } = await reseller.register();
  world.advance(1_000);
  await renewLicense(reseller.context(), { licenseId });
  await afterNoticesOf(expiresAt);
  await inbox.editBooks("update sandbox_provider_licenses set expires_at = $2 where reference = $1", [
    licenseKey,
    expiresAt,
  ]);
  const { details } = await inbox.theCase("differs");
  expect(await expiries()).toBe(0);
  await inbox.act(details.id, "refund");
  expect((await reseller.license(licenseId)).expiresAt).toEqual(expiresAt);
  await emitExpiryNotices(world.operator);
  expect(await expiries()).toBe(1);
});

test("a license that is restored after its end is reported as expired", async () => {
  const { details } = await inbox.situations.provisioned_not_charged();
  const { expiresAt } = await reseller.license(details.licenseId ?? 0);
  await afterNoticesOf(expiresAt);
  expect(await expiries()).toBe(0);
  await inbox.act(details.id, "adopt");
  expect((await reseller.license(details.licenseId ?? 0)).terminatedAt).toBeNull();
  expect(await expiries()).toBe(1);
});

test("a registration that is adopted after its end is reported as expired", async () => {
  const { details } = await inbox.situations.late_success();
  world.advance(40 * DAY_MS);
  await emitExpiryNotices(world.operator);
  await inbox.act(details.id, "adopt");
  expect(await expiries()).toBe(1);
});
