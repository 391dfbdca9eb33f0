import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { changeLicenseCores } from "#lib/services/license/change-core.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { refundCharge } from "#lib/services/wallet/refund.ts";
import { codeOf, placeLicense, rehearsed } from "#tests/support/faults.ts";
import { createInbox, FUNDS, type Inbox } from "#tests/support/inbox.ts";
import { expectBooksToAgree } from "#tests/support/invariants.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";

let world: World;
let inbox: Inbox;
let reseller: ResellerWorld;
let licenseId: number;
let licenseKey: string;
beforeAll(async () => {
  world = await newWorld();
  inbox = createInbox(world);
});
beforeEach(async () => {
  reseller = await inbox.begin();
  ({ licenseId, licenseKey } = await reseller.register({ type: "web_server" }));
  world.advance(1_000);
});
afterAll(() => world.close());

const change = async (cores: number) => (await changeLicenseCores(reseller.context(), { licenseId, cores })).price;
const atProvider = (cores: number) =>
  inbox.editBooks("update sandbox_provider_licenses set cores = $2 where reference = $1", [licenseKey, cores]);
const spent = async () => FUNDS - (await reseller.spendable());

async function adopt(kind: "differs" | "late_success") {
  const { details } = await inbox.theCase(kind);
  await inbox.act(details.id, "adopt");
  return details.id;
}

test("adopted unpaid cores are not credited in any paid term; cores paid later are", async () => {
  await renewLicense(reseller.context(), { licenseId });
  world.advance(1_000);
  await atProvider(7);
  const caseId = await adopt("differs");
  expect(await reseller.license(licenseId)).toMatchObject({ cores: 7 });
  const before = await spent();
  const charged = await change(8);
  expect(charged).toBeGreaterThan(1_200n);
  expect(await change(1)).toBe(-charged);
  expect(await spent()).toBe(before);
  await atProvider(1);
  await inbox.expectDone(caseId, "adopted");
});

test("adopting fewer cores removes the newest without a credit; an admin can refund them", async () => {
  const four = await change(5);
  const upgrade = (await reseller.operations()).at(-1)?.id ?? "";
  const two = await change(7);
  await atProvider(4);
  const caseId = await adopt("differs");
  expect(await reseller.license(licenseId)).toMatchObject({ cores: 4 });
  expect(await change(1)).toBeGreaterThanOrEqual((-four * 3n) / 4n);
  expect(await spent()).toBeGreaterThan(1_800n + two);
  await refundCharge(world.operator, { operationId: upgrade, reason: "the provider never had them" });
  await expectBooksToAgree(world.db);
  await atProvider(1);
  await inbox.expectDone(caseId, "adopted");
});

test("a late addition of cores is charged with its lots, which are credited like others", async () => {
  await placeLicense(world, licenseId, rehearsed.losesRequest);
  await change(5);
  await inbox.refuseWhatWasLost();
  await placeLicense(world, licenseId, world.freshIp());
  await inbox.editBooks(
    "update sandbox_provider_licenses s set cores = 5, ip_address = l.ip_address from licenses l where l.key = s.reference and l.key = $1",
    [licenseKey],
  );
  const caseId = await adopt("late_success");
  const charge = (await reseller.operations()).at(-1)?.price ?? 0n;
  expect(await spent()).toBe(1_800n + charge);
  expect(await change(1)).toBeGreaterThanOrEqual(-charge);
  await expectBooksToAgree(world.db);
  await atProvider(1);
  await inbox.expectDone(caseId, "adopted");
});

async function lateRemoval() {
  await placeLicense(world, licenseId, rehearsed.losesRequest);
  await change(1);
  await inbox.refuseWhatWasLost();
  await placeLicense(world, licenseId, world.freshIp());
  await inbox.editBooks(
    "update sandbox_provider_licenses s set cores = 1, ip_address = l.ip_address from licenses l where l.key = s.reference and l.key = $1",
    [licenseKey],
  );
  return (await inbox.theCase("late_success")).details.id;
}

test("a late removal of cores is credited as planned", async () => {
  const charged = await change(5);
  const caseId = await lateRemoval();
  const credit = -((await reseller.operations()).at(-1)?.price ?? 0n);
  await inbox.act(caseId, "adopt");
  expect(await reseller.license(licenseId)).toMatchObject({ cores: 1 });
  expect(await spent()).toBe(1_800n + charged - credit);
  await inbox.expectDone(caseId, "adopted");
});

test("a late removal is not credited if its charge was refunded meanwhile", async () => {
  const charged = await change(5);
  const upgrade = (await reseller.operations()).at(-1)?.id ?? "";
  const caseId = await lateRemoval();
  await refundCharge(world.operator, { operationId: upgrade, reason: "by phone" });
  expect(await codeOf(inbox.act(caseId, "adopt"))).toBe("state_invalid");
  expect(await spent()).toBe(1_800n);
  expect(charged).toBeGreaterThan(0n);
  await expectBooksToAgree(world.db);
});
