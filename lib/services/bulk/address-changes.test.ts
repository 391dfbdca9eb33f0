import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { LicenseAddress } from "#lib/domain/license-address.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { changeLicenseIp } from "#lib/services/license/change-ip.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { formKey } from "#tests/support/claims.ts";
import { codeOf, ip } from "#tests/support/faults.ts";
import { expectBooksToAgree } from "#tests/support/invariants.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { planAddressChanges } from "./address-plan.ts";
import { getBulkJob } from "./get.ts";
import { listBulkItems } from "./list-items.ts";
import { runBulkJob } from "./run.ts";
import { type AddressMove, startAddressChanges } from "./start-address-changes.ts";

let world: World;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  reseller = await world.reseller();
});
afterAll(() => world.close());

const person = (change = {}) => world.context(actors.user(reseller.id), change);

async function register(type?: string): Promise<AddressMove> {
  const from = world.freshIp();
  const { licenseId } = await reseller.register({ ip: from, ...(type && { type }) });
  return { licenseId, from, to: world.freshIp() };
}

async function run(jobId: number) {
  await runBulkJob(world.operator, { jobId, turnMs: 60_000 });
  const { items } = await listBulkItems(person(), { jobId, after: 0, limit: 100 });
  return items.map(({ licenseId, state, errorCode }) => [licenseId, state, errorCode]);
}

test("each license gets its own new address, free of charge, and one failure stops no other", async () => {
  const [first, rejected, last] = [await register(), await register(), await register()];
  const moves = [first, { ...rejected, to: ip("192.0.2.10") }, last];
  const before = await reseller.spendable();
  const { jobId } = await startAddressChanges(person(), { moves });
  expect(await run(jobId)).toEqual([
    [first.licenseId, "succeeded", null],
    [rejected.licenseId, "failed", "ip_change_rejected"],
    [last.licenseId, "succeeded", null],
  ]);
  for (const { licenseId, to } of [first, last]) {
    expect((await reseller.license(licenseId)).ipAddress).toBe(to);
  }
  expect((await reseller.license(rejected.licenseId)).ipAddress).toBe(rejected.from);
  expect(await reseller.spendable()).toBe(before);
  expect(await getBulkJob(person(), { jobId })).toMatchObject({ kind: "change_ip", allOrNothing: false });
  await expectBooksToAgree(world.db);
});

test("what cannot be moved on its own is listed with the reason, the rest by present address", async () => {
  const later = (await reseller.register({ ip: "198.51.100.200" })).licenseId;
  const sooner = (await reseller.register({ ip: "198.51.100.30" })).licenseId;
  const { bundleId, cycleId } = await world.bundleOffer(reseller.id);
  const bundle = await registerBundle(reseller.context(), { bundleId, cycleId, ipAddress: world.freshIp() });
  const { movable, skipped } = await planAddressChanges(person(), { selection: { filter: {} } });
  expect(movable.map(({ id }) => id)).toEqual([sooner, later]);
  expect(skipped).toEqual([{ reason: "moves_with_bundle", count: bundle.instance.members.length }]);
});

test("200 licenses move together, one more is refused", async () => {
  const { licenseId } = await register();
  await world.db.query(
    sql(`insert into licenses (key, reseller_id, product_id, cycle_id, ip_address, issued_at, anchored_at, expires_at, provisioned_at)
         select 'copy-' || l.id || '-' || n, l.reseller_id, l.product_id, l.cycle_id, '10.0.0.' || n, l.issued_at, l.anchored_at,
                l.expires_at, l.provisioned_at
           from licenses l, generate_series(1, 199) n where l.id = $1`),
    [licenseId],
  );
  const plan = () => planAddressChanges(person(), { selection: { filter: {} } });
  expect((await plan()).movable).toHaveLength(200);
  await register();
  expect(await codeOf(plan())).toBe("state_invalid");
});

test("licenses of different products move to one address together, two of the same product do not", async () => {
  const [panel, kernel, other] = [await register(), await register("hardened_kernel"), await register()];
  const together = [panel, { ...kernel, to: panel.to }];
  expect(await run((await startAddressChanges(person(), { moves: together })).jobId)).toMatchObject([
    [panel.licenseId, "succeeded", null],
    [kernel.licenseId, "succeeded", null],
  ]);
  const clash = [{ ...panel, from: panel.to, to: other.to }, other];
  const start = startAddressChanges(person(), { moves: clash });
  await expect(start).rejects.toMatchObject({
    code: "parameters_invalid",
    details: { new_ips: expect.stringContaining(`${other.to} would get two licenses`) },
  });
});

test("a license that has moved since it was listed starts no job, and one that moves later is left alone", async () => {
  const move = await register();
  const { jobId } = await startAddressChanges(person(), { moves: [move] });
  await changeLicenseIp(reseller.context(), { licenseId: move.licenseId, newIp: world.freshIp() as LicenseAddress });
  expect(await run(jobId)).toEqual([[move.licenseId, "skipped", "moved"]]);
  expect(await codeOf(startAddressChanges(person(), { moves: [move] }))).toBe("conflict");
});

test("a repeated submission returns the running job, and another reseller's licenses are not found", async () => {
  const move = await register();
  const send = () => startAddressChanges(person(formKey(world.db, "web:1:addresses")), { moves: [move] });
  const { jobId } = await send();
  await run(jobId);
  expect(await send()).toEqual({ jobId });
  const stranger = world.context(actors.user((await world.reseller()).id));
  expect(await codeOf(startAddressChanges(stranger, { moves: [{ ...move, from: move.to }] }))).toBe("conflict");
});
