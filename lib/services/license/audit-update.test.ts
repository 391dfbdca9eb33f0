import { afterAll, beforeAll, expect, test } from "vitest";
import type { UserId } from "#lib/domain/ids.ts";
import { listOwnAuditLog } from "#lib/services/audit/list.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { setBundleAutoRenew } from "#lib/services/bundle/set-auto-renew.ts";
import type { Actor } from "#lib/services/context.ts";
import { actors } from "#tests/support/actors.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { setLicenseAutoRenew } from "./set-auto-renew.ts";
import { setLicenseLabels } from "./set-labels.ts";
import { setLicenseNotes } from "./set-notes.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

/** Oldest first. */
async function entriesOf({ id }: ResellerWorld) {
  const OR = ["license:", "bundle_instance:"].map((startsWith) => ({ subject: { startsWith } }));
  const entries = await world.db.prisma.auditEntry.findMany({ where: { resellerId: id, OR }, orderBy: { id: "asc" } });
  return entries.map(({ actor, actingAsResellerId, action, subject, subjectLabel, data }) => ({
    who: actingAsResellerId === null ? actor : `${actor} as ${actingAsResellerId}`,
    action,
    subject,
    subjectLabel,
    data,
  }));
}

test("a change of notes, customer or tags names who made it and the fields, never their text; without a change there is no entry", async () => {
  const reseller = await world.reseller();
  const { licenseId } = await reseller.register();
  const { ipAddress } = await reseller.license(licenseId);
  const support = world.context({ ...actors.user(reseller.id), actingAdmin: true } as Actor);
  const customer = { customerName: "Jane Doe", customerEmail: "jane@example.com" };
  for (const _ of ["once", "again"]) {
    await setLicenseNotes(support, { licenseId, notes: "late payer" });
    await setLicenseLabels(reseller.context(), { licenseId, change: { ...customer, addTags: ["vip"] } });
  }
  await setLicenseLabels(reseller.admin(), { licenseId, change: { tags: [] } });

  const entry = { action: "license.update", subject: `license:${licenseId}`, subjectLabel: ipAddress };
  const entries = await entriesOf(reseller);
  expect(entries).toEqual([
    { ...entry, who: `user:1 as ${reseller.id}`, data: { changed: ["notes"] } },
    { ...entry, who: "key:1", data: { changed: ["customerName", "customerEmail", "tags"] } },
    { ...entry, who: "user:2", data: { changed: ["tags"] } },
  ]);
  expect(JSON.stringify(entries)).not.toMatch(/jane|late|vip/i);
});

test("auto-renew of a license and of a bundle has an entry with before, after and the agreed price; without a change there is none", async () => {
  const reseller = await world.reseller();
  const { licenseId } = await reseller.register();
  const { cycle, ...offer } = await world.bundleOffer(reseller.id);
  const { instance } = await registerBundle(reseller.context(), { ...offer, ipAddress: world.freshIp() });
  const user = world.context(actors.user(reseller.id));
  for (const _ of ["once", "again"]) {
    await setLicenseAutoRenew(user, { licenseId, on: true, agreedPrice: 1450n });
    await setBundleAutoRenew(reseller.context(), { bundleInstanceId: instance.id, on: true, agreedPrice: cycle.price });
  }
  await world.db.prisma.license.updateMany({ where: { id: licenseId }, data: { agreedRenewalPrice: 1200n } });
  await setLicenseAutoRenew(user, { licenseId, on: true, agreedPrice: 1450n });
  await setLicenseAutoRenew(reseller.admin(), { licenseId, on: false });

  expect(await entriesOf(reseller)).toEqual([
    {
      who: "user:1",
      action: "license.set_auto_renew",
      subject: `license:${licenseId}`,
      subjectLabel: (await reseller.license(licenseId)).ipAddress,
      data: { changes: { autoRenew: { before: false, after: true } }, agreedPrice: "1450" },
    },
    {
      who: "key:1",
      action: "bundle.set_auto_renew",
      subject: `bundle_instance:${instance.id}`,
      subjectLabel: instance.ipAddress,
      data: { changes: { autoRenew: { before: false, after: true } }, agreedPrice: String(cycle.price) },
    },
    expect.objectContaining({
      data: { changes: { agreedPrice: { before: "1200", after: "1450" } }, agreedPrice: "1450" },
    }),
    expect.objectContaining({
      who: "user:2",
      data: { changes: { autoRenew: { before: true, after: false } }, agreedPrice: "1450" },
    }),
  ]);
});

test("a reseller reads what an administrator changed of its licenses, without the administrator's name", async () => {
  const reseller = await world.reseller();
  const { licenseId } = await reseller.register();
  const { id } = await world.db.prisma.user.create({
    data: { email: "admin@audit.example", name: "The admin", passwordHash: "", role: "owner" },
  });
  const admin = world.context({ kind: "admin", userId: id as UserId, resellerId: reseller.id, role: "owner" });
  await setLicenseNotes(admin, { licenseId, notes: "call back" });
  const { rows: entries } = await listOwnAuditLog(world.context(actors.user(reseller.id)), {
    filter: { subject: `license:${licenseId}` },
    before: null,
    limit: 10,
  });
  expect(entries).toMatchObject([{ actorName: "Administrator", data: { changed: ["notes"] } }]);
});
