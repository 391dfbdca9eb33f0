import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RECOVERY_CODE_COUNT } from "#lib/domain/recovery-code.ts";
import { sql } from "#tests/sql.ts";
import { type Authenticator, createAuthenticator } from "#tests/support/authenticator.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { newPasskeyChallenge } from "./check-passkey.ts";
import { createAdmin } from "./create-admin.ts";
import { finishSignIn } from "./finish-sign-in.ts";
import { getOwnFactors } from "./own-factors.ts";
import { addPasskey, listOwnPasskeys, removePasskey, startPasskey } from "./own-passkeys.ts";
import { findExpectedProof, proveIdentity } from "./prove-identity.ts";
import { removeUserFactors } from "./remove-factors.ts";
import { setUserDisabled } from "./set-disabled.ts";
import { findSession, signIn } from "./sign-in.ts";
import { createSignInGate } from "./sign-in-gate.ts";
import { signInWithPasskey } from "./sign-in-with-passkey.ts";

const LIMITS = { idleMinutes: 60, maxHours: 48 };
const FIVE_MINUTES_MS = 300_000;
const site = { origin: "https://desk.example", rpId: "desk.example", secret: "a secret of tests" };
const gate = createSignInGate({ delayOf: () => 0, busyHoldMs: 5 });
const visitor = { address: "203.0.113.9", userAgent: "Firefox", findDevices: () => [] };

let world: World;
let made = 0;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "done",
    (error: { code?: string }) => error.code,
  );

async function newPerson() {
  made += 1;
  const email = `person${made}@example.com`;
  const password = "correct horse battery";
  const { userId } = await createAdmin(world.operator, { email, name: `Person ${made}`, password });
  const entered = await signIn(world.db, { email, password, ...visitor }, LIMITS, gate);
  if (entered.kind !== "signed_in") throw new Error(entered.kind);
  const { sessionId } = entered;
  const ctx = world.context({ kind: "admin", userId, resellerId: null, role: "owner" }, { sessionId });
  return { email, userId, password, ctx, sessionId };
}
type Person = Awaited<ReturnType<typeof newPerson>>;

const add = async ({ ctx }: Person, key: Authenticator, ceremony = {}, options = {}) => {
  const { challenge } = await startPasskey(ctx, { site });
  const registration = key.create({ ...site, challenge, ...ceremony }, options);
  return addPasskey(ctx, { site, name: "Laptop", registration });
};

async function newOwner() {
  const person = await newPerson();
  const key = createAuthenticator();
  const { recoveryCodes } = await add(person, key);
  return { ...person, key, recoveryCodes };
}

const parts = () => world.operator;
const challenge = () => newPasskeyChallenge(world.operator, site, "sign-in");
const enter = async (assertion: string, token: string | null = null) =>
  (await signInWithPasskey(parts(), { site, assertion, token, ...visitor }, LIMITS, gate)).kind;
const refusals = async ({ userId }: Person) =>
  (
    await world.db.query(
      sql<{ why: string }>(
        "select data ->> 'why' as why from audit_entries where subject = $1 and action = 'user.factor_refused' order by id",
      ),
      [`user:${userId}`],
    )
  ).map(({ why }) => why);

describe("a passkey", () => {
  test("signs in alone, and comes with recovery codes if it is the first factor", async () => {
    const person = await newOwner();
    expect(person.recoveryCodes).toHaveLength(RECOVERY_CODE_COUNT);
    world.advance(1_000);
    expect((await add(person, createAuthenticator())).recoveryCodes).toEqual([]);
    expect(await enter(person.key.sign({ ...site, challenge: challenge() }))).toBe("signed_in");
    const [first, second] = await listOwnPasskeys(person.ctx);
    expect([first?.name, first?.lastUsedAt !== null, second?.lastUsedAt]).toEqual(["Laptop", true, null]);
    expect(await getOwnFactors(person.ctx)).toMatchObject({ passkeys: 2, totpSince: null });
  });

  test("is added once, and a user has at most 20", async () => {
    const person = await newOwner();
    expect(await codeOf(add(person, person.key))).toBe("state_invalid");
    for (let count = 2; count <= 20; count++) await add(person, createAuthenticator());
    expect(await codeOf(add(person, createAuthenticator()))).toBe("state_invalid");
    expect(await listOwnPasskeys(person.ctx)).toHaveLength(20);
  });

  test("is asked for after the password, where only its user's is accepted, or a recovery code", async () => {
    const [person, stranger] = [await newOwner(), await newOwner()];
    const begin = async () => {
      const { email, password } = person;
      const result = await signIn(world.db, { email, password, ...visitor }, LIMITS, gate);
      expect(result).toMatchObject({ kind: "second_factor", hasTotp: false, hasPasskey: true });
      return result.kind === "second_factor" ? result.token : "";
    };
    const token = await begin();
    expect(await enter(stranger.key.sign({ ...site, challenge: challenge() }), token)).toBe("refused");
    expect(await enter(person.key.sign({ ...site, challenge: challenge() }), token)).toBe("signed_in");
    expect(await enter(person.key.sign({ ...site, challenge: challenge() }), token)).toBe("expired");
    const recovery = { method: "recovery", code: person.recoveryCodes[0] ?? "", token: await begin() } as const;
    expect((await finishSignIn(parts(), { ...recovery, ...visitor }, LIMITS, gate)).kind).toBe("signed_in");
  });

  test("is refused if its device stored it for another user, and the audit log says so", async () => {
    const [person, stranger] = [await newOwner(), await newOwner()];
    const sign = (userHandle: string) => person.key.sign({ ...site, challenge: challenge() }, { userHandle });
    for (const handle of [String(stranger.userId), ` ${person.userId}`, `0${person.userId}`])
      expect(await enter(sign(handle))).toBe("refused");
    expect(await refusals(person)).toEqual(Array.from({ length: 3 }, () => "it names another user"));
    expect(await enter(sign(String(person.userId)))).toBe("signed_in");
  });

  test("accepts each challenge once, for five minutes, also from two browsers at once", async () => {
    const person = await newOwner();
    const assertion = person.key.sign({ ...site, challenge: challenge() });
    const kinds = await Promise.all([enter(assertion), enter(assertion), enter(assertion)]);
    expect(kinds.toSorted()).toEqual(["refused", "refused", "signed_in"]);
    const late = person.key.sign({ ...site, challenge: challenge() });
    world.advance(FIVE_MINUTES_MS);
    expect(await enter(late)).toBe("refused");
  });

  test("whose counter went back is refused, and the audit log says so", async () => {
    const person = await newOwner();
    expect(await enter(person.key.sign({ ...site, challenge: challenge() }))).toBe("signed_in");
    person.key.counter = 0;
    expect(await enter(person.key.sign({ ...site, challenge: challenge() }))).toBe("refused");
    expect(await refusals(person)).toEqual(["the counter went back: the passkey may have been copied"]);
  });

  test("without a counter, as synced ones are, stays valid", async () => {
    const person = await newOwner();
    for (let n = 0; n < 2; n++) {
      person.key.counter = -1;
      expect(await enter(person.key.sign({ ...site, challenge: challenge() }))).toBe("signed_in");
    }
  });

  test.each([
    ["another site's origin", { origin: "https://desk.evil" }, {}],
    ["another relying party", { rpId: "desk.evil" }, {}],
    ["a challenge of its own", { challenge: randomBytes(54).toString("base64url") }, {}],
    ["an unverified user", {}, { verified: false }],
  ])("is refused with %s, at registration and at sign-in", async (_, ceremony, options) => {
    const person = await newOwner();
    const other = createAuthenticator();
    expect(await codeOf(add(person, other, ceremony, options))).toBe("state_invalid");
    const assertion = person.key.sign({ ...site, challenge: challenge(), ...ceremony }, options);
    expect(await enter(assertion)).toBe("refused");
    expect(await refusals(person)).toEqual(["the signature is not valid"]);
  });

  test("is not registered with a challenge for another user, another purpose or used before", async () => {
    const [person, stranger] = [await newPerson(), await newPerson()];
    const foreign = await startPasskey(stranger.ctx, { site });
    for (const given of [foreign.challenge, challenge()])
      expect(await codeOf(add(person, createAuthenticator(), { challenge: given }))).toBe("state_invalid");
    const { challenge: own } = await startPasskey(person.ctx, { site });
    await add(person, createAuthenticator(), { challenge: own });
    expect(await codeOf(add(person, createAuthenticator(), { challenge: own }))).toBe("state_invalid");
  });

  test.each(["packed", "tpm", "android-key", "android-safetynet", "apple", "fido-u2f", "another"])(
    "is registered whatever an attestation says that nobody asked for: %s",
    async (format) => {
      const person = await newPerson();
      const key = createAuthenticator();
      // {x5c: ["", ""]}
      const statement = Buffer.from([0xa1, 0x63, ...Buffer.from("x5c"), 0x82, 0x40, 0x40]);
      await add(person, key, {}, { attestation: { format, statement } });
      expect(await enter(key.sign({ ...site, challenge: challenge() }))).toBe("signed_in");
    },
  );

  test.each([
    ["nothing", ""],
    ["null", "null"],
    ["an empty object", "{}"],
    ["an object with parts missing", '{"id":"a"}'],
    ["deep nesting", "[".repeat(9_000)],
    ["a long id", JSON.stringify({ id: "x".repeat(9_000) })],
  ])("garbage is refused: %s", async (_, garbage) => {
    expect(await enter(garbage)).toBe("refused");
    const { ctx } = await newPerson();
    expect(await codeOf(addPasskey(ctx, { site, name: "A", registration: garbage }))).toBe("state_invalid");
  });

  test("of another user cannot be removed; removing the last one ends the recovery codes and other sessions", async () => {
    const [person, stranger] = [await newOwner(), await newOwner()];
    const [passkey] = await listOwnPasskeys(person.ctx);
    const passkeyId = passkey?.id ?? "";
    await removePasskey(stranger.ctx, { passkeyId });
    expect(await getOwnFactors(person.ctx)).toMatchObject({ passkeys: 1 });
    const elsewhere = await signInWithPasskey(
      parts(),
      { site, assertion: person.key.sign({ ...site, challenge: challenge() }), token: null, ...visitor },
      LIMITS,
      gate,
    );
    await removePasskey(person.ctx, { passkeyId });
    expect(await getOwnFactors(person.ctx)).toEqual({
      totpSince: null,
      passkeys: 0,
      recoveryCodes: 0,
      isRequired: false,
    });
    expect(await findSession(world.db, elsewhere.kind === "signed_in" ? elsewhere.sessionId : "")).toBeNull();
    expect(await findSession(world.db, person.sessionId)).not.toBeNull();
    expect(await enter(person.key.sign({ ...site, challenge: challenge() }))).toBe("refused");
  });

  test("does not open a session for a disabled user, nor after the operator removed it", async () => {
    const person = await newOwner();
    await setUserDisabled(world.operator, { userId: person.userId, disabled: true });
    expect(await enter(person.key.sign({ ...site, challenge: challenge() }))).toBe("refused");
    await setUserDisabled(world.operator, { userId: person.userId, disabled: false });
    await removeUserFactors(world.operator, { email: person.email });
    expect(await enter(person.key.sign({ ...site, challenge: challenge() }))).toBe("refused");
  });
});

test("a passkey proves who its user is, with a challenge for that and only once", async () => {
  const person = await newOwner();
  const { ctx, userId, key } = person;
  const prove = (secret: string) =>
    codeOf(
      proveIdentity(
        ctx,
        { ...person, issuer: null },
        { method: "passkey", secret, address: visitor.address, site },
        gate,
      ),
    );
  expect(await findExpectedProof(ctx, { userId, issuer: null })).toEqual({ method: "passkey", hasPasskey: true });
  expect(await prove(key.sign({ ...site, challenge: challenge() }))).toBe("parameters_invalid");
  const assertion = key.sign({ ...site, challenge: newPasskeyChallenge(ctx, site, `prove:${userId}`) });
  expect(await prove(assertion)).toBe("done");
  expect(await prove(assertion)).toBe("parameters_invalid");
  expect(await enter(key.sign({ ...site, challenge: newPasskeyChallenge(ctx, site, `prove:${userId}`) }))).toBe(
    "refused",
  );
});
