import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countAttempts } from "#lib/db/user/sign-in-attempt.ts";
import type { ResellerId, UserId } from "#lib/domain/ids.ts";
import { type Role, resellerRoleNames } from "#lib/domain/roles.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { setResellerSuspended } from "#lib/services/reseller/settings.ts";
import { requestTopUp } from "#lib/services/wallet/request-top-up.ts";
import { sql } from "#tests/sql.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { startActing, stopActing } from "./act-as.ts";
import { changeOwnPassword } from "./change-password.ts";
import { changeOwnProfile } from "./change-profile.ts";
import { createUser } from "./create.ts";
import { createAdmin } from "./create-admin.ts";
import { listUsers } from "./list.ts";
import { endOtherSessions, endOwnSession, listOwnSessions } from "./own-sessions.ts";
import { resetUserPassword } from "./reset-password.ts";
import { setUserDisabled } from "./set-disabled.ts";
import { setUserRole } from "./set-role.ts";
import { findSession, noteActivity, signIn, signOut } from "./sign-in.ts";
import { createSignInGate } from "./sign-in-gate.ts";

let world: World;
let adminId: UserId;
let admin: ServiceContext;
beforeAll(async () => {
  world = await newWorld({ start: new Date() });
  ({ userId: adminId } = await createAdmin(world.operator, {
    email: "root@example.com",
    name: "Root",
    password: "a long enough secret",
  }));
  admin = world.context({ kind: "admin", userId: adminId, resellerId: null, role: "owner" });
});
afterAll(() => world.close());

let made = 0;
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "done",
    (error: { code?: string }) => error.code,
  );

async function newPerson(resellerId: ResellerId | null, role: Role = "owner") {
  made += 1;
  const email = `person${made}@example.com`;
  const { userId } = await createUser(admin, { email, name: `Person ${made}`, resellerId, role });
  const { oneTimePassword } = await resetUserPassword(world.operator, { userId });
  return { email, userId, oneTimePassword };
}

const LIMITS = { idleMinutes: 60, maxHours: 48 };
const gate = createSignInGate();
const visitor = { address: "203.0.113.9", userAgent: "Firefox", findDevices: () => [] };

async function enter(email: string, password: string): Promise<string> {
  const result = await signIn(world.db, { email, password, ...visitor }, LIMITS, gate);
  if (result.kind !== "signed_in") throw new Error(`not signed in: ${result.kind}`);
  return result.sessionId;
}

const sessionOf = (sessionId: string) => findSession(world.db, sessionId);
const change = (text: string, id: number | string) => world.db.query(sql(text), [id]);

test("a user's time zone is one of the IANA database, and theirs alone", async () => {
  const { email, oneTimePassword } = await newPerson(null, "support");
  const entered = await sessionOf(await enter(email, oneTimePassword));
  if (entered === null) throw new Error("no session");
  const own = world.context({ kind: "admin", userId: entered.userId, resellerId: null, role: "support" });
  const input = { name: "Ada", timeZone: "Europe/Berlin", formatLocale: "en-AT" };
  expect(await codeOf(changeOwnProfile(own, { ...input, timeZone: "Europe/Atlantis" }))).toBe("parameters_invalid");
  expect(await codeOf(changeOwnProfile(own, { ...input, formatLocale: "xx" }))).toBe("parameters_invalid");
  await changeOwnProfile(own, input);
  expect(await sessionOf(entered.sessionId)).toMatchObject({
    name: "Ada",
    timeZone: "Europe/Berlin",
    formatLocale: "en-AT",
  });
  await changeOwnProfile(own, { ...input, timeZone: "" });
  expect(await sessionOf(entered.sessionId)).toMatchObject({ timeZone: null });
});

describe("a one-time password", () => {
  test("is valid until it is changed or a week has passed, and its replacement remains", async () => {
    const { id: resellerId } = await world.reseller();
    const { email, userId, oneTimePassword } = await newPerson(resellerId);
    const sessionId = await enter(email, oneTimePassword);
    expect(await sessionOf(sessionId)).toMatchObject({
      userId,
      resellerId,
      kind: "reseller",
      role: "owner",
      mustChangePassword: true,
    });
    const ctx = world.context({ kind: "reseller_user", userId, resellerId, role: "owner" }, { sessionId });
    const elsewhere = await enter(email, oneTimePassword);
    const input = { currentPassword: oneTimePassword, newPassword: "correct horse battery" };
    await changeOwnPassword(ctx, input);
    expect(await sessionOf(sessionId)).toMatchObject({ mustChangePassword: false });
    expect(await sessionOf(elsewhere)).toBeNull();
    await expect(enter(email, oneTimePassword)).rejects.toThrow("refused");
    const another = { ...input, newPassword: "another horse battery" };
    expect(await codeOf(changeOwnPassword(ctx, another))).toBe("parameters_invalid");
    expect(await codeOf(changeOwnPassword(ctx, { ...another, currentPassword: null }))).toBe("parameters_invalid");

    const late = await newPerson(resellerId);
    await change(
      "update users set one_time_password_until = clock_timestamp() - interval '1 second' where id = $1",
      late.userId,
    );
    await expect(enter(late.email, late.oneTimePassword)).rejects.toThrow("refused");
  });

  test("is not asked for again after signing in with it, and is not chosen again", async () => {
    const { id: resellerId } = await world.reseller();
    const { email, userId, oneTimePassword } = await newPerson(resellerId);
    const sessionId = await enter(email, oneTimePassword);
    const ctx = world.context({ kind: "reseller_user", userId, resellerId, role: "owner" }, { sessionId });
    const choose = (newPassword: string) => changeOwnPassword(ctx, { currentPassword: null, newPassword });
    expect(await codeOf(choose(oneTimePassword))).toBe("parameters_invalid");
    await choose("correct horse battery");
    expect(await sessionOf(sessionId)).toMatchObject({ mustChangePassword: false });
    expect(await codeOf(choose("another horse battery"))).toBe("parameters_invalid");
  });

  test("is changed once by a form that is sent again or twice at once, because its answer was lost", async () => {
    const { id: resellerId } = await world.reseller();
    const { email, userId, oneTimePassword } = await newPerson(resellerId);
    const sessionId = await enter(email, oneTimePassword);
    const ctx = world.context({ kind: "reseller_user", userId, resellerId, role: "owner" }, { sessionId });
    const first = { currentPassword: null, newPassword: "correct horse battery" };
    await Promise.all([changeOwnPassword(ctx, first), changeOwnPassword(ctx, first)]);
    const input = { ...first, currentPassword: first.newPassword, newPassword: "another horse battery" };
    await changeOwnPassword(ctx, input);
    await changeOwnPassword(ctx, input);
    await expect(enter(email, first.newPassword)).rejects.toThrow("refused");
    await enter(email, input.newPassword);
    const where = { subject: `user:${userId}`, action: "user.change_password" };
    expect(await world.db.prisma.auditEntry.count({ where })).toBe(2);
    expect(await codeOf(changeOwnPassword(ctx, { ...input, newPassword: "a third horse battery" }))).toBe(
      "parameters_invalid",
    );
    const elsewhere = await enter(email, input.newPassword);
    await changeOwnPassword(ctx, { ...input, currentPassword: "a mistyped one" });
    expect(await sessionOf(elsewhere)).toBeNull();
  });

  test("is changed by one of two different forms at once, and the other is refused", async () => {
    const { id: resellerId } = await world.reseller();
    const { email, userId, oneTimePassword } = await newPerson(resellerId);
    const sessionId = await enter(email, oneTimePassword);
    const ctx = world.context({ kind: "reseller_user", userId, resellerId, role: "owner" }, { sessionId });
    const choices = ["correct horse battery", "another horse battery"];
    const choose = (newPassword: string) => changeOwnPassword(ctx, { currentPassword: null, newPassword });
    const outcomes = await Promise.all(choices.map((choice) => codeOf(choose(choice))));
    expect(outcomes.toSorted()).toEqual(["conflict", "done"]);
    await enter(email, choices[outcomes.indexOf("done")] ?? "");
  });

  test("is replaced after its end by a user whom a passkey has let in", async () => {
    const { id: resellerId } = await world.reseller();
    const { email, userId, oneTimePassword } = await newPerson(resellerId);
    const sessionId = await enter(email, oneTimePassword);
    await change(
      "update users set one_time_password_until = clock_timestamp() - interval '1 day' where id = $1",
      userId,
    );
    const ctx = world.context({ kind: "reseller_user", userId, resellerId, role: "owner" }, { sessionId });
    await changeOwnPassword(ctx, { currentPassword: null, newPassword: "correct horse battery" });
    expect(await sessionOf(sessionId)).toMatchObject({ mustChangePassword: false });
  });

  test("reports a wrong current password and a weak new one together", async () => {
    const { id: resellerId } = await world.reseller();
    const { userId } = await newPerson(resellerId);
    const ctx = world.context({ kind: "reseller_user", userId, resellerId, role: "owner" });
    const both = changeOwnPassword(ctx, { currentPassword: "wrong", newPassword: "short" });
    await expect(both).rejects.toMatchObject({
      details: { current_password: expect.any(String), new_password: expect.any(String) },
    });
  });

  test("created by another user ends the sessions and the old password; no user creates their own", async () => {
    const { id: resellerId } = await world.reseller();
    const { email, userId, oneTimePassword } = await newPerson(resellerId);
    const sessionId = await enter(email, oneTimePassword);
    const reset = await resetUserPassword(admin, { userId });
    expect(await sessionOf(sessionId)).toBeNull();
    await expect(enter(email, oneTimePassword)).rejects.toThrow("refused");
    await enter(email, reset.oneTimePassword);
    expect(await codeOf(resetUserPassword(admin, { userId: adminId }))).toBe("state_invalid");
    const contents = await world.db.query(sql("select a::text, u::text from audit_entries a, users u"), []);
    for (const secret of [oneTimePassword, reset.oneTimePassword])
      expect(JSON.stringify(contents)).not.toContain(secret);
  });
});

describe("a disabled user", () => {
  test("is signed out immediately and cannot sign in until enabled", async () => {
    const { id: resellerId } = await world.reseller();
    await newPerson(resellerId);
    const { email, userId, oneTimePassword } = await newPerson(resellerId);
    const sessionId = await enter(email, oneTimePassword);
    await setUserDisabled(admin, { userId, disabled: true });
    expect(await sessionOf(sessionId)).toBeNull();
    await expect(enter(email, oneTimePassword)).rejects.toThrow("refused");
    await setUserDisabled(admin, { userId, disabled: false });
    expect(await sessionOf(sessionId)).toBeNull();
    await enter(email, oneTimePassword);
  });

  test("is never the actor or the last owner, even if two owners disable each other concurrently", async () => {
    expect(await codeOf(setUserDisabled(admin, { userId: adminId, disabled: true }))).toBe("state_invalid");
    expect(await codeOf(setUserDisabled(world.operator, { userId: adminId, disabled: true }))).toBe("state_invalid");
    const other = await newPerson(null);
    const otherAdmin = world.context({ kind: "admin", userId: other.userId, resellerId: null, role: "owner" });
    const outcomes = await Promise.all([
      codeOf(setUserDisabled(admin, { userId: other.userId, disabled: true })),
      codeOf(setUserDisabled(otherAdmin, { userId: adminId, disabled: true })),
    ]);
    expect(outcomes.toSorted()).toEqual(["done", "state_invalid"]);
    for (const userId of [adminId, other.userId]) await setUserDisabled(world.operator, { userId, disabled: false });
  });
});

describe("a reseller's user", () => {
  test("sees and adds only users of its reseller", async () => {
    const [own, foreign] = [await world.reseller(), await world.reseller()];
    const colleague = await newPerson(own.id);
    await newPerson(foreign.id);
    const ctx = world.context({ kind: "reseller_user", userId: colleague.userId, resellerId: own.id, role: "owner" });
    const { rows: users } = await listUsers(ctx, { limit: 50 });
    expect(users.map(({ id }) => id)).toEqual([colleague.userId]);
    const person = { email: "new@own.example", name: "New", resellerId: own.id, role: "viewer" };
    const invited = await createUser(ctx, person);
    await enter("new@own.example", (await resetUserPassword(admin, invited)).oneTimePassword);
    for (const resellerId of [foreign.id, null]) {
      expect(await codeOf(createUser(ctx, { email: "a@b.example", name: "A", resellerId, role: "viewer" }))).toBe(
        "not_found",
      );
    }
  });

  test("cannot reset any password, and disables or changes a user only as an owner of the team", async () => {
    const [own, foreign] = [await world.reseller(), await world.reseller()];
    const [self, colleague, stranger] = [await newPerson(own.id), await newPerson(own.id), await newPerson(foreign.id)];
    for (const role of resellerRoleNames) {
      const ctx = world.context({
        kind: "reseller_user",
        userId: self.userId,
        resellerId: own.id,
        role,
      });
      for (const userId of [colleague.userId, stranger.userId, adminId, self.userId]) {
        expect(await codeOf(resetUserPassword(ctx, { userId }))).toBe("permission_denied");
        const isOther = userId === stranger.userId || userId === adminId;
        const disabled = isOther ? "not_found" : userId === self.userId ? "state_invalid" : "done";
        const expected = role === "owner" ? disabled : "permission_denied";
        expect(await codeOf(setUserDisabled(ctx, { userId, disabled: true }))).toBe(expected);
        expect(await codeOf(setUserRole(ctx, { userId, role: "viewer" }))).toBe(expected);
      }
      if (role === "owner") await expect(enter(colleague.email, colleague.oneTimePassword)).rejects.toThrow("refused");
      await setUserDisabled(admin, { userId: colleague.userId, disabled: false });
    }
    expect(await sessionOf(await enter(colleague.email, colleague.oneTimePassword))).toMatchObject({ role: "viewer" });
    await enter(stranger.email, stranger.oneTimePassword);
  });

  test("cannot detect a user elsewhere with the same email address, nor affect that user", async () => {
    const [own, foreign] = [await world.reseller(), await world.reseller()];
    const member = await newPerson(own.id);
    const ctx = world.context({ kind: "reseller_user", userId: member.userId, resellerId: own.id, role: "owner" });
    const admins = await newPerson(null);
    const theirs = await newPerson(foreign.id);
    for (const taken of [admins, theirs]) {
      const person = { email: taken.email, name: "Same address", resellerId: own.id, role: "viewer" };
      const { oneTimePassword } = await resetUserPassword(admin, await createUser(ctx, person));
      expect(await sessionOf(await enter(taken.email, oneTimePassword))).toMatchObject({ resellerId: own.id });
      expect(await sessionOf(await enter(taken.email, taken.oneTimePassword))).toMatchObject({ userId: taken.userId });
      expect(
        await codeOf(createUser(ctx, { email: taken.email, name: "Twice", resellerId: own.id, role: "viewer" })),
      ).toBe("conflict");
    }
    const salts = await world.db.query(
      sql<{ count: number }>(
        "select count(distinct split_part(password_hash, '$', 5))::int as count from users where email = $1",
      ),
      [theirs.email],
    );
    // One computation checks both passwords, so a wrong one takes equally long for two users.
    expect(salts).toEqual([{ count: 1 }]);
  });

  test("cannot choose the password of another user with its email address", async () => {
    const [own, foreign] = [await world.reseller(), await world.reseller()];
    const first = await newPerson(foreign.id);
    const chosen = "correct horse battery";
    const changeTo = async (person: typeof first, resellerId: ResellerId, currentPassword: string) =>
      changeOwnPassword(world.context({ kind: "reseller_user", userId: person.userId, resellerId, role: "owner" }), {
        currentPassword,
        newPassword: chosen,
      });
    await changeTo(first, foreign.id, first.oneTimePassword);
    const made = await createUser(admin, {
      email: first.email,
      name: "Same address",
      resellerId: own.id,
      role: "viewer",
    });
    const second = { ...first, userId: made.userId };
    const { oneTimePassword } = await resetUserPassword(admin, made);
    await expect(changeTo(second, own.id, oneTimePassword)).rejects.toMatchObject({
      code: "parameters_invalid",
      details: { new_password: expect.any(String) },
    });
    expect(await sessionOf(await enter(first.email, chosen))).toMatchObject({ userId: first.userId });
    // Whether it is refused tells whose it is, so each choice counts as a guess.
    const countOf = async ({ userId }: typeof second) =>
      (await countAttempts(world.db, [{ kind: "choice", name: String(userId) }]))[0];
    expect([await countOf(first), await countOf(second)]).toEqual([1, 1]);
  });
});

describe("a session", () => {
  const newSession = async () => {
    const person = await newPerson(null);
    return enter(person.email, person.oneTimePassword);
  };

  test("ends when idle for too long, and only pages and actions extend it", async () => {
    const [used, idle] = [await newSession(), await newSession()];
    for (const id of [used, idle]) {
      await change("update sessions set idle_at = clock_timestamp() + interval '1 second' where id = $1", id);
    }
    await noteActivity(world.db, used, LIMITS);
    await sessionOf(idle);
    for (const id of [used, idle])
      await change("update sessions set idle_at = idle_at - interval '1 second' where id = $1", id);
    expect(await sessionOf(used)).not.toBeNull();
    expect(await sessionOf(idle)).toBeNull();
  });

  test("ends after its maximum duration, even in use", async () => {
    const sessionId = await newSession();
    await change("update sessions set expires_at = clock_timestamp() - interval '1 second' where id = $1", sessionId);
    await noteActivity(world.db, sessionId, LIMITS);
    expect(await sessionOf(sessionId)).toBeNull();
  });

  test("is not listed, ended again or revived once it has ended", async () => {
    const person = await newPerson(null);
    const ctx = world.context({ kind: "admin", userId: person.userId, resellerId: null, role: "owner" });
    for (const ending of ["idle_at", "expires_at", "revoked_at"]) {
      const sessionId = await enter(person.email, person.oneTimePassword);
      // Stored in milliseconds, so now may be rounded up.
      await change(
        `update sessions set ${ending} = clock_timestamp() - interval '1 millisecond' where id = $1`,
        sessionId,
      );
      await noteActivity(world.db, sessionId, LIMITS);
      expect(await sessionOf(sessionId), ending).toBeNull();
      expect(await listOwnSessions(ctx, LIMITS), ending).toEqual([]);
      expect(await codeOf(endOwnSession(ctx, { sessionId })), ending).toBe("not_found");
    }
  });

  test("uses the database's clock, so a process with a wrong clock neither ends nor extends it", async () => {
    const sessionId = await newSession();
    const [row] = await world.db.query(
      sql<{ idle: number; max: number }>(`select round(extract(epoch from idle_at - created_at))::int as idle,
                    round(extract(epoch from expires_at - created_at))::int as max
               from sessions where id = $1 and created_at between clock_timestamp() - interval '1 minute' and clock_timestamp()`),
      [sessionId],
    );
    expect(row).toEqual({ idle: 3_600, max: 48 * 3_600 });
  });
});

test("can be ended individually, only by its user", async () => {
  const person = await newPerson(null);
  const ctx = world.context({ kind: "admin", userId: person.userId, resellerId: null, role: "owner" });
  const [first, second] = [
    await enter(person.email, person.oneTimePassword),
    await enter(person.email, person.oneTimePassword),
  ];
  expect(await codeOf(endOwnSession(admin, { sessionId: first }))).toBe("not_found");
  expect(await codeOf(endOwnSession(ctx, { sessionId: "no uuid" }))).toBe("not_found");
  await endOwnSession(ctx, { sessionId: first });
  expect(await sessionOf(first)).toBeNull();
  expect(await listOwnSessions(ctx, LIMITS)).toEqual([
    expect.objectContaining({ id: second, address: "203.0.113.9", userAgent: "Firefox" }),
  ]);
});

test("shows when it was last used, and can end all others of its user", async () => {
  const [person, stranger] = [await newPerson(null), await newPerson(null)];
  const ctx = world.context({ kind: "admin", userId: person.userId, resellerId: null, role: "owner" });
  const sessionId = await enter(person.email, person.oneTimePassword);
  const others = [await enter(person.email, person.oneTimePassword), await enter(person.email, person.oneTimePassword)];
  const foreign = await enter(stranger.email, stranger.oneTimePassword);
  await change("update sessions set created_at = created_at - interval '2 hours' where id = $1", sessionId);
  await change("update sessions set idle_at = idle_at - interval '10 minutes' where id = $1", sessionId);
  const used = (await listOwnSessions(ctx, LIMITS)).find(({ id }) => id === sessionId);
  const minutesSince = (at = new Date(0)) => Math.round((Date.now() - at.getTime()) / 60_000);
  expect([minutesSince(used?.lastUsedAt), minutesSince(used?.createdAt)]).toEqual([10, 120]);
  await endOtherSessions({ ...ctx, sessionId });
  for (const other of others) expect(await sessionOf(other)).toBeNull();
  for (const kept of [sessionId, foreign]) expect(await sessionOf(kept)).not.toBeNull();
});

describe("an admin who acts as a reseller", () => {
  test("has that reseller's identity until they stop, sign out, or an hour is over; both ends are in the audit log", async () => {
    const { id: resellerId } = await world.reseller();
    const person = await newPerson(null);
    const sessionId = await enter(person.email, person.oneTimePassword);
    const admin = { kind: "admin", userId: person.userId, resellerId: null, role: "owner" } as const;
    const ctx = world.context(admin, { sessionId });
    await startActing(ctx, { resellerId });
    expect(await sessionOf(sessionId)).toMatchObject({
      kind: "reseller",
      role: "owner",
      resellerId,
      userId: person.userId,
    });
    const actor = {
      kind: "reseller_user",
      userId: person.userId,
      resellerId,
      actingAdmin: true,
      role: "owner",
    } as const;
    const acting = world.context(actor, { sessionId });
    await stopActing(acting);
    await stopActing(acting);
    expect(await sessionOf(sessionId)).toMatchObject({
      kind: "admin",
      role: "owner",
      resellerId: null,
      actingAs: null,
    });

    await startActing(ctx, { resellerId });
    const until = new Date(world.now().getTime() + 3_600_000);
    expect(await sessionOf(sessionId)).toMatchObject({ kind: "reseller", actingAs: { until } });
    await change("update sessions set acting_until = clock_timestamp() - interval '1 second' where id = $1", sessionId);
    expect(await sessionOf(sessionId)).toMatchObject({ kind: "admin", role: "owner", actingAs: null });
    await startActing(ctx, { resellerId });
    await signOut(world.db, sessionId);
    expect(await sessionOf(sessionId)).toBeNull();

    const entries = await world.db.prisma.auditEntry.findMany({
      where: { resellerId, action: { startsWith: "session." } },
      orderBy: { id: "asc" },
    });
    expect(entries.map(({ action, actor }) => [action, actor])).toEqual(
      ["act_as", "stop_acting", "act_as", "act_as", "stop_acting"].map((verb) => [
        `session.${verb}`,
        `user:${person.userId}`,
      ]),
    );
  });

  test("acts only in their own session, and only as an existing reseller", async () => {
    const { id: resellerId } = await world.reseller();
    const person = await newPerson(null);
    const sessionId = await enter(person.email, person.oneTimePassword);
    expect(await codeOf(startActing({ ...admin, sessionId }, { resellerId }))).toBe("not_found");
    const ctx = world.context({ kind: "admin", userId: person.userId, resellerId: null, role: "owner" });
    expect(await codeOf(startActing({ ...ctx, sessionId }, { resellerId: 999_999 as ResellerId }))).toBe("not_found");
    expect(await sessionOf(sessionId)).toMatchObject({ kind: "admin", role: "owner", actingAs: null });
  });

  test("is named in the audit log with the reseller, and cannot change its users", async () => {
    const { id: resellerId } = await world.reseller();
    const { userId } = await newPerson(resellerId);
    const acting = world.context({
      kind: "reseller_user",
      userId: adminId,
      resellerId,
      actingAdmin: true,
      role: "owner",
    });
    await requestTopUp(acting, { amount: "5", reference: "ACT-1", method: "cash", note: "" });
    expect(
      await world.db.prisma.auditEntry.findFirst({ where: { resellerId, action: "wallet.request_top_up" } }),
    ).toEqual(expect.objectContaining({ actor: `user:${adminId}`, actingAsResellerId: resellerId }));
    expect(await codeOf(resetUserPassword(acting, { userId }))).toBe("permission_denied");
    expect(await codeOf(setUserDisabled(acting, { userId, disabled: true }))).toBe("permission_denied");
  });
});

test("a suspended reseller's users are signed out immediately, and can sign in once the suspension is lifted", async () => {
  const { id: resellerId } = await world.reseller();
  const { email, oneTimePassword } = await newPerson(resellerId);
  const sessionId = await enter(email, oneTimePassword);
  const suspend = (suspended: boolean) => setResellerSuspended(admin, { resellerId, suspended, reason: "Unpaid" });
  await suspend(true);
  await suspend(true);
  expect(await sessionOf(sessionId)).toBeNull();
  await expect(enter(email, oneTimePassword)).rejects.toThrow("refused");
  await suspend(false);
  expect(await sessionOf(sessionId)).toBeNull();
  expect(await sessionOf(await enter(email, oneTimePassword))).not.toBeNull();
  const where = { resellerId, action: { contains: "suspend" } };
  expect(await world.db.prisma.auditEntry.count({ where })).toBe(2);
});
