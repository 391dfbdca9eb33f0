import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { reconcileOperations } from "#lib/services/operation/reconcile.ts";
import { clearRehearsed, codeOf, placeLicense, rehearsed } from "#tests/support/faults.ts";
import { createInbox } from "#tests/support/inbox.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { getLicenseHistory } from "./history.ts";
import { renewLicense } from "./renew.ts";
import { suspendLicense } from "./suspend.ts";

const MINUTE_MS = 60_000;

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

function historyOf(licenseId: number) {
  return getLicenseHistory(reseller.context(), { licenseId, limit: 100 });
}

test("each change is listed once, newest first, with its price", async () => {
  const { licenseId } = await reseller.register();
  world.advance(MINUTE_MS);
  await renewLicense(reseller.context(), { licenseId });
  world.advance(MINUTE_MS);
  await suspendLicense(reseller.context(), { licenseId, reason: "Payment overdue" });
  const history = await historyOf(licenseId);
  expect(history.map(({ eventKind, operation }) => [eventKind, operation?.price])).toEqual([
    ["license.suspended", "0"],
    ["license.renewed", "1450"],
    ["license.activated", "1450"],
  ]);
  expect(history[0]?.data).toMatchObject({ reason: "Payment overdue" });
});

test("a rejected change without an event is listed with the provider's reason", async () => {
  const { licenseId } = await reseller.register();
  await placeLicense(world, licenseId, rehearsed.rejects);
  world.advance(MINUTE_MS);
  await codeOf(suspendLicense(reseller.context(), { licenseId }));
  const [refused] = await historyOf(licenseId);
  expect(refused).toMatchObject({ eventKind: null, operation: { kind: "license_suspend", state: "rejected" } });
  expect(refused?.operation?.failureMessage).toBeTruthy();
});

test("a change is one line, while open and once settled", async () => {
  const { licenseId } = await reseller.register({ ip: rehearsed.losesAnswer });
  expect(await historyOf(licenseId)).toMatchObject([{ eventKind: null, operation: { state: "unknown" } }]);
  world.advance(MINUTE_MS);
  await reconcileOperations(world.operator, { early: true });
  expect(await historyOf(licenseId)).toMatchObject([
    { eventKind: "license.activated", operation: { state: "succeeded", reconciled: true } },
  ]);
});

test("the end and the return of a license that the provider lost are not shown as charges", async () => {
  const inbox = createInbox(world);
  reseller = await inbox.begin();
  const { details } = await inbox.situations.provisioned_not_charged();
  await inbox.act(details.id, "adopt");
  const history = await historyOf(details.licenseId ?? 0);
  expect(history.map(({ eventKind, operation }) => [eventKind, operation?.price])).toEqual([
    ["license.activated", undefined],
    ["license.terminated", undefined],
    ["license.activated", "1450"],
  ]);
});

test("another reseller's license is not found (contract 1.12)", async () => {
  const { licenseId } = await (await world.reseller()).register();
  expect(await codeOf(historyOf(licenseId))).toBe("license_not_found");
});
