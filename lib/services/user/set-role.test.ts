import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ResellerId, UserId } from "#lib/domain/ids.ts";
import { type AdminRole, adminRoleNames, type Role } from "#lib/domain/roles.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { createReseller } from "#lib/services/reseller/create.ts";
import { actors } from "#tests/support/actors.ts";
import { createSessionCookie } from "#tests/support/session-cookie.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { startActing } from "./act-as.ts";
import { createUser } from "./create.ts";
import { createAdmin } from "./create-admin.ts";
import { listUsers } from "./list.ts";
import { resetUserPassword } from "./reset-password.ts";
import { setUserDisabled } from "./set-disabled.ts";
import { setUserRole } from "./set-role.ts";
import { findSession } from "./sign-in.ts";

let world: World;
beforeAll(async () => {
  process.env.NEXTAUTH_SECRET ??= randomUUID();
  world = await newWorld({ start: new Date() });
});
afterAll(() => world.close());

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "done",
    (error: { code?: string }) => error.code,
  );
const newEmail = () => `${randomUUID()}@role.example`;

async function add(resellerId: ResellerId | null, role: Role): Promise<UserId> {
  const person = { email: newEmail(), name: "Robin", resellerId, role };
  return (await createUser(world.operator, person)).userId;
}

const roleOf = async (userId: UserId) =>
  (await world.db.prisma.user.findUniqueOrThrow({ where: { id: userId }, select: { role: true } })).role;

const ownerAt = (resellerId: ResellerId, userId: UserId): ServiceContext =>
  world.context({ kind: "reseller_user", userId, resellerId, role: "owner" });
const adminIs = (userId: UserId, role: AdminRole): ServiceContext =>
  world.context({ kind: "admin", userId, resellerId: null, role });

async function newSession(userId: UserId): Promise<string> {
  await createSessionCookie(world.db, { userId, email: "" });
  const where = { userId, revokedAt: null };
  return (await world.db.prisma.session.findFirstOrThrow({ where, select: { id: true } })).id;
}

describe("the first user", () => {
  test("of a reseller is an owner whatever was asked; the next has the role that was asked for", async () => {
    const { id } = await world.reseller({ funds: "0" });
    expect(await roleOf(await add(id, "viewer"))).toBe("owner");
    expect(await roleOf(await add(id, "viewer"))).toBe("viewer");
    const input = { name: "New", email: newEmail(), currency: "USD", password: "correct horse battery" };
    const { userId } = await createReseller(world.operator, input);
    expect(await roleOf(userId as UserId)).toBe("owner");
  });

  test("among the admins is an owner, as the command line creates it", async () => {
    const input = { email: newEmail(), name: "Root", password: "correct horse battery" };
    expect(await roleOf((await createAdmin(world.operator, input)).userId)).toBe("owner");
  });
});

describe("a change of a role", () => {
  test("counts from the next request of a live session, and is in the audit log", async () => {
    const { id } = await world.reseller({ funds: "0" });
    const owner = await add(id, "owner");
    const member = await add(id, "manager");
    const sessionId = await newSession(member);
    expect(await findSession(world.db, sessionId)).toMatchObject({ kind: "reseller", role: "manager" });
    await setUserRole(ownerAt(id, owner), { userId: member, role: "finance" });
    await setUserRole(ownerAt(id, owner), { userId: member, role: "finance" });
    expect(await findSession(world.db, sessionId)).toMatchObject({ kind: "reseller", role: "finance" });
    const where = { action: "user.set_role", subject: `user:${member}` };
    const entries = await world.db.prisma.auditEntry.findMany({ where });
    expect(entries).toMatchObject([
      {
        actor: `user:${owner}`,
        resellerId: id,
        data: { changes: { role: { before: "manager", after: "finance" } } },
      },
    ]);
  });

  test("of an admin counts for acting as a reseller, too", async () => {
    const { id } = await world.reseller({ funds: "0" });
    await add(null, "owner");
    const admin = await add(null, "operator");
    const sessionId = await newSession(admin);
    await startActing({ ...adminIs(admin, "operator"), sessionId }, { resellerId: id });
    expect(await findSession(world.db, sessionId)).toMatchObject({ kind: "reseller", role: "owner", resellerId: id });
    await setUserRole(world.operator, { userId: admin, role: "support" });
    expect(await findSession(world.db, sessionId)).toMatchObject({ kind: "reseller", role: "viewer", resellerId: id });
  });

  test("is never one's own, nor to a role of the other kind of user", async () => {
    const { id } = await world.reseller({ funds: "0" });
    const [owner, other] = [await add(id, "owner"), await add(id, "viewer")];
    const ctx = ownerAt(id, owner);
    expect(await codeOf(setUserRole(ctx, { userId: owner, role: "viewer" }))).toBe("state_invalid");
    for (const role of ["operator", "admin", "", "Owner"]) {
      expect(await codeOf(setUserRole(ctx, { userId: other, role }))).toBe("parameters_invalid");
    }
    const admin = await add(null, "support");
    expect(await codeOf(setUserRole(world.operator, { userId: admin, role: "viewer" }))).toBe("parameters_invalid");
    expect([await roleOf(owner), await roleOf(other), await roleOf(admin)]).toEqual(["owner", "viewer", "support"]);
  });
});

describe("the last enabled owner", () => {
  test("of a reseller and of the admins is neither disabled nor demoted, by anyone", async () => {
    const { id } = await world.reseller({ funds: "0" });
    const owner = await add(id, "owner");
    const second = await add(id, "owner");
    const attempts = async (userId: UserId) => [
      await codeOf(setUserRole(world.operator, { userId, role: "support" })),
      await codeOf(setUserDisabled(world.operator, { userId, disabled: true })),
    ];
    await setUserDisabled(world.operator, { userId: second, disabled: true });
    expect(await attempts(owner)).toEqual(["state_invalid", "state_invalid"]);
    await setUserDisabled(world.operator, { userId: second, disabled: false });
    expect(await attempts(owner)).toEqual(["done", "done"]);

    const admins = await world.db.prisma.user.findMany({ where: { resellerId: null, role: "owner" } });
    const outcomes = [];
    for (const admin of admins) outcomes.push(...(await attempts(admin.id as UserId)));
    expect(outcomes.slice(-2)).toEqual(["state_invalid", "state_invalid"]);
    expect(outcomes.slice(0, -2).every((outcome) => outcome === "done")).toBe(true);
  });

  test.each([
    ["demote each other", "role", "role"],
    ["disable each other", "disable", "disable"],
    ["demote and disable each other", "role", "disable"],
  ] as const)("remains when two owners %s at once", async (_, first, second) => {
    const { id } = await world.reseller({ funds: "0" });
    const end = (ctx: ServiceContext, how: "role" | "disable", userId: UserId) =>
      how === "role" ? setUserRole(ctx, { userId, role: "viewer" }) : setUserDisabled(ctx, { userId, disabled: true });
    for (let round = 0; round < 10; round += 1) {
      const [one, two] = [await add(id, "owner"), await add(id, "owner")];
      const others = await world.db.prisma.user.findMany({
        where: { resellerId: id, role: "owner", disabledAt: null, id: { notIn: [one, two] } },
      });
      for (const other of others) await setUserRole(world.operator, { userId: other.id as UserId, role: "viewer" });
      const outcomes = await Promise.all([
        codeOf(end(ownerAt(id, one), first, two)),
        codeOf(end(ownerAt(id, two), second, one)),
      ]);
      expect(outcomes.toSorted()).toEqual(["done", "state_invalid"]);
      expect(await world.db.prisma.user.count({ where: { resellerId: id, role: "owner", disabledAt: null } })).toBe(1);
    }
  });
});

test("admins are changed by admins with the role Owner alone, and resellers' users by operators, too", async () => {
  const { id } = await world.reseller({ funds: "0" });
  await add(id, "owner");
  await add(null, "owner");
  const actor = await add(null, "owner");
  for (const role of adminRoleNames) {
    const ctx = adminIs(actor, role);
    const [admin, user] = [await add(null, "support"), await add(id, "viewer")];
    const asked = async (userId: UserId) => [
      await codeOf(setUserRole(ctx, { userId, role: "finance" })),
      await codeOf(resetUserPassword(ctx, { userId })),
      await codeOf(setUserDisabled(ctx, { userId, disabled: true })),
    ];
    const all = (outcome: string) => Array.from({ length: 3 }, () => outcome);
    expect([role, await asked(admin)]).toEqual([role, all(role === "owner" ? "done" : "permission_denied")]);
    const mayUsers = role === "owner" || role === "operator";
    expect([role, await asked(user)]).toEqual([role, all(mayUsers ? "done" : "permission_denied")]);
    const created = createUser(ctx, { email: newEmail(), name: "A", resellerId: null, role: "support" });
    expect([role, await codeOf(created)]).toEqual([role, role === "owner" ? "done" : "permission_denied"]);
  }
});

test("only owners change a team; each role sees it", async () => {
  const { id } = await world.reseller({ funds: "0" });
  const [owner, member] = [await add(id, "owner"), await add(id, "viewer")];
  for (const role of ["manager", "viewer", "developer"] as const) {
    const ctx = world.context(actors.user(id, role));
    expect((await listUsers(ctx, { limit: 10 })).rows).toHaveLength(2);
    expect(await codeOf(setUserRole(ctx, { userId: member, role: "owner" }))).toBe("permission_denied");
  }
  await setUserRole(ownerAt(id, owner), { userId: member, role: "owner" });
  expect(await roleOf(member)).toBe("owner");
});
