import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ResellerId, UserId } from "#lib/domain/ids.ts";
import { adminRoleNames, resellerRoleNames } from "#lib/domain/roles.ts";
import { listAuditLog } from "#lib/services/audit/list.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { sql } from "#tests/sql.ts";
import { codeOf } from "#tests/support/faults.ts";
import { deliverMails } from "#tests/support/mails.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { createUser } from "./create.ts";
import { createAdmin } from "./create-admin.ts";
import { listUsers } from "./list.ts";
import { removeUserFactors } from "./remove-factors.ts";
import { findSession } from "./sign-in.ts";

let world: World;
let adminId: UserId;
let made = 0;
beforeAll(async () => {
  world = await newWorld();
  const person = { email: "root@example.com", name: "Root", password: "a long enough secret" };
  ({ userId: adminId } = await createAdmin(world.operator, person));
});
afterAll(() => world.close());

const admin = () => world.context({ kind: "admin", userId: adminId, resellerId: null, role: "owner" });

/** A user with an authenticator app, a recovery code and a session. */
async function newPerson(resellerId: ResellerId | null) {
  const email = `person${++made}@example.com`;
  const { userId } = await createUser(world.operator, { email, name: "Ada", resellerId, role: "support" });
  await addApp(userId);
  const sessionId = crypto.randomUUID();
  await world.db.query(
    sql(`with code as (insert into recovery_codes (user_id, hash) values ($1, '\\x01'))
         insert into sessions (id, user_id, expires_at, idle_at) values ($2, $1, now() + interval '1 hour', now() + interval '1 hour')`),
    [userId, sessionId],
  );
  await world.db.query(sql("delete from mails"), []);
  await world.db.query(sql("update users set one_time_password_until = null where id = $1"), [userId]);
  return { email, userId, sessionId };
}

async function addApp(userId: UserId): Promise<void> {
  const text =
    "insert into totp_factors (user_id, secret, created_at, confirmed_at) values ($1, '\\x00', now(), now())";
  await world.db.query(sql(text), [userId]);
}

async function factorsOf(ctx: ServiceContext, userId: UserId) {
  const { rows: users } = await listUsers(ctx, { limit: 1_000 });
  return users.find(({ id }) => id === userId);
}

describe("removing a user's second factors", () => {
  test("removes all, ends their sessions, tells them by mail, and is in the audit log", async () => {
    const { id: resellerId } = await world.reseller();
    const { email, userId, sessionId } = await newPerson(resellerId);
    expect(await findSession(world.db, sessionId)).not.toBeNull();
    expect(await factorsOf(admin(), userId)).toMatchObject({ factors: ["app"] });
    expect(await removeUserFactors(admin(), { userId })).toEqual({ users: [{ userId, removed: true }] });
    expect(await factorsOf(admin(), userId)).toMatchObject({ factors: [] });
    expect(await world.db.query(sql("select 1 from recovery_codes where user_id = $1"), [userId])).toEqual([]);
    expect(await findSession(world.db, sessionId)).toBeNull();
    const mails = await deliverMails(world);
    expect(mails).toMatchObject([{ to: email, text: expect.stringContaining("removed your passkeys") }]);
    const filter = { subject: `user:${userId}` };
    const { rows: entries } = await listAuditLog(world.operator, { filter, before: null, limit: 1 });
    expect(entries).toMatchObject([{ action: "user.remove_factors", actor: `user:${adminId}` }]);
  });

  test("without any changes nothing and reports nothing", async () => {
    const { userId } = await newPerson(null);
    await removeUserFactors(admin(), { userId });
    await deliverMails(world);
    expect(await removeUserFactors(admin(), { userId })).toEqual({ users: [{ userId, removed: false }] });
    expect(await deliverMails(world)).toEqual([]);
  });

  test("is never for oneself, nor by an address that is one's own", async () => {
    await addApp(adminId);
    expect(await codeOf(removeUserFactors(admin(), { userId: adminId }))).toBe("state_invalid");
    expect(await codeOf(removeUserFactors(admin(), { email: "root@example.com" }))).toBe("state_invalid");
    expect(await factorsOf(admin(), adminId)).toMatchObject({ factors: ["app"] });
  });

  test("of an admin is for admins with the role Owner", async () => {
    const other = await newPerson(null);
    const operator = world.context({ kind: "admin", userId: 999_999 as UserId, resellerId: null, role: "operator" });
    expect(await codeOf(removeUserFactors(operator, { userId: other.userId }))).toBe("permission_denied");
    const { id: resellerId } = await world.reseller();
    const theirs = await newPerson(resellerId);
    expect(await removeUserFactors(operator, { userId: theirs.userId })).toMatchObject({ users: [{ removed: true }] });
  });

  test("of another reseller's user, or of nobody, is not found", async () => {
    const [own, foreign] = [await world.reseller(), await world.reseller()];
    const { userId } = await newPerson(foreign.id);
    const onPages = world.context({ kind: "admin", userId: adminId, resellerId: own.id, role: "owner" });
    expect(await codeOf(removeUserFactors(onPages, { userId }))).toBe("not_found");
    expect(await codeOf(removeUserFactors(admin(), { userId: 2_000_000_000 as UserId }))).toBe("not_found");
  });
});

describe("who has a second factor", () => {
  test("is for owners, managers, and admins who manage users", async () => {
    const { id: resellerId } = await world.reseller();
    const { userId } = await newPerson(resellerId);
    const id = 999_999 as UserId;
    const seeing: string[] = [];
    for (const role of resellerRoleNames) {
      const ctx = world.context({ kind: "reseller_user", userId: id, resellerId, role });
      if ((await factorsOf(ctx, userId))?.factors) seeing.push(`reseller's ${role}`);
    }
    for (const role of adminRoleNames) {
      const ctx = world.context({ kind: "admin", userId: id, resellerId: null, role });
      if ((await factorsOf(ctx, userId))?.factors) seeing.push(`admin ${role}`);
    }
    expect(seeing).toEqual(["reseller's owner", "reseller's manager", "admin owner", "admin operator"]);
  });

  test("marks those who lack one where the team or the installation requires it", async () => {
    const { id: resellerId } = await world.reseller();
    const [theirs, ours] = [await newPerson(resellerId), await newPerson(null)];
    for (const { userId } of [theirs, ours]) await removeUserFactors(admin(), { userId });
    const required = world.context(admin().actor, { settings: { ...admin().settings, adminsNeedFactor: true } });
    expect(await factorsOf(required, theirs.userId)).toMatchObject({ lacksFactor: false });
    expect(await factorsOf(required, ours.userId)).toMatchObject({ lacksFactor: true });
    expect(await factorsOf(admin(), ours.userId)).toMatchObject({ lacksFactor: false });
    await world.db.query(sql("update resellers set requires_second_factor = true where id = $1"), [resellerId]);
    expect(await factorsOf(admin(), theirs.userId)).toMatchObject({ lacksFactor: true });
    await addApp(theirs.userId);
    expect(await factorsOf(admin(), theirs.userId)).toMatchObject({ lacksFactor: false });
    const { userId } = await createUser(admin(), { email: "i@example.com", name: "Ivy", resellerId, role: "viewer" });
    expect(await factorsOf(admin(), userId)).toMatchObject({ factors: [], lacksFactor: false });
    const viewer = world.context({ kind: "reseller_user", userId: 9 as UserId, resellerId, role: "viewer" });
    expect(await factorsOf(viewer, theirs.userId)).toMatchObject({ factors: null, lacksFactor: false });
  });
});
