import { afterAll, beforeAll, expect, test } from "vitest";
import type { UserId } from "#lib/domain/ids.ts";
import { parseSealingKey } from "#lib/domain/sealed-secret.ts";
import { sql } from "#tests/sql.ts";
import { codeOf } from "#tests/support/faults.ts";
import { startHostileIssuer } from "#tests/support/hostile-issuer.ts";
import { issuerOf, REDIRECT } from "#tests/support/issuer-adapter.ts";
import { type IssuerPerson, startTestIssuer, type TestIssuer, walkIssuer } from "#tests/support/oidc-issuer.ts";
import { totpCode } from "#tests/support/totp.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { createUser } from "./create.ts";
import { confirmTotp, startTotp } from "./own-factors.ts";
import { proveAtIssuer } from "./prove-at-issuer.ts";
import { findExpectedProof, proveIdentity } from "./prove-identity.ts";
import { findSession } from "./sign-in.ts";
import { type SignInIssuer, signInAtIssuer } from "./sign-in-at-issuer.ts";

const LIMITS = { idleMinutes: 60, maxHours: 48 };
const address = "203.0.113.9";
const sealingKey = parseSealingKey(Buffer.alloc(32, 7).toString("base64"));
let world: World;
let server: TestIssuer;
let issuer: SignInIssuer;
let made = 0;
beforeAll(async () => {
  world = await newWorld();
  server = await startTestIssuer();
  server.register(REDIRECT);
  issuer = issuerOf(server);
});
afterAll(async () => {
  await server.close();
  await world.close();
});

async function walk(person: IssuerPerson, fresh: boolean) {
  server.signInAs(person);
  const begun = await issuer.begin({ fresh });
  if (!begun) throw new Error("the issuer is not available");
  return { query: await walkIssuer(begun.url, REDIRECT), checks: begun.checks };
}

/** Has signed in at the issuer, more than ten minutes ago. */
async function newSession() {
  const email = `person${++made}@example.com`;
  await createUser(world.operator, { email, name: "Ada", resellerId: null, role: "support" });
  const person = { sub: email, email, email_verified: true, name: "Ada" };
  const visitor = { address, userAgent: "", findDevices: () => [] };
  const rules = { roles: new Map(), createUsers: false };
  const result = await signInAtIssuer(
    world.operator,
    issuer,
    { ...(await walk(person, false)), ...visitor },
    rules,
    LIMITS,
  );
  if (result.kind !== "signed_in") throw new Error(`not signed in: ${result.kind}`);
  const { sessionId } = result;
  const user = await findSession(world.db, sessionId);
  if (!user) throw new Error("the session has ended");
  await world.db.query(sql("update sessions set proven_at = proven_at - interval '11 minutes' where id = $1::uuid"), [
    sessionId,
  ]);
  return { person, user, isProven: async () => (await findSession(world.db, sessionId))?.isProven };
}

const now = () => new Date();
const parts = () => ({ ...world.operator, now });

test("a user without a second factor proves who they are by signing in at the issuer again", async () => {
  const { person, user, isProven } = await newSession();
  expect(await isProven()).toBe(false);
  expect(await findExpectedProof(world.operator, user)).toEqual({ method: "issuer", hasPasskey: false });
  const startedAt = now();
  const answer = { ...(await walk(person, true)), startedAt, address };
  const proven = await proveAtIssuer(parts(), issuer, user, answer);
  const renewed = proven.kind === "proven" ? await findSession(world.db, proven.sessionId) : null;
  expect(renewed).toMatchObject({ userId: user.userId, isProven: true, issuer: server.url });
  expect(await findSession(world.db, user.sessionId)).toBeNull();
});

test("a password proves nothing of them, and without an issuer they are asked for it", async () => {
  const { user, isProven } = await newSession();
  const given = { method: "password", secret: "guess", address, site: null } as const;
  expect(await codeOf(proveIdentity(world.operator, user, given))).toBe("parameters_invalid");
  expect(await isProven()).toBe(false);
  expect(await findExpectedProof(world.operator, { ...user, issuer: null })).toMatchObject({ method: "password" });
});

test("another account proves nothing, and is recorded", async () => {
  const [mine, other] = [await newSession(), await newSession()];
  const answer = { ...(await walk(other.person, true)), startedAt: now(), address };
  expect(await proveAtIssuer(parts(), issuer, mine.user, answer)).toEqual({ kind: "refused" });
  expect(await mine.isProven()).toBe(false);
  const entries = await world.db.query(
    sql("select action, address, data from audit_entries where subject = $1 order by id"),
    [`user:${mine.user.userId}`],
  );
  expect(entries.at(-1)).toMatchObject({ action: "user.factor_refused", address, data: { factor: "issuer" } });
});

test("an answer proves it once", async () => {
  const { person, user } = await newSession();
  const answer = { ...(await walk(person, true)), startedAt: now(), address };
  expect(await proveAtIssuer(parts(), issuer, user, answer)).toMatchObject({ kind: "proven" });
  expect(await proveAtIssuer(parts(), issuer, user, answer)).toEqual({ kind: "expired" });
});

test("an issuer that does not ask for credentials again proves nothing", async () => {
  const hostile = await startHostileIssuer();
  const careless = issuerOf({ url: hostile.url, clientId: "desk", clientSecret: "secret" });
  const nowSeconds = Math.floor(Date.now() / 1_000);

  async function answerOf(signedInSeconds: number) {
    const begun = await careless.begin({ fresh: true });
    if (!begun) throw new Error("the issuer is not available");
    const { state, nonce } = begun.checks;
    const times = { iat: nowSeconds, exp: nowSeconds + 60, auth_time: signedInSeconds };
    const claims = { iss: hostile.url, aud: "desk", sub: "7", nonce, ...times };
    hostile.answerWith({ header: { alg: "RS256", kid: "1" }, claims, by: hostile.key });
    return { query: `?code=c&state=${state}`, checks: begun.checks, startedAt: now(), address };
  }

  const { user, isProven } = await newSession();
  await world.db.query(
    sql("insert into user_identities (issuer, subject, user_id, created_at) values ($1, '7', $2, now())"),
    [hostile.url, user.userId],
  );
  const stale = await answerOf(nowSeconds - 300);
  expect(await proveAtIssuer(parts(), careless, user, stale)).toEqual({ kind: "rejected" });
  expect(await isProven()).toBe(false);
  expect(await proveAtIssuer(parts(), careless, user, await answerOf(nowSeconds))).toMatchObject({ kind: "proven" });
  await hostile.close();
});

test("a user with a second factor gives that: the issuer proves nothing", async () => {
  const { person, user, isProven } = await newSession();
  const ctx = world.context(
    { kind: "admin", userId: user.userId as UserId, resellerId: null, role: "support" },
    { settings: { ...world.operator.settings, sealingKey } },
  );
  const { secret } = await startTotp(ctx);
  await confirmTotp({ ...ctx, sessionId: user.sessionId }, { secret, code: totpCode(secret, world.now()) });
  const answer = { ...(await walk(person, true)), startedAt: now(), address };
  expect(await proveAtIssuer(parts(), issuer, user, answer)).toEqual({ kind: "refused" });
  expect(await isProven()).toBe(false);
});
