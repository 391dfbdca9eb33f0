import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { UserId } from "#lib/domain/ids.ts";
import type { KnownDevice } from "#lib/domain/known-device.ts";
import { RECOVERY_CODE_COUNT } from "#lib/domain/recovery-code.ts";
import { parseSealingKey } from "#lib/domain/sealed-secret.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { sql } from "#tests/sql.ts";
import { totpCode } from "#tests/support/totp.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { createAdmin } from "./create-admin.ts";
import { finishSignIn } from "./finish-sign-in.ts";
import { confirmTotp, getOwnFactors, removeTotp, replaceRecoveryCodes, startTotp } from "./own-factors.ts";
import { findExpectedProof, proveIdentity } from "./prove-identity.ts";
import { removeUserFactors } from "./remove-factors.ts";
import { resetUserPassword } from "./reset-password.ts";
import { setUserDisabled } from "./set-disabled.ts";
import { findSession, signIn } from "./sign-in.ts";
import { createSignInGate } from "./sign-in-gate.ts";

const LIMITS = { idleMinutes: 60, maxHours: 48 };
const STEP_MS = 30_000;
const sealingKey = parseSealingKey(Buffer.alloc(32, 7).toString("base64"));
const gate = createSignInGate({ delayOf: () => 0, busyHoldMs: 5 });

let world: World;
let made = 0;
beforeAll(async () => {
  world = await newWorld({ start: new Date() });
});
afterAll(() => world.close());

const settings = () => ({ ...world.operator.settings, sealingKey });

async function newPerson() {
  made += 1;
  const email = `person${made}@example.com`;
  const password = "correct horse battery";
  const { userId } = await createAdmin(world.operator, { email, name: `Person ${made}`, password });
  const ctx = world.context({ kind: "admin", userId, resellerId: null, role: "owner" }, { settings: settings() });
  return { email, userId, password, ctx };
}
type Person = Awaited<ReturnType<typeof newPerson>>;

const visitor = (...devices: KnownDevice[]) => ({
  address: "203.0.113.9",
  userAgent: "Firefox",
  findDevices: () => devices,
});
const givePassword = ({ email, password }: Person) => signIn(world.db, { email, password, ...visitor() }, LIMITS, gate);

async function enter(person: Person): Promise<string> {
  const result = await givePassword(person);
  if (result.kind !== "signed_in") throw new Error(`not signed in: ${result.kind}`);
  return result.sessionId;
}

/** The token of a right password. */
async function begin(person: Person): Promise<string> {
  const result = await givePassword(person);
  if (result.kind !== "second_factor") throw new Error(`no second factor is asked: ${result.kind}`);
  return result.token;
}

async function finish(token: string, code: string, method: "totp" | "recovery" = "totp", ...devices: KnownDevice[]) {
  const parts = { db: world.db, now: world.now, settings: settings() };
  return (await finishSignIn(parts, { token, method, code, ...visitor(...devices) }, LIMITS, gate)).kind;
}

/** With an authenticator app, turned on in this session. */
async function newProtected() {
  const person = await newPerson();
  const sessionId = await enter(person);
  const { secret } = await startTotp(person.ctx);
  const { recoveryCodes } = await confirmTotp(
    { ...person.ctx, sessionId },
    { secret, code: totpCode(secret, world.now()) },
  );
  world.advance(STEP_MS);
  return { ...person, ctx: { ...person.ctx, sessionId }, sessionId, secret, recoveryCodes };
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "done",
    (error: { code?: string }) => error.code,
  );
const isLive = async (sessionId: string) => (await findSession(world.db, sessionId)) !== null;
const auditOf = async (userId: UserId) =>
  (
    await world.db.query(sql<{ action: string }>("select action from audit_entries where subject = $1 order by id"), [
      `user:${userId}`,
    ])
  ).map(({ action }) => action);

describe("an authenticator app", () => {
  test("counts once a code has confirmed it, and ends the user's other sessions", async () => {
    const person = await newPerson();
    const [sessionId, elsewhere] = [await enter(person), await enter(person)];
    const { secret, uri } = await startTotp(person.ctx);
    expect(new URL(uri).searchParams.get("secret")).toBe(secret);
    await enter(person);
    expect(await codeOf(confirmTotp({ ...person.ctx, sessionId }, { secret, code: "000000" }))).toBe(
      "parameters_invalid",
    );
    expect(await getOwnFactors(person.ctx)).toEqual({
      totpSince: null,
      passkeys: 0,
      recoveryCodes: 0,
      isRequired: false,
    });
    const { recoveryCodes } = await confirmTotp(
      { ...person.ctx, sessionId },
      { secret, code: totpCode(secret, world.now()) },
    );
    expect(new Set(recoveryCodes).size).toBe(RECOVERY_CODE_COUNT);
    expect(await getOwnFactors(person.ctx)).toEqual({
      totpSince: world.now(),
      passkeys: 0,
      recoveryCodes: RECOVERY_CODE_COUNT,
      isRequired: false,
    });
    expect([await isLive(sessionId), await isLive(elsewhere)]).toEqual([true, false]);
    expect(await codeOf(startTotp(person.ctx))).toBe("state_invalid");
  });

  test("is set up by the newer of two tabs, and the older one says that its key was replaced", async () => {
    const person = await newPerson();
    const sessionId = await enter(person);
    const gone = confirmTotp({ ...person.ctx, sessionId }, { secret: "of an app that was removed", code: "123456" });
    await expect(gone).rejects.toMatchObject({ message: "This key is not valid any more. Set up the app again." });
    const [older, newer] = [await startTotp(person.ctx), await startTotp(person.ctx)];
    const confirm = ({ secret }: typeof older) =>
      confirmTotp({ ...person.ctx, sessionId }, { secret, code: totpCode(secret, world.now()) });
    const replaced = { code: "state_invalid", message: expect.stringContaining("Another key was shown since") };
    await expect(confirm(older)).rejects.toMatchObject(replaced);
    await confirm(newer);
    await expect(confirm(older)).rejects.toMatchObject(replaced);
  });

  test("that is turned on is not given up when it is confirmed again, or twice at once", async () => {
    const person = await newPerson();
    const sessionId = await enter(person);
    const { secret } = await startTotp(person.ctx);
    const confirm = () => confirmTotp({ ...person.ctx, sessionId }, { secret, code: totpCode(secret, world.now()) });
    const on = { code: "state_invalid", message: expect.stringContaining("turned on already") };
    const results = await Promise.allSettled([confirm(), confirm()]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(results.find(({ status }) => status === "rejected")).toMatchObject({ reason: on });
    await expect(confirm()).rejects.toMatchObject(on);
  });

  test("and recovery codes are stored sealed and hashed, never as shown", async () => {
    const { secret, recoveryCodes } = await newProtected();
    const stored = await world.db.query(
      sql<{ row: string }>(
        `select t::text || encode(t.secret, 'escape') as row from totp_factors t
         union all select c::text from recovery_codes c union all select a::text from audit_entries a`,
      ),
      [],
    );
    const text = JSON.stringify(stored);
    for (const shown of [secret, ...recoveryCodes]) expect(text).not.toContain(shown);
  });
});

describe("signing in with a second factor", () => {
  test("needs the code after the password, and opens nothing before", async () => {
    const person = await newProtected();
    const token = await begin(person);
    const sessions = () => world.db.prisma.session.count({ where: { userId: person.userId, revokedAt: null } });
    expect(await sessions()).toBe(1);
    expect(await findSession(world.db, crypto.randomUUID())).toBeNull();
    expect(await finish(token, "000000")).toBe("refused");
    expect(await sessions()).toBe(1);
    expect(await finish(token, totpCode(person.secret, world.now()))).toBe("signed_in");
    expect(await sessions()).toBe(2);
    expect(await auditOf(person.userId)).toEqual([
      "user.create",
      "session.sign_in",
      "user.add_factor",
      "user.factor_refused",
      "session.sign_in",
    ]);
  });

  test("accepts no time step twice, nor an earlier one, nor the one that turned the factor on", async () => {
    const person = await newProtected();
    const earlier = totpCode(person.secret, new Date(world.now().getTime() - STEP_MS));
    expect(await finish(await begin(person), earlier)).toBe("refused");
    const code = totpCode(person.secret, world.now());
    const attempts = await Promise.all([begin(person), begin(person), begin(person)]);
    const kinds = await Promise.all(attempts.map((token) => finish(token, code)));
    expect(kinds.toSorted()).toEqual(["refused", "refused", "signed_in"]);
    world.advance(2 * STEP_MS);
    expect(await finish(await begin(person), code)).toBe("refused");
  });

  test("is over after five minutes, once used, with another password, and for a disabled user", async () => {
    const person = await newProtected();
    const now = () => totpCode(person.secret, world.now());
    expect(await finish("no-such-token", now())).toBe("expired");
    const late = await begin(person);
    const expire =
      "update pending_sign_ins set expires_at = clock_timestamp() - interval '1 second' where user_id = $1";
    await world.db.query(sql(expire), [person.userId]);
    expect(await finish(late, now())).toBe("expired");

    const used = await begin(person);
    expect(await finish(used, now())).toBe("signed_in");
    world.advance(STEP_MS);
    expect(await finish(used, now())).toBe("expired");

    const before = await begin(person);
    const { oneTimePassword } = await resetUserPassword(world.operator, { userId: person.userId });
    expect(await finish(before, now())).toBe("expired");

    const disabled = await begin({ ...person, password: oneTimePassword });
    await setUserDisabled(world.operator, { userId: person.userId, disabled: true });
    await setUserDisabled(world.operator, { userId: person.userId, disabled: false });
    expect(await finish(disabled, now())).toBe("expired");
  });

  test("rejects another user's code and recovery codes", async () => {
    const [one, other] = [await newProtected(), await newProtected()];
    const token = await begin(one);
    expect(await finish(token, totpCode(other.secret, world.now()))).toBe("refused");
    expect(await finish(token, other.recoveryCodes[0] ?? "", "recovery")).toBe("refused");
    expect(await finish(await begin(other), other.recoveryCodes[0] ?? "", "recovery")).toBe("signed_in");
  });

  test("admits ten wrong codes an hour, then only recovery codes and the user's own known devices", async () => {
    const person = await newProtected();
    const token = await begin(person);
    for (let n = 0; n < 10; n++) expect(await finish(token, "000000")).toBe("refused");
    const right = totpCode(person.secret, world.now());
    expect(await finish(token, right)).toBe("limited");
    expect(await finish(token, person.recoveryCodes[0] ?? "", "recovery")).toBe("signed_in");
    const ofAnother = { userId: (await newPerson()).userId, deviceId: "a-known-device" };
    expect(await finish(await begin(person), right, "totp", ofAnother)).toBe("limited");
    const own = { userId: person.userId, deviceId: "a-known-device" };
    expect(await finish(await begin(person), right, "totp", ofAnother, own)).toBe("signed_in");
  });

  test("strangers without the password can neither reach nor use up the attempts", async () => {
    const person = await newProtected();
    for (let n = 0; n < 12; n++) {
      expect((await givePassword({ ...person, password: "wrong" })).kind).toBe("refused");
      expect(await finish(`guess-${n}`, "000000")).toBe("expired");
    }
    expect(await finish(await begin(person), totpCode(person.secret, world.now()))).toBe("signed_in");
  });
});

describe("a recovery code", () => {
  test("works once, typed as users do, also from two browsers at once", async () => {
    const person = await newProtected();
    const [code = "", next = ""] = person.recoveryCodes;
    const tokens = await Promise.all([begin(person), begin(person)]);
    const kinds = await Promise.all(tokens.map((token) => finish(token, code, "recovery")));
    expect(kinds.toSorted()).toEqual(["refused", "signed_in"]);
    expect(await getOwnFactors(person.ctx)).toMatchObject({ recoveryCodes: RECOVERY_CODE_COUNT - 1 });
    expect(await finish(await begin(person), ` ${next.toUpperCase().replaceAll("-", " ")} `, "recovery")).toBe(
      "signed_in",
    );
    expect(await auditOf(person.userId)).toContain("user.use_recovery_code");
  });

  test("ends when it is replaced, or the authenticator app removed", async () => {
    const person = await newProtected();
    const { recoveryCodes } = await replaceRecoveryCodes(person.ctx);
    expect(await finish(await begin(person), person.recoveryCodes[0] ?? "", "recovery")).toBe("refused");
    expect(await finish(await begin(person), recoveryCodes[0] ?? "", "recovery")).toBe("signed_in");
    const elsewhere = await begin(person);
    await removeTotp(person.ctx);
    expect(await finish(elsewhere, recoveryCodes[1] ?? "", "recovery")).toBe("expired");
    expect(await getOwnFactors(person.ctx)).toEqual({
      totpSince: null,
      passkeys: 0,
      recoveryCodes: 0,
      isRequired: false,
    });
    expect(await codeOf(replaceRecoveryCodes(person.ctx))).toBe("state_invalid");
    expect((await givePassword(person)).kind).toBe("signed_in");
  });
});

describe("a proof of who the user is", () => {
  const age = (sessionId: string) =>
    world.db.query(sql("update sessions set proven_at = proven_at - interval '11 minutes' where id = $1::uuid"), [
      sessionId,
    ]);
  const isProven = async (sessionId: string) => (await findSession(world.db, sessionId))?.isProven;
  const prove = (
    ctx: ServiceContext,
    user: { readonly sessionId: string; readonly userId: UserId },
    method: "password" | "totp" | "recovery",
    secret: string,
  ) => proveIdentity(ctx, { ...user, issuer: null }, { method, secret, address: "203.0.113.9", site: null }, gate);
  const refusalOf = (proof: Promise<string | null>) => proof.catch((error: { code?: string }) => error.code);

  test("is the password, recent for ten minutes after signing in or giving it again", async () => {
    const { ctx, ...person } = await newPerson();
    const user = { userId: person.userId, sessionId: await enter({ ctx, ...person }) };
    expect(await isProven(user.sessionId)).toBe(true);
    await age(user.sessionId);
    expect(await isProven(user.sessionId)).toBe(false);
    expect(await findExpectedProof(ctx, { ...user, issuer: null })).toEqual({ method: "password", hasPasskey: false });
    expect(await refusalOf(prove(ctx, user, "password", "wrong"))).toBe("parameters_invalid");
    expect(await isProven(user.sessionId)).toBe(false);
    expect(await isProven((await prove(ctx, user, "password", person.password)) ?? "")).toBe(true);
  });

  test("gives the session a new id, so that a copy of its cookie ends", async () => {
    const { ctx, ...person } = await newPerson();
    const user = { userId: person.userId, sessionId: await enter({ ctx, ...person }) };
    const renewed = (await prove(ctx, user, "password", person.password)) ?? "";
    expect([await isLive(user.sessionId), await isLive(renewed)]).toEqual([false, true]);
    expect(await prove(ctx, user, "password", person.password)).toBeNull();
    expect(await isLive(renewed)).toBe(true);
  });

  test("is the second factor, not the password, of a user who has one", async () => {
    const person = await newProtected();
    const { ctx, sessionId, userId, secret, password } = person;
    await age(sessionId);
    expect(await findExpectedProof(ctx, { userId, issuer: null })).toEqual({ method: "totp", hasPasskey: false });
    expect(await refusalOf(prove(ctx, person, "password", password))).toBe("parameters_invalid");
    const code = totpCode(secret, world.now());
    const proven = { userId, sessionId: (await prove(ctx, person, "totp", code)) ?? "" };
    expect(await isProven(proven.sessionId)).toBe(true);
    await age(proven.sessionId);
    expect(await refusalOf(prove(ctx, proven, "totp", code))).toBe("parameters_invalid");
    const again = await prove(ctx, proven, "recovery", person.recoveryCodes[0] ?? "");
    expect(await isProven(again ?? "")).toBe(true);
  });
});

test("the operator removes a user's factors, who is signed out and needs the password alone", async () => {
  const person = await newProtected();
  expect(await removeUserFactors(world.operator, { email: person.email.toUpperCase() })).toEqual({
    users: [{ userId: person.userId, removed: true }],
  });
  expect(await isLive(person.sessionId)).toBe(false);
  expect((await givePassword(person)).kind).toBe("signed_in");
  expect(await auditOf(person.userId)).toContain("user.remove_factors");
  expect(await codeOf(removeUserFactors(world.operator, { email: "nobody@example.com" }))).toBe("not_found");
});
