import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ResellerId, UserId } from "#lib/domain/ids.ts";
import { NOTIFICATIONS_MAX, notifiedEvents } from "#lib/domain/notification.ts";
import { type ResellerRole, resellerRoleNames, resellerRoles } from "#lib/domain/roles.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { reportDiagnostics } from "#lib/services/diagnostics/report.ts";
import { sql } from "#tests/sql.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { countUnreadNotifications, listedUntil, listNotifications } from "./list.ts";
import { markNotification, markNotificationsRead } from "./mark-read.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld({ start: new Date() });
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

test("a verification that goes on failing is read with the others, and unread again after a day", async () => {
  const { id, register } = await world.reseller();
  const ada = await newPerson(id);
  const { licenseId } = await register();
  const fail = () =>
    world.db.query(
      sql(
        `insert into verifications (reseller_id, license_id, code, seen_ip, checked_at) values ($1, $2, 'IP_MISMATCH', '203.0.113.42', $3)`,
      ),
      [id, licenseId, world.now()],
    );
  for (let hour = 0; hour < 30; hour++) {
    await fail();
    world.advance(HOUR_MS);
  }
  await markNotificationsRead(ada, { until: listedUntil(ada, await listNotifications(ada)) });
  for (let hour = 0; hour < 22; hour++) {
    await fail();
    world.advance(HOUR_MS);
    expect(await countUnreadNotifications(ada), `after ${hour + 1} hours`).toBe(0);
  }
  for (let hour = 0; hour < 3; hour++) {
    await fail();
    world.advance(HOUR_MS);
  }
  expect(await countUnreadNotifications(ada)).toBe(1);
});

test("one is marked as read or unread alone, by its user, until all are marked", async () => {
  const { id } = await world.reseller({ funds: "0" });
  const [ada, bea] = [await newPerson(id), await newPerson(id)];
  for (const at of [1_000, 2_000, 3_000]) await emit(id, "license.renewal_failed", ago(at));
  const [newest, middle] = await listNotifications(ada);
  const unread = async () => (await listNotifications(ada)).map((one) => one.unread);
  await markNotification(ada, { id: middle?.id ?? "", unread: false });
  expect(await unread()).toEqual([true, false, true]);
  expect(await countUnreadNotifications(bea)).toBe(3);
  await markNotificationsRead(ada, { until: newest?.at ?? ago(0) });
  await markNotification(ada, { id: middle?.id ?? "", unread: true });
  expect(await unread()).toEqual([false, true, false]);
  await markNotificationsRead(ada, { until: newest?.at ?? ago(0) });
  expect(await unread()).toEqual([false, false, false]);
});

test("only what is listed for the user can be marked", async () => {
  const [{ id }, { id: other }] = [await world.reseller({ funds: "0" }), await world.reseller({ funds: "0" })];
  await emit(other, "license.renewal_failed", ago(1_000));
  const [foreign] = await listNotifications(await newPerson(other));
  const marking = markNotification(await newPerson(id), { id: foreign?.id ?? "", unread: false });
  await expect(marking).rejects.toMatchObject({ code: "not_found" });
});

const HOUR_MS = 3_600_000;
const healthy = { os: "Debian 12", kernel: "6.1", cpuCores: 4, memory: "8GB", diskFree: "40GB", uptime: "3 days" };

/** A server whose agent reports, by default nothing wrong. */
async function newServer(reseller: ResellerWorld) {
  const { licenseId, licenseKey } = await reseller.register();
  const { ipAddress } = await reseller.license(licenseId);
  return (found: { readonly diskFree?: string; readonly sourceAddress?: string }, at: Date) => {
    const report = { licenseKey, hostname: "web1.example.com", sourceAddress: ipAddress, sentAt: at, ...healthy };
    return reportDiagnostics(reseller.context({ now: () => at }), { ...report, ...found } as never);
  };
}
const serversOf = async (ctx: ServiceContext) =>
  (await listNotifications(ctx)).flatMap((one) => (one.kind === "server.critical" ? [one] : []));

test("a server is one notification from its first report with a critical finding, and again when it finds another", async () => {
  const reseller = await world.reseller();
  const report = await newServer(reseller);
  const person = await newPerson(reseller.id);
  await report({ diskFree: "4GB" }, ago(5 * HOUR_MS));
  expect(await serversOf(person), "a caution is for the overview").toEqual([]);
  await report({ diskFree: "500MB" }, ago(4 * HOUR_MS));
  await report({ diskFree: "400MB" }, ago(3 * HOUR_MS));
  const [full] = await serversOf(person);
  expect(full).toMatchObject({ at: ago(4 * HOUR_MS), unread: true });
  await markNotification(person, { id: full?.id ?? "", unread: false });
  await report({ diskFree: "300MB" }, ago(2 * HOUR_MS));
  expect(await serversOf(person), "the same finding stays read").toMatchObject([{ unread: false }]);
  world.advance(HOUR_MS);
  await report({ diskFree: "300MB", sourceAddress: "198.51.100.9" }, ago(0));
  expect(await serversOf(person)).toMatchObject([{ at: ago(0), unread: true }]);
  await report({}, ago(0));
  expect(await serversOf(person), "nothing is left to do").toEqual([]);
});

test("a silent agent is a notification after a day, for the roles that see servers", async () => {
  const reseller = await world.reseller();
  await (await newServer(reseller))({}, ago(25 * HOUR_MS));
  await (await newServer(reseller))({}, ago(23 * HOUR_MS));
  for (const role of resellerRoleNames) {
    const seen = resellerRoles[role].permissions.includes("diagnostics:read") ? [{ at: ago(HOUR_MS) }] : [];
    expect(await serversOf(await newPerson(reseller.id, role)), role).toMatchObject(seen);
  }
  world.advance(62 * DAY_MS);
  expect(await serversOf(await newPerson(reseller.id)), "their terms have ended").toEqual([]);
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

test("what happened in one millisecond is in the order in which it happened", async () => {
  const { id } = await world.reseller({ funds: "0" });
  const at = ago(1_000);
  const ids: string[] = [];
  for (let n = 0; n < 7; n += 1) ids.push((await emit(id, "wallet.low_balance", at)).id);
  const notifications = await listNotifications(await newPerson(id));
  expect(notifications.map((notification) => notification.id)).toEqual(ids.toReversed().map((one) => `event ${one}`));
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
        .join(
          ", ",
        )}) and e.occurred_at > now() - interval '30 days' order by e.occurred_at desc, e.sequence desc limit 100`),
    [],
  );
  expect(plan.map((row) => row["QUERY PLAN"]).join("\n")).toContain("events_notified");
});
