import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { createInbox, FUNDS, type Inbox, PRICE } from "#tests/support/inbox.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";

let world: World;
let inbox: Inbox;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
  inbox = createInbox(world);
});
beforeEach(async () => {
  // A day that every month has, so ends shifted by months keep their day.
  const now = world.now();
  world.setClock(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 10, 12)));
  reseller = await inbox.begin();
});
afterAll(() => world.close());

const spent = async () => FUNDS - (await reseller.wallet()).posted;

test("a term that an admin charged and the provider later lost is refunded whole", async () => {
  const { details } = await inbox.otherTerm(1);
  await inbox.act(details.id, "charge");
  await inbox.compare();
  world.advance(1_000);
  await inbox.endTerm(details.reference, -1);
  const lost = await inbox.theCase("differs");
  await inbox.act(lost.details.id, "refund");
  expect(await spent()).toBe(PRICE);
  await inbox.expectDone(lost.details.id, "refunded");
});

test("a bundle's term that an admin charged and the provider later lost is refunded whole", async () => {
  const { bundleId, cycleId } = await world.bundleOffer(reseller.id);
  const { instance, operation } = await registerBundle(reseller.context(), {
    bundleId,
    cycleId,
    ipAddress: world.freshIp(),
  });
  for (const { key } of instance.members) await inbox.endTerm(key, 1);
  await inbox.compare();
  const [ahead] = await inbox.openCases();
  await inbox.act(ahead?.id ?? 0, "charge");
  await inbox.compare();
  world.advance(1_000);
  for (const { key } of instance.members) await inbox.endTerm(key, -1);
  await inbox.compare();
  const [lost] = await inbox.openCases();
  await inbox.act(lost?.id ?? 0, "refund");
  expect(await spent()).toBe(operation.price);
  await inbox.expectDone(lost?.id ?? 0, "refunded");
});
