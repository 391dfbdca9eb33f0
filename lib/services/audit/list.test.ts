import { afterAll, beforeAll, expect, test } from "vitest";
import { recordAudit } from "#lib/db/audit/audit.ts";
import type { ResellerId, UserId } from "#lib/domain/ids.ts";
import { createResellerApiKey } from "#lib/services/api-key/create.ts";
import { createReseller } from "#lib/services/reseller/create.ts";
import { listResellers } from "#lib/services/reseller/list.ts";
import { updateReseller } from "#lib/services/reseller/settings.ts";
import { adjustWallet } from "#lib/services/wallet/adjust.ts";
import { actors } from "#tests/support/actors.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { type AuditFilter, listAuditLog, listOwnAuditLog } from "./list.ts";
import { auditRecord } from "./record.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
  for (const [name, email] of [
    ["Northwind Hosting", "desk@northwind.example"],
    ["100% Uptime", "desk@uptime.example"],
    ["Bluebird", "north@bluebird.example"],
  ] as const) {
    await createReseller(world.operator, { name, email, currency: "USD" });
  }
});
afterAll(() => world.close());

async function concerned(filter: AuditFilter): Promise<(string | null)[]> {
  const { rows: entries } = await listAuditLog(world.operator, { filter, before: null, limit: 50 });
  return entries.map(({ resellerName }) => resellerName);
}

test("a reseller's log has only the entries that concern it", async () => {
  const [bluebird] = await listResellers(world.operator).then((all) => all.filter(({ name }) => name === "Bluebird"));
  expect(await concerned({ resellerId: bluebird?.resellerId })).toEqual(["Bluebird"]);
  expect(await concerned({ resellerId: 2_147_483_647 })).toEqual([]);
  expect(await concerned({})).toHaveLength(3);
});

test("a reseller's own log names its users and keys, and of administrators only what they did, moved, and did in its name", async () => {
  const reseller = await world.reseller({ funds: "0" });
  const { resellerId: other } = await createReseller(world.operator, {
    name: "O",
    email: "o@o.example",
    currency: "USD",
  });
  const newUser = (kind: "admin" | "reseller", resellerId: ResellerId | null) =>
    world.db.prisma.user.create({
      data: { email: `${kind}@log.example`, name: `The ${kind}`, passwordHash: "", role: "owner", resellerId },
    });
  const [admin, own] = [await newUser("admin", null), await newUser("reseller", reseller.id)];
  const asAdmin = world.context({ kind: "admin", userId: admin.id as UserId, resellerId: null, role: "owner" });
  const ownActor = { kind: "reseller_user", userId: own.id as UserId, resellerId: reseller.id, role: "owner" } as const;
  const asOwn = world.context(ownActor, { address: "203.0.113.7" });
  const acting = world.context(
    { ...ownActor, userId: admin.id as UserId, actingAdmin: true },
    { address: "192.0.2.99" },
  );
  const secret = "Never tell them";
  await updateReseller(asAdmin, { resellerId: reseller.id, name: "R", email: "r@r.example", notes: secret });
  await adjustWallet(asAdmin, { resellerId: reseller.id, amount: "5", reason: secret });
  await createResellerApiKey(asOwn, { name: "ci", scopes: ["licenses:read"] });
  await createResellerApiKey(acting, { name: "for you", scopes: ["licenses:read"] });
  await recordAudit(
    world.db,
    auditRecord(asAdmin, { action: "reconciliation.dismiss", resellerId: reseller.id, subject: "case:1" }),
  );
  for (const name of ["visitor", "worker"]) {
    const ctx = world.context({ kind: "system", name });
    const reason = name === "worker" ? secret : "";
    const entry = { resellerId: reseller.id, subject: `user:${own.id}`, reason };
    await recordAudit(world.db, auditRecord(ctx, { action: "user.factor_refused", ...entry }));
  }
  await createResellerApiKey(world.context(actors.user(other)), { name: "theirs", scopes: ["licenses:read"] });

  const ownLog = (filter: AuditFilter = {}) =>
    listOwnAuditLog(asOwn, { filter, before: null, limit: 50 }).then(({ rows: entries }) => entries);
  const entries = await ownLog();
  expect(entries.map(({ action, actor, actorName }) => [action, actor, actorName])).toEqual([
    ["user.factor_refused", "system:worker", null],
    ["user.factor_refused", "system:visitor", null],
    ["api_key.create", "administrator", "Administrator"],
    ["api_key.create", `user:${own.id}`, "The reseller"],
    ["wallet.adjust", "administrator", "Administrator"],
    ["reseller.update", "administrator", "Administrator"],
    ["reseller.create", "administrator", "Administrator"],
  ]);
  expect(entries[2]).toMatchObject({ actingAsName: "R", address: "", data: { scopes: ["licenses:read"] } });
  expect(entries[3]).toMatchObject({ actingAsName: null, address: "203.0.113.7", requestId: "req_test" });
  expect(entries[4]?.data).toMatchObject({ amount: "5.00", currency: "USD" });
  expect(JSON.stringify(entries, (_, value) => (typeof value === "bigint" ? String(value) : value))).not.toContain(
    secret,
  );
  expect(await ownLog({ actor: "The reseller" })).toHaveLength(1);
  for (const actor of ["The admin", "admin@log", `user:${admin.id}`])
    expect(await ownLog({ actor }), actor).toEqual([]);
  expect(await ownLog({ resellerId: other })).toEqual(entries);
});

test("the log is filtered by exactly one source address; a reseller's own is not filtered by an administrator's", async () => {
  const reseller = await world.reseller({ funds: "0" });
  const newUser = async (email: string, resellerId: ResellerId | null) =>
    (await world.db.prisma.user.create({ data: { email, name: email, passwordHash: "", role: "owner", resellerId } }))
      .id as UserId;
  const own = { kind: "reseller_user", resellerId: reseller.id, role: "owner" } as const;
  const asOwn = world.context(
    { ...own, userId: await newUser("own@from.example", reseller.id) },
    { address: "198.51.100.70" },
  );
  const asAdmin = world.context(
    { kind: "admin", userId: await newUser("admin@from.example", null), resellerId: null, role: "owner" },
    { address: "198.51.100.7" },
  );
  await createResellerApiKey(asOwn, { name: "Shop", scopes: ["licenses:read"] });
  await adjustWallet(asAdmin, { resellerId: reseller.id, amount: "5", reason: "Goodwill" });
  const page = { before: null, limit: 50 };
  const actionsFrom = async (address: string) =>
    (await listAuditLog(world.operator, { ...page, filter: { address } })).rows.map(({ action }) => action);
  expect(await actionsFrom("198.51.100.7")).toEqual(["wallet.adjust"]);
  expect(await actionsFrom("198.51.100.70")).toEqual(["api_key.create"]);
  const ownFrom = async (address: string) =>
    (await listOwnAuditLog(asOwn, { ...page, filter: { address } })).rows.map(({ action }) => action);
  expect(await ownFrom("198.51.100.70")).toEqual(["api_key.create"]);
  expect(await ownFrom("198.51.100.7")).toEqual([]);
});
