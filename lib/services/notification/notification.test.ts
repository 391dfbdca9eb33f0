import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ResellerId, UserId } from "#lib/domain/ids.ts";
import { NOTIFICATIONS_MAX, notifiedEvents } from "#lib/domain/notification.ts";
import { type ResellerRole, resellerRoleNames } from "#lib/domain/roles.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { sql } from "#tests/sql.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { countUnreadNotifications, listNotifications } from "./list.ts";
import { markNotificationsRead } from "./mark-read.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

let users = 0;
async function newUser(resellerId: ResellerId | null): Promise<UserId> {
  users += 1;
  const data = { email: `${users}@notices.example`, name: "Ada", passwordHash: "", role: "owner", resellerId } as const;
  const createdAt = new Date(world.now().getTime() - 90 * DAY_MS);
  return (await world.db.prisma.user.create({ data: { ...data, createdAt } })).id as UserId;
}

async function newPerson(resellerId: ResellerId, role: ResellerRole = "owner"): Promise<ServiceContext> {
  return world.context({ kind: "reseller_user", userId: await newUser(resellerId), resellerId, role });
}

const DAY_MS = 86_400_000;
const ago = (ms: number) => new Date(world.now().getTime() - ms);

function emit(resellerId: ResellerId, kind: string, occurredAt: Date, data: object = {}) {
  return world.db.prisma.event.create({ data: { id: randomUUID(), resellerId, kind, data, occurredAt } });
}

function newEndpoint(resellerId: ResellerId, at: Date) {
  const url = "https://hooks.example/services/secret-path";
  const times = { disabledAt: at, createdAt: at, updatedAt: at };
  return world.db.prisma.webhookEndpoint.create({
    data: { resellerId, url, secret: Buffer.of(0), sealId: randomUUID(), disabledReason: "gone", ...times },
  });
}

const kindsOf = async (ctx: ServiceContext) => (await listNotifications(ctx)).map(({ kind }) => kind);

test("a reseller's users are notified of what happened at their reseller, newest first, for 30 days", async () => {
  const { id } = await world.reseller({ funds: "0" });
  const { id: other } = await world.reseller({ funds: "0" });
  await emit(id, "wallet.low_balance", ago(3_000));
  await emit(id, "license.renewal_failed", ago(2_000), { reason: "no_price" });
  await emit(id, "license.renewed", ago(1_000));
  await emit(id, "operation.settled", ago(31 * DAY_MS));
  await emit(other, "license.registration_failed", ago(1_000));
  await newEndpoint(id, ago(1_500));
  const notifications = await listNotifications(await newPerson(id));
  expect(notifications.map(({ kind }) => kind)).toEqual([
    "webhook.disabled",
    "license.renewal_failed",
    "wallet.low_balance",
  ]);
  expect(notifications[0]).toMatchObject({ data: { name: "hooks.example" } });
  expect(JSON.stringify(notifications)).not.toContain("secret-path");
});

test("a role is notified of what it sees", async () => {
  const { id } = await world.reseller({ funds: "0" });
  for (const [at, kind] of Object.keys(notifiedEvents).entries()) await emit(id, kind, ago(1_000 + at));
  await newEndpoint(id, ago(500));
  for (const role of resellerRoleNames) {
    const kinds = await kindsOf(await newPerson(id, role));
    const seesMoney = !["support", "developer"].includes(role);
    expect(kinds.includes("wallet.low_balance"), role).toBe(seesMoney);
    expect(kinds.includes("wallet.topped_up"), role).toBe(seesMoney);
    expect(kinds, role).toContain("webhook.disabled");
    expect(kinds, role).toContain("license.renewal_failed");
  }
});

test("reading is each user's own, goes up to what was shown, and never back", async () => {
  const { id } = await world.reseller({ funds: "0" });
  const [ada, bea] = [await newPerson(id), await newPerson(id)];
  const { occurredAt } = await emit(id, "license.renewal_failed", ago(2_000));
  expect(await countUnreadNotifications(ada)).toBe(1);
  await emit(id, "license.renewal_failed", ago(1_000));
  await markNotificationsRead(ada, { until: occurredAt });
  expect((await listNotifications(ada)).map(({ unread }) => unread)).toEqual([true, false]);
  expect(await countUnreadNotifications(bea)).toBe(2);
  await markNotificationsRead(ada, { until: new Date(world.now().getTime() + DAY_MS) });
  await markNotificationsRead(ada, { until: ago(DAY_MS) });
  expect(await countUnreadNotifications(ada)).toBe(0);
  await emit(id, "license.renewal_failed", new Date(world.now().getTime() + 1_000));
  expect(await countUnreadNotifications(ada), "nothing is read ahead").toBe(1);
});

test("what happened before a user existed is read", async () => {
  const { id } = await world.reseller({ funds: "0" });
  await emit(id, "license.renewal_failed", ago(91 * DAY_MS));
  const person = await newPerson(id);
  await world.db.query(sql("update users set created_at = $1 where reseller_id = $2"), [world.now(), id]);
  await emit(id, "license.renewal_failed", ago(1_000));
  expect((await listNotifications(person)).map(({ unread }) => unread)).toEqual([false]);
});

test("test mode has its own notifications, and its own mark", async () => {
  const { id } = await world.reseller({ funds: "0" });
  const live = await newPerson(id);
  const sandbox = await world.db.prisma.reseller.create({
    data: { name: "Sandbox", email: "s@s.example", currency: "USD", sandboxOfId: id },
  });
  const actor = { ...live.actor, resellerId: sandbox.id as ResellerId } as ServiceContext["actor"];
  const testing = { ...live, actor };
  for (const one of [id, sandbox.id as ResellerId]) await emit(one, "license.renewal_failed", ago(1_000));
  await markNotificationsRead(testing, { until: world.now() });
  expect([await countUnreadNotifications(live), await countUnreadNotifications(testing)]).toEqual([1, 0]);
});

test("admins are notified of what waits for them by their role, while it waits", async () => {
  const { id } = await world.reseller({ funds: "0" });
  const { prisma } = world.db;
  const admin = async (role: "finance" | "support") =>
    world.context({ kind: "admin", userId: await newUser(null), resellerId: null, role });
  const [finance, support] = [await admin("finance"), await admin("support")];
  const waiting = { amount: 500n, reference: "1", requestedBy: "user:1", createdAt: ago(2_000) };
  const request = await prisma.topUpRequest.create({ data: { ...waiting, resellerId: id } });
  const seen = { firstSeenAt: ago(1_000), lastSeenAt: ago(1_000) };
  const found = { kind: "differs", providerName: "sandbox", reference: "x", facts: {}, ...seen } as const;
  const { id: caseId } = await prisma.reconciliationCase.create({ data: found });
  expect(await kindsOf(finance)).toEqual(["case.opened", "top_up.requested"]);
  expect(await kindsOf(support)).toEqual(["case.opened"]);
  await prisma.reconciliationCase.update({
    where: { id: caseId },
    data: { resolvedAt: world.now(), resolution: "agrees" },
  });
  await world.db.query(
    sql("update top_up_requests set state = 'declined', decided_at = $2, decided_by = 'user:1' where id = $1"),
    [request.id, ago(500)],
  );
  expect(await kindsOf(finance)).toEqual([]);
  expect(await kindsOf(await newPerson(id))).toEqual(["top_up.declined"]);
});

test("a problem of the installation is one notification, to however many admins it was mailed", async () => {
  const [one, other] = [await newUser(null), await newUser(null)];
  const mail = { kind: "system_problems", recipient: "a@a.example", data: { problems: ["Disk full."] } };
  const at = { nextAttemptAt: ago(1_000), sendUntil: ago(0), createdAt: ago(1_000) };
  for (const userId of [one, other]) {
    await world.db.prisma.mail.create({ data: { ...mail, ...at, messageId: randomUUID(), userId } });
  }
  const ctx = world.context({ kind: "admin", userId: one, resellerId: null, role: "support" });
  const problems = (await listNotifications(ctx)).filter(({ kind }) => kind === "system.problems");
  expect(problems).toMatchObject([{ data: mail.data, unread: true }]);
});

test("among very many events, the newest 100 are read by an index of their own", async () => {
  const { id } = await world.reseller({ funds: "0" });
  await world.db.query(
    sql(`insert into events (id, reseller_id, kind, data, occurred_at)
         select gen_random_uuid(), $1, case when n % 50 = 0 then 'license.renewal_failed' else 'license.renewed' end, '{}',
                $2::timestamptz - n * interval '1 second' from generate_series(1, 20000) n`),
    [id, world.now()],
  );
  await world.db.query(sql("analyze events"), []);
  expect(await countUnreadNotifications(await newPerson(id))).toBe(NOTIFICATIONS_MAX);
  const plan = await world.db.query(
    sql<{ "QUERY PLAN": string }>(`explain select id from events e
      where e.reseller_id = ${id} and e.kind in (${Object.keys(notifiedEvents)
        .map((kind) => `'${kind}'`)
        .join(", ")}) and e.occurred_at > now() - interval '30 days' order by e.occurred_at desc limit 100`),
    [],
  );
  expect(plan.map((row) => row["QUERY PLAN"]).join("\n")).toContain("events_notified");
});
