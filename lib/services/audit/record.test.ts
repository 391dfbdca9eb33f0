import { afterAll, beforeAll, expect, test } from "vitest";
import { recordAudit } from "#lib/db/audit/audit.ts";
import { auditActions } from "#lib/domain/audit.ts";
import type { UserId } from "#lib/domain/ids.ts";
import { parseSealingKey } from "#lib/domain/sealed-secret.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { createWebhookEndpoint } from "#lib/services/webhook/create.ts";
import { deleteWebhookEndpoint } from "#lib/services/webhook/delete.ts";
import { rotateWebhookSecret } from "#lib/services/webhook/rotate-secret.ts";
import { setWebhookEndpointPaused } from "#lib/services/webhook/set-paused.ts";
import { updateWebhookEndpoint } from "#lib/services/webhook/update.ts";
import { actors } from "#tests/support/actors.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { auditRecord } from "./record.ts";
import { recordRefusal } from "./record-denial.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

const sealing = (ctx: ServiceContext): ServiceContext => ({
  ...ctx,
  settings: { ...ctx.settings, sealingKey: parseSealingKey(Buffer.alloc(32, 7).toString("base64")) },
});

test("a change and its entry are written atomically", async () => {
  const { id } = await world.reseller({ funds: "0" });
  const ctx = world.context(actors.admin(null), { requestId: "web_one" });
  const change = (name: string) => world.db.prisma.reseller.update({ where: { id }, data: { name } });
  const record = auditRecord(ctx, {
    action: "reseller.set_renewal_settings",
    subject: `reseller:${id}`,
    label: "Acme",
    resellerId: id,
    reason: "asked for it",
    changes: { name: { before: "a", after: "b" } },
  });
  await world.db.prisma.$transaction([change("Renamed"), recordAudit(world.db, record)]);
  const broken = { ...record, subject: null as never };
  await expect(world.db.prisma.$transaction([change("Lost"), recordAudit(world.db, broken)])).rejects.toThrow();

  const where = { subject: `reseller:${id}`, action: record.action };
  expect(await world.db.prisma.auditEntry.findMany({ where })).toEqual([
    expect.objectContaining({
      actor: "user:2",
      actingAsResellerId: null,
      subjectLabel: "Acme",
      reason: "asked for it",
      requestId: "web_one",
      data: { changes: { name: { before: "a", after: "b" } } },
      createdAt: world.now(),
    }),
  ]);
  expect((await world.db.prisma.reseller.findUniqueOrThrow({ where: { id } })).name).toBe("Renamed");
});

test("each change of a webhook endpoint has one entry, without the secret; without a change there is none", async () => {
  const { id: resellerId } = await world.reseller({ funds: "0" });
  const ctx = sealing(world.context({ kind: "reseller_user", userId: 7 as UserId, resellerId, role: "owner" }));
  const { endpoint, secret } = await createWebhookEndpoint(ctx, { url: "https://hooks.example.com/desk" });
  const endpointId = endpoint.id;
  await updateWebhookEndpoint(ctx, { endpointId, description: "Billing" });
  const rotated = await rotateWebhookSecret(ctx, { endpointId });
  for (const paused of [true, true, false, false]) await setWebhookEndpointPaused(ctx, { endpointId, paused });
  await deleteWebhookEndpoint(ctx, { endpointId });

  const entries = await world.db.prisma.auditEntry.findMany({
    where: { subject: `webhook_endpoint:${endpointId}` },
    orderBy: { id: "asc" },
  });
  expect(entries.map(({ action, actor }) => [action, actor])).toEqual(
    ["create", "update", "rotate_secret", "pause", "resume", "delete"].map((verb) => [`webhook.${verb}`, "user:7"]),
  );
  expect(entries[1]?.data).toEqual({ changes: { description: { before: "", after: "Billing" } } });
  const contents = JSON.stringify(entries.map(({ data, reason, subjectLabel }) => [data, reason, subjectLabel]));
  for (const hidden of [secret, rotated.secret]) expect(contents).not.toContain(hidden);
  const actions = await world.db.prisma.auditEntry.findMany({ select: { action: true }, distinct: ["action"] });
  for (const { action } of actions) expect(auditActions).toHaveProperty([action]);
});

test("what a role refuses is an entry, once an hour for each person and action", async () => {
  const { id } = await world.reseller({ funds: "0" });
  const viewer = world.context({ ...actors.user(id), userId: 77 as UserId } as ServiceContext["actor"]);
  const other = world.context({ ...actors.user(id), userId: 78 as UserId } as ServiceContext["actor"]);
  for (const ctx of [viewer, viewer, other]) await recordRefusal(ctx, "action:wallet.requestTopUp");
  await recordRefusal(viewer, "action:licenses.renew");
  const entries = () =>
    world.db.prisma.auditEntry.findMany({ where: { resellerId: id, action: "access.deny" }, orderBy: { id: "asc" } });
  expect((await entries()).map(({ actor, subject }) => [actor, subject])).toEqual([
    ["user:77", "action:wallet.requestTopUp"],
    ["user:78", "action:wallet.requestTopUp"],
    ["user:77", "action:licenses.renew"],
  ]);
  const later = { ...viewer, now: () => new Date(viewer.now().getTime() + 3_600_001) };
  await recordRefusal(later, "action:licenses.renew");
  expect(await entries()).toHaveLength(4);
});
