import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ResellerId, UserId } from "#lib/domain/ids.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { setResellerSuspended } from "#lib/services/reseller/settings.ts";
import { requestTopUp } from "#lib/services/wallet/request-top-up.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { startActing, stopActing } from "./act-as.ts";
import { changeOwnPassword } from "./change-password.ts";
import { createUser } from "./create.ts";
import { createAdmin } from "./create-admin.ts";
import { listUsers } from "./list.ts";
import { endOwnSession, listOwnSessions } from "./own-sessions.ts";
import { resetUserPassword } from "./reset-password.ts";
import { setUserDisabled } from "./set-disabled.ts";
import { findSession, signIn, signOut } from "./sign-in.ts";

let world: World;
let adminId: UserId;
let admin: ServiceContext;
beforeAll(async () => {
  world = await newWorld();
  ({ userId: adminId } = await createAdmin(world.operator, {
    email: "root@example.com",
    name: "Root",
    password: "a long enough secret",
  }));
  admin = world.context({ kind: "admin", userId: adminId, resellerId: null });
});
afterAll(() => world.close());

let made = 0;
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "done",
    (error: { code?: string }) => error.code,
  );

async function newPerson(resellerId: ResellerId | null) {
  made += 1;
  const email = `person${made}@example.com`;
  const { userId, oneTimePassword } = await createUser(admin, { email, name: `Person ${made}`, resellerId });
  return { email, userId, oneTimePassword };
}

const visitor = { address: "203.0.113.9", userAgent: "Firefox" };

async function enter(email: string, password: string): Promise<string> {
  const result = await signIn(world.db, { email, password, ...visitor }, world.now());
  if (result.kind !== "signed_in") throw new Error(`not signed in: ${result.kind}`);
  return result.sessionId;
}

const sessionOf = (sessionId: string) => findSession(world.db, sessionId, world.now());

describe("a one-time password", () => {
  test("lets in until it is changed or a week is over, and the one chosen instead stays", async () => {
    const { id: resellerId } = await world.reseller();
    const { email, userId, oneTimePassword } = await newPerson(resellerId);
    const sessionId = await enter(email, oneTimePassword);
    expect(await sessionOf(sessionId)).toMatchObject({
      userId,
      resellerId,
      role: "reseller",
      mustChangePassword: true,
    });
    const ctx = world.context({ kind: "reseller_user", userId, resellerId });
    const elsewhere = await enter(email, oneTimePassword);
    const change = { currentPassword: oneTimePassword, newPassword: "correct horse battery", sessionId };
    await changeOwnPassword(ctx, change);
    expect(await sessionOf(sessionId)).toMatchObject({ mustChangePassword: false });
    expect(await sessionOf(elsewhere)).toBeNull();
    await expect(enter(email, oneTimePassword)).rejects.toThrow("refused");
    expect(await codeOf(changeOwnPassword(ctx, change))).toBe("parameters_invalid");

    const late = await newPerson(resellerId);
    const past = new Date(world.now().getTime() + 8 * 86_400_000);
    const { kind } = await signIn(world.db, { email: late.email, password: late.oneTimePassword, ...visitor }, past);
    expect(kind).toBe("refused");
  });

  test("made by somebody else ends the sessions and the old password; nobody makes one for themselves", async () => {
    const { id: resellerId } = await world.reseller();
    const { email, userId, oneTimePassword } = await newPerson(resellerId);
    const sessionId = await enter(email, oneTimePassword);
    const reset = await resetUserPassword(admin, { userId });
    expect(await sessionOf(sessionId)).toBeNull();
    await expect(enter(email, oneTimePassword)).rejects.toThrow("refused");
    await enter(email, reset.oneTimePassword);
    expect(await codeOf(resetUserPassword(admin, { userId: adminId }))).toBe("state_invalid");
    const told = await world.db.query({ text: "select a::text, u::text from audit_entries a, users u", values: [] });
    for (const secret of [oneTimePassword, reset.oneTimePassword]) expect(JSON.stringify(told)).not.toContain(secret);
  });
});

describe("a disabled user", () => {
  test("is out at once and stays out until enabled again", async () => {
    const { id: resellerId } = await world.reseller();
    const { email, userId, oneTimePassword } = await newPerson(resellerId);
    const sessionId = await enter(email, oneTimePassword);
    await setUserDisabled(admin, { userId, disabled: true });
    expect(await sessionOf(sessionId)).toBeNull();
    await expect(enter(email, oneTimePassword)).rejects.toThrow("refused");
    await setUserDisabled(admin, { userId, disabled: false });
    expect(await sessionOf(sessionId)).toBeNull();
    await enter(email, oneTimePassword);
  });

  test("is never oneself, and never the last admin, also when two disable each other at once", async () => {
    expect(await codeOf(setUserDisabled(admin, { userId: adminId, disabled: true }))).toBe("state_invalid");
    expect(await codeOf(setUserDisabled(world.operator, { userId: adminId, disabled: true }))).toBe("state_invalid");
    const other = await newPerson(null);
    const otherAdmin = world.context({ kind: "admin", userId: other.userId, resellerId: null });
    const outcomes = await Promise.all([
      codeOf(setUserDisabled(admin, { userId: other.userId, disabled: true })),
      codeOf(setUserDisabled(otherAdmin, { userId: adminId, disabled: true })),
    ]);
    expect(outcomes.toSorted()).toEqual(["done", "state_invalid"]);
    for (const userId of [adminId, other.userId]) await setUserDisabled(world.operator, { userId, disabled: false });
  });
});

test("a reseller's user manages the people of its reseller, and those of others do not exist for it", async () => {
  const [own, foreign] = [await world.reseller(), await world.reseller()];
  const colleague = await newPerson(own.id);
  const stranger = await newPerson(foreign.id);
  const ctx = world.context({ kind: "reseller_user", userId: colleague.userId, resellerId: own.id });
  const { users } = await listUsers(ctx, { limit: 50 });
  expect(users.map(({ id }) => id)).toEqual([colleague.userId]);
  const invited = await createUser(ctx, { email: "new@own.example", name: "New", resellerId: own.id });
  await setUserDisabled(ctx, { userId: invited.userId, disabled: true });
  for (const attempt of [
    () => setUserDisabled(ctx, { userId: stranger.userId, disabled: true }),
    () => setUserDisabled(ctx, { userId: adminId, disabled: true }),
    () => resetUserPassword(ctx, { userId: stranger.userId }),
    () => createUser(ctx, { email: "a@b.example", name: "A", resellerId: foreign.id }),
    () => createUser(ctx, { email: "a@b.example", name: "A", resellerId: null }),
  ]) {
    expect(await codeOf(attempt())).toBe("not_found");
  }
  await enter(stranger.email, stranger.oneTimePassword);
});

test("of a user's sessions each can be ended, by that user alone", async () => {
  const person = await newPerson(null);
  const ctx = world.context({ kind: "admin", userId: person.userId, resellerId: null });
  const [first, second] = [
    await enter(person.email, person.oneTimePassword),
    await enter(person.email, person.oneTimePassword),
  ];
  expect(await codeOf(endOwnSession(admin, { sessionId: first }))).toBe("not_found");
  expect(await codeOf(endOwnSession(ctx, { sessionId: "no uuid" }))).toBe("not_found");
  await endOwnSession(ctx, { sessionId: first });
  expect(await sessionOf(first)).toBeNull();
  expect(await listOwnSessions(ctx)).toEqual([
    expect.objectContaining({ id: second, address: "203.0.113.9", userAgent: "Firefox" }),
  ]);
});

describe("an admin who acts as a reseller", () => {
  test("has that reseller's identity until they stop, sign out, or an hour is over; both ends are in the audit log", async () => {
    const { id: resellerId } = await world.reseller();
    const person = await newPerson(null);
    const ctx = world.context({ kind: "admin", userId: person.userId, resellerId: null });
    const sessionId = await enter(person.email, person.oneTimePassword);
    await startActing(ctx, { sessionId, resellerId });
    expect(await sessionOf(sessionId)).toMatchObject({ role: "reseller", resellerId, userId: person.userId });
    const acting = world.context({ kind: "reseller_user", userId: person.userId, resellerId, actingAdmin: true });
    await stopActing(acting, { sessionId });
    await stopActing(acting, { sessionId });
    expect(await sessionOf(sessionId)).toMatchObject({ role: "admin", resellerId: null, actingAs: null });

    const { until } = await startActing(ctx, { sessionId, resellerId });
    expect(until.getTime() - world.now().getTime()).toBe(3_600_000);
    expect(await findSession(world.db, sessionId, until)).toMatchObject({ role: "admin", actingAs: null });
    await signOut(world.db, sessionId, world.now());
    expect(await sessionOf(sessionId)).toBeNull();

    const entries = await world.db.prisma.auditEntry.findMany({
      where: { resellerId, action: { startsWith: "session." } },
      orderBy: { id: "asc" },
    });
    expect(entries.map(({ action, actor }) => [action, actor])).toEqual(
      ["act_as", "stop_acting", "act_as", "stop_acting"].map((verb) => [`session.${verb}`, `user:${person.userId}`]),
    );
  });

  test("acts in their own session alone, and only for a reseller that there is", async () => {
    const { id: resellerId } = await world.reseller();
    const person = await newPerson(null);
    const sessionId = await enter(person.email, person.oneTimePassword);
    expect(await codeOf(startActing(admin, { sessionId, resellerId }))).toBe("not_found");
    const ctx = world.context({ kind: "admin", userId: person.userId, resellerId: null });
    expect(await codeOf(startActing(ctx, { sessionId, resellerId: 999_999 as ResellerId }))).toBe("not_found");
    expect(await sessionOf(sessionId)).toMatchObject({ role: "admin", actingAs: null });
  });

  test("leaves their own name and the reseller's in the audit log, and cannot touch its people", async () => {
    const { id: resellerId } = await world.reseller();
    const { userId } = await newPerson(resellerId);
    const acting = world.context({ kind: "reseller_user", userId: adminId, resellerId, actingAdmin: true });
    await requestTopUp(acting, { amount: "5", reference: "ACT-1", method: "cash", note: "" });
    expect(
      await world.db.prisma.auditEntry.findFirst({ where: { resellerId, action: "wallet.request_top_up" } }),
    ).toEqual(expect.objectContaining({ actor: `user:${adminId}`, actingAsResellerId: resellerId }));
    expect(await codeOf(resetUserPassword(acting, { userId }))).toBe("permission_denied");
    expect(await codeOf(setUserDisabled(acting, { userId, disabled: true }))).toBe("permission_denied");
  });
});

test("a suspended reseller's users are out at once, and in again when the suspension is lifted", async () => {
  const { id: resellerId } = await world.reseller();
  const { email, oneTimePassword } = await newPerson(resellerId);
  const sessionId = await enter(email, oneTimePassword);
  const suspend = (suspended: boolean) => setResellerSuspended(admin, { resellerId, suspended, reason: "Unpaid" });
  await suspend(true);
  await suspend(true);
  expect(await sessionOf(sessionId)).toBeNull();
  await expect(enter(email, oneTimePassword)).rejects.toThrow("refused");
  await suspend(false);
  expect(await sessionOf(sessionId)).not.toBeNull();
  const where = { resellerId, action: { contains: "suspend" } };
  expect(await world.db.prisma.auditEntry.count({ where })).toBe(2);
});

describe("wrong passwords", () => {
  const attempt = (email: string, password: string, address: string) =>
    signIn(world.db, { email, password, address, userAgent: "" }, world.now());

  test("make an account wait after ten, from whatever address and process, and the right one ends that", async () => {
    const { email, userId, oneTimePassword } = await newPerson(null);
    const kinds = await Promise.all(
      Array.from({ length: 14 }, async (_, n) => (await attempt(email, "wrong", `198.51.100.${n}`)).kind),
    );
    expect(kinds.toSorted()).toEqual([...Array(10).fill("refused"), ...Array(4).fill("too_many")]);
    expect(await attempt(email, oneTimePassword, "198.51.100.99")).toEqual({ kind: "too_many", waitSeconds: 60 });
    world.advance(60_000);
    expect((await attempt(email, "wrong", "198.51.100.99")).kind).toBe("refused");
    expect(await attempt(email, oneTimePassword, "198.51.100.99")).toEqual({ kind: "too_many", waitSeconds: 120 });
    const { oneTimePassword: another } = await resetUserPassword(world.operator, { userId });
    await enter(email, another);
    for (let n = 0; n < 9; n++) expect((await attempt(email, "wrong", `198.51.100.${n}`)).kind).toBe("refused");
    await enter(email, another);
  });

  test("make an address wait after a hundred, whatever the account", async () => {
    const address = "198.51.100.200";
    const key = "insert into sign_in_attempts (key, count, last_at) values (sha256($1::bytea), $2, $3)";
    await world.db.query({ text: key, values: [`address:${address}`, 99, world.now()] });
    const { email, oneTimePassword } = await newPerson(null);
    expect((await attempt(email, oneTimePassword, address)).kind).toBe("signed_in");
    expect((await attempt("nobody@example.com", "wrong", address)).kind).toBe("refused");
    expect((await attempt(email, oneTimePassword, address)).kind).toBe("too_many");
    world.advance(3_600_000);
    expect((await attempt(email, oneTimePassword, address)).kind).toBe("signed_in");
  });
});
