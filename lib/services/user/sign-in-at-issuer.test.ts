import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createPendingWrites } from "#lib/db/connection/transaction.ts";
import { deleteIdentities } from "#lib/db/user/identity.ts";
import type { ResellerId, UserId } from "#lib/domain/ids.ts";
import { parseIssuerRoles } from "#lib/domain/issuer-roles.ts";
import { parseSealingKey } from "#lib/domain/sealed-secret.ts";
import type { IssuerChecks, IssuerReply } from "#lib/ports/sign-in-issuer.ts";
import { setResellerSuspended } from "#lib/services/reseller/settings.ts";
import { sql } from "#tests/sql.ts";
import { runningBefore } from "#tests/support/faults.ts";
import { issuerOf, REDIRECT } from "#tests/support/issuer-adapter.ts";
import { type IssuerPerson, startTestIssuer, type TestIssuer, walkIssuer } from "#tests/support/oidc-issuer.ts";
import { totpCode } from "#tests/support/totp.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { createUser } from "./create.ts";
import { disconnectIssuer } from "./disconnect-issuer.ts";
import { finishSignIn } from "./finish-sign-in.ts";
import { confirmTotp, startTotp } from "./own-factors.ts";
import { passwordMatches } from "./password.ts";
import { resetUserPassword } from "./reset-password.ts";
import { setUserDisabled } from "./set-disabled.ts";
import { findSession, signIn } from "./sign-in.ts";
import { type IssuerRules, type SignInIssuer, signInAtIssuer } from "./sign-in-at-issuer.ts";

const LIMITS = { idleMinutes: 60, maxHours: 48 };
const sealingKey = parseSealingKey(Buffer.alloc(32, 7).toString("base64"));
const noRules: IssuerRules = { roles: new Map(), createUsers: false };
const visitor = { address: "203.0.113.9", userAgent: "Firefox", findDevices: () => [] };

let world: World;
let server: TestIssuer;
let issuer: SignInIssuer;
let made = 0;
beforeAll(async () => {
  world = await newWorld({ start: new Date() });
  server = await startTestIssuer();
  server.register(REDIRECT);
  issuer = issuerOf(server);
});
afterAll(async () => {
  await server.close();
  await world.close();
});

const newAddress = (domain = "example.com") => `person${++made}@${domain}`;
const newReseller = async () => (await world.reseller({ funds: "0" })).id;

async function newUser(email: string, resellerId: ResellerId | null = null): Promise<UserId> {
  // Another owner, so that this one can be disabled.
  await createUser(world.operator, { email: newAddress(), name: "Ola Owner", resellerId, role: "owner" });
  return (
    await createUser(world.operator, {
      email,
      name: "Ada",
      resellerId,
      role: resellerId === null ? "support" : "viewer",
    })
  ).userId;
}

async function turnAppOn(userId: UserId) {
  const settings = { ...world.operator.settings, sealingKey };
  const ctx = world.context({ kind: "admin", userId, resellerId: null, role: "support" }, { settings });
  const { secret } = await startTotp(ctx);
  const sessionId = randomUUID();
  const text = "insert into sessions (id, user_id, expires_at, idle_at) values ($1, $2, now(), now())";
  await world.db.query(sql(text), [sessionId, userId]);
  await confirmTotp({ ...ctx, sessionId }, { secret, code: totpCode(secret, world.now()) });
  await world.db.query(sql("delete from sessions where id::text = $1"), [sessionId]);
  return { secret, ctx };
}

const accountOf = (email: string, rest: Partial<IssuerPerson> = {}): IssuerPerson => ({
  sub: `subject of ${email}`,
  email,
  email_verified: true,
  name: "Ada Lovelace",
  ...rest,
});

/** A browser's way to the issuer and back. */
async function walk(person: IssuerPerson | null, at = server, by = issuer) {
  at.signInAs(person);
  const begun = await by.begin({ fresh: false });
  if (!begun) throw new Error("the issuer is not available");
  return { query: await walkIssuer(begun.url, REDIRECT), checks: begun.checks };
}

type Answer = { readonly query: string; readonly checks: IssuerChecks };
const finish = (answer: Answer, rules = noRules, by = issuer) =>
  signInAtIssuer(
    { ...world.operator, settings: { ...world.operator.settings, sealingKey } },
    by,
    { ...answer, ...visitor },
    rules,
    LIMITS,
  );

async function enter(person: IssuerPerson, rules = noRules) {
  const result = await finish(await walk(person), rules);
  if (result.kind !== "signed_in") return result.kind;
  const user = await findSession(world.db, result.sessionId);
  return { userId: user?.userId, role: user?.role, resellerId: user?.resellerId };
}

const entriesOf = (userId: UserId) =>
  world.db.query(sql("select actor, action, address, data from audit_entries where subject = $1 order by id"), [
    `user:${userId}`,
  ]);

describe("signing in at the issuer", () => {
  test("opens a session of the user with the verified address, whatever its case, and says so in the audit log", async () => {
    const email = newAddress();
    const userId = await newUser(email);
    const account = accountOf(email.toUpperCase());
    expect(await enter(account)).toMatchObject({ userId });
    const [, connected, signedIn] = await entriesOf(userId);
    expect(connected).toMatchObject({
      actor: `user:${userId}`,
      action: "user.connect_issuer",
      data: { issuer: server.url, subject: account.sub },
    });
    expect(signedIn).toMatchObject({ action: "session.sign_in", data: { issuer: server.url, user_agent: "Firefox" } });
  });

  test("needs no password of its own: an invited user need not choose one first", async () => {
    const email = newAddress();
    await newUser(email);
    const result = await finish(await walk(accountOf(email)));
    const user = result.kind === "signed_in" ? await findSession(world.db, result.sessionId) : null;
    expect(user).toMatchObject({ mustChangePassword: false, issuer: server.url });
  });

  test("ends the invitation and every other way in with it: the user has a password that nobody knows", async () => {
    const email = newAddress();
    const userId = await newUser(email);
    const { oneTimePassword } = await resetUserPassword(world.operator, { userId });
    const earlier = await signIn(world.db, { email, password: oneTimePassword, ...visitor }, LIMITS);
    const earlierId = earlier.kind === "signed_in" ? earlier.sessionId : "";
    expect(await findSession(world.db, earlierId)).not.toBeNull();
    await world.db.query(
      sql(`insert into access_links (token_hash, user_id, kind, password_mark, created_at, expires_at)
             select 'a link', id, 'invitation', sha256(convert_to(password_hash, 'UTF8')), now(), now() + interval '1 day' from users where id = $1`),
      [userId],
    );
    await enter(accountOf(email));
    const state = `select one_time_password_until, wants_mail('job_ended', u) as wants, password_hash,
                          (select count(*)::int from access_links where user_id = u.id) as links from users u where id = $1`;
    const [user] = await world.db.query(sql<{ password_hash: string }>(state), [userId]);
    expect(user).toMatchObject({ one_time_password_until: null, wants: true, links: 0 });
    expect(await passwordMatches(user?.password_hash ?? "", oneTimePassword)).toBe(false);
    expect(await findSession(world.db, earlierId)).toBeNull();
    await enter(accountOf(email));
    const [later] = await world.db.query(sql(state), [userId]);
    expect(later).toEqual(user);
  });

  test.each([
    ["just now", () => new Date(), true],
    ["in the future", () => new Date(Date.now() + 3_600_000), true],
    ["an hour ago", () => new Date(Date.now() - 3_600_000), false],
    ["at a time that the issuer does not say", () => null, false],
  ])("proves who the user is if the issuer asked for credentials recently: %s", async (_, at, isProven) => {
    const email = newAddress();
    await newUser(email);
    const account = { ...accountOf(email), issuer: server.url, subject: email, emailVerified: true };
    const stub: SignInIssuer = {
      name: "Acme",
      begin: async () => null,
      finish: async () => ({ kind: "account", account: { ...account, authenticatedAt: at() } }),
    };
    const checks = { state: email, nonce: "", codeVerifier: "" };
    const result = await finish({ query: `?state=${encodeURIComponent(email)}`, checks }, noRules, stub);
    const user = result.kind === "signed_in" ? await findSession(world.db, result.sessionId) : null;
    expect(user).toMatchObject({ isProven });
  });

  test("proves who the user is, because the issuer is asked for the time", async () => {
    const email = newAddress();
    await newUser(email);
    const result = await finish(await walk(accountOf(email)));
    const user = result.kind === "signed_in" ? await findSession(world.db, result.sessionId) : null;
    expect(user).toMatchObject({ isProven: true });
  });

  test("leaves a required second factor required", async () => {
    const email = newAddress();
    await newUser(email);
    const result = await finish(await walk(accountOf(email)));
    const sessionId = result.kind === "signed_in" ? result.sessionId : "";
    expect(await findSession(world.db, sessionId, { adminsNeedFactor: true })).toMatchObject({ mustAddFactor: true });
  });

  test("is decided by the subject from then on: a changed address leads to no other user", async () => {
    const [mine, other] = [newAddress(), newAddress()];
    const [userId, otherId] = [await newUser(mine), await newUser(other)];
    const account = accountOf(mine);
    await enter(account);
    expect(await enter({ ...account, email: other })).toMatchObject({ userId });
    expect(await enter(accountOf(other))).toMatchObject({ userId: otherId });
  });

  test("is refused to another account that later has the address, until the operator forgets the first", async () => {
    const email = newAddress();
    const userId = await newUser(email);
    const first = await finish(await walk(accountOf(email)));
    const sessionId = first.kind === "signed_in" ? first.sessionId : "";
    const replaced = accountOf(email, { sub: `another ${email}` });
    expect(await enter(replaced)).toBe("refused");
    expect(await findSession(world.db, sessionId)).not.toBeNull();
    await disconnectIssuer(world.operator, { email });
    expect(await findSession(world.db, sessionId)).toBeNull();
    expect(await enter(replaced)).toMatchObject({ userId });
  });

  test.each([
    ["an address that is not verified", () => ({ email_verified: false })],
    ["a letter that folds to another user's", (email: string) => ({ email: email.replace("k", "\u212A") })],
    ["an invisible letter", (email: string) => ({ email: email.replace("k", "k\u200B") })],
    ["no address", () => ({ email: "" })],
  ])("is refused with %s", async (_, changed) => {
    const email = `k${newAddress()}`;
    await newUser(email);
    expect(await enter(accountOf(email, changed(email)))).toBe("refused");
    expect(await enter(accountOf(email))).not.toBe("refused");
  });

  test("is refused to a disabled user and at a suspended reseller, as a wrong password is, and recorded", async () => {
    const resellerId = await newReseller();
    const [disabled, suspended] = [newAddress(), newAddress()];
    const disabledId = await newUser(disabled, resellerId);
    const suspendedId = await newUser(suspended, resellerId);
    expect(await enter(accountOf(suspended))).toMatchObject({ userId: suspendedId });
    await setUserDisabled(world.operator, { userId: disabledId, disabled: true });
    await setResellerSuspended(world.operator, { resellerId, suspended: true, reason: "unpaid" });
    expect(await enter(accountOf(disabled))).toBe("refused");
    expect(await enter(accountOf(suspended))).toBe("refused");
    expect(await enter(accountOf(newAddress()))).toBe("refused");
    for (const userId of [disabledId, suspendedId]) {
      expect((await entriesOf(userId)).at(-1)).toMatchObject({
        actor: "system:visitor",
        action: "session.refuse_sign_in",
        address: visitor.address,
        data: { issuer: server.url },
      });
    }
  });

  test("is refused while the address has users in several teams, unless the mapping says which", async () => {
    const [one, two] = [await newReseller(), await newReseller()];
    const email = newAddress("shared.example");
    const userId = await newUser(email, one);
    await newUser(email, two);
    expect(await enter(accountOf(email))).toBe("refused");
    const roles = parseIssuerRoles(`shared.example=reseller:${one}:viewer`) ?? new Map();
    expect(await enter(accountOf(email), { roles, createUsers: false })).toMatchObject({ userId });
  });

  test("asks a user with a second factor for it before there is a session, and before the account is connected", async () => {
    const email = newAddress();
    const userId = await newUser(email);
    const { secret, ctx } = await turnAppOn(userId);
    const result = await finish(await walk(accountOf(email)));
    if (result.kind !== "second_factor") throw new Error(`no second factor is asked: ${result.kind}`);
    const actionsOf = async () => (await entriesOf(userId)).map(({ action }) => action);
    expect(await actionsOf()).not.toContain("user.connect_issuer");
    await world.db.query(sql("update totp_factors set last_step = 0 where user_id = $1"), [userId]);
    const code = totpCode(secret, world.now());
    const given = { token: result.token, method: "totp", code, ...visitor } as const;
    expect(await finishSignIn(ctx, given, LIMITS)).toMatchObject({ kind: "signed_in" });
    expect((await entriesOf(userId)).at(-1)).toMatchObject({ action: "session.sign_in", data: { issuer: server.url } });
    expect((await actionsOf()).slice(-2)).toEqual(["user.connect_issuer", "session.sign_in"]);
  });

  test("connects nothing if the session is refused", async () => {
    const email = newAddress();
    const userId = await newUser(email);
    const { db } = world;
    const disable = () => db.query(sql("update users set disabled_at = now() where id = $1"), [userId]);
    const parts = { ...world.operator, db: runningBefore(db, "lock_session_user", disable) };
    const input = { ...(await walk(accountOf(email))), ...visitor };
    expect(await signInAtIssuer(parts, issuer, input, noRules, LIMITS)).toEqual({ kind: "refused" });
    expect(await db.query(sql("select from user_identities where user_id = $1"), [userId])).toEqual([]);
    expect((await entriesOf(userId)).map(({ action }) => action)).toEqual(["user.create"]);
  });

  describe("connects no account again that is disconnected meanwhile", () => {
    async function newConnected() {
      const email = newAddress();
      const userId = await newUser(email);
      expect(await enter(accountOf(email))).toMatchObject({ userId });
      const disconnectedBefore = (name: string) => ({
        ...world.operator,
        settings: { ...world.operator.settings, sealingKey },
        db: runningBefore(world.db, name, () => disconnectIssuer(world.operator, { email })),
      });
      const start = async (parts: ReturnType<typeof disconnectedBefore>) =>
        signInAtIssuer(parts, issuer, { ...(await walk(accountOf(email))), ...visitor }, noRules, LIMITS);
      const ways = () => world.db.query(sql(WAYS), [userId]);
      return { userId, disconnectedBefore, start, ways };
    }
    const WAYS = `select user_id from user_identities where user_id = $1 union all select user_id from pending_sign_ins where user_id = $1
                  union all select user_id from sessions where user_id = $1 and revoked_at is null`;

    test("before the session", async () => {
      const { disconnectedBefore, start, ways } = await newConnected();
      expect(await start(disconnectedBefore("lock_session_user"))).toEqual({ kind: "refused" });
      expect(await ways()).toEqual([]);
    });

    test("before the second factor is asked for", async () => {
      const { userId, disconnectedBefore, start, ways } = await newConnected();
      await turnAppOn(userId);
      await start(disconnectedBefore("insert_pending_sign_in"));
      expect(await ways()).toEqual([]);
    });

    test("while the second factor is asked for", async () => {
      const { userId, start, disconnectedBefore, ways } = await newConnected();
      await turnAppOn(userId);
      const held = createPendingWrites(world.db);
      const by = { actor: "system:operator", now: world.now(), requestId: "" };
      await deleteIdentities(held.writes, userId, by);
      const starting = start(disconnectedBefore("nothing"));
      const waiting = sql(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      await vi.waitFor(async () => expect(await world.db.query(waiting, [])).toHaveLength(1));
      await held.commit();
      await starting;
      expect(await ways()).toEqual([]);
    });

    test("after the second factor was given", async () => {
      const { userId, disconnectedBefore, start, ways } = await newConnected();
      const { secret } = await turnAppOn(userId);
      const result = await start(disconnectedBefore("nothing"));
      const token = result.kind === "second_factor" ? result.token : "";
      await world.db.query(sql("update totp_factors set last_step = 0 where user_id = $1"), [userId]);
      const given = { token, method: "totp", code: totpCode(secret, world.now()), ...visitor } as const;
      expect(await finishSignIn(disconnectedBefore("lock_session_user"), given, LIMITS)).toEqual({ kind: "refused" });
      expect(await ways()).toEqual([]);
    });
  });

  test("reads the address at the userinfo endpoint if the token has none", async () => {
    const other = await startTestIssuer({ userinfoOnly: true });
    other.register(REDIRECT);
    const by = issuerOf(other);
    const email = newAddress();
    await newUser(email);
    expect(await finish(await walk(accountOf(email), other, by), noRules, by)).toMatchObject({
      kind: "signed_in",
      email,
    });
    await other.close();
  });
});

describe("creating users", () => {
  const rulesOf = (text: string, createUsers = true) => ({ roles: parseIssuerRoles(text) ?? new Map(), createUsers });

  test("does not happen unless it is switched on, nor for other domains", async () => {
    const account = accountOf(newAddress("new.example"));
    expect(await enter(account)).toBe("refused");
    expect(await enter(account, rulesOf("new.example=admin:support", false))).toBe("refused");
    expect(await enter(account, rulesOf("other.example=admin:support"))).toBe("refused");
    expect(await enter({ ...account, email_verified: false }, rulesOf("new.example=admin:support"))).toBe("refused");
    for (const domain of ["sub.new.example", "new.example.evil.example", "evilnew.example"]) {
      expect(await enter(accountOf(newAddress(domain)), rulesOf("new.example=admin:support"))).toBe("refused");
    }
  });

  test("gives them the role of their domain, also where they are the first, and is audited", async () => {
    const resellerId = await newReseller();
    const rules = rulesOf(`staff.example=admin:support,team.example=reseller:${resellerId}:viewer`);
    expect(await enter(accountOf(newAddress("staff.example")), rules)).toMatchObject({
      role: "support",
      resellerId: null,
    });
    const created = await enter(accountOf(newAddress("team.example")), rules);
    expect(created).toMatchObject({ role: "viewer", resellerId });
    const { userId } = created as { userId: UserId };
    const [entry] = await entriesOf(userId);
    expect(entry).toMatchObject({
      actor: `user:${userId}`,
      action: "user.create",
      data: { role: "viewer", issuer: server.url },
    });
  });

  test("happens once; later the mapping changes nothing", async () => {
    const account = accountOf(newAddress("once.example"));
    const first = await enter(account, rulesOf("once.example=admin:support"));
    expect(await enter(account, rulesOf("once.example=admin:owner"))).toEqual(first);
  });

  test("ignores users of the address whom another team has added", async () => {
    const email = newAddress("taken.example");
    const strangerId = await newUser(email, await newReseller());
    const found = await enter(accountOf(email), rulesOf("taken.example=admin:support"));
    expect(found).toMatchObject({ role: "support" });
    expect(found).not.toMatchObject({ userId: strangerId });
  });

  test("is refused at a suspended reseller, and at one that does not exist", async () => {
    const resellerId = await newReseller();
    await setResellerSuspended(world.operator, { resellerId, suspended: true, reason: "unpaid" });
    for (const id of [resellerId, 999_999]) {
      const account = accountOf(newAddress("gone.example"));
      expect(await enter(account, rulesOf(`gone.example=reseller:${id}:viewer`))).toBe("refused");
    }
  });
});

describe("an answer", () => {
  async function newAccount() {
    const email = newAddress();
    await newUser(email);
    return accountOf(email);
  }

  test("works once, even with the same request", async () => {
    const answer = await walk(await newAccount());
    expect(await finish(answer)).toMatchObject({ kind: "signed_in" });
    const before = server.exchanges();
    expect(await finish(answer)).toEqual({ kind: "expired" });
    expect(server.exchanges()).toBe(before);
  });

  test("of another browser signs nobody in", async () => {
    const account = await newAccount();
    const [attackers, mine] = [await walk(account), await walk(account)];
    expect(await finish({ query: attackers.query, checks: mine.checks })).toEqual({ kind: "expired" });
  });

  test("with the code of another request is refused by the issuer, for want of its verifier", async () => {
    const account = await newAccount();
    const [attackers, mine] = [await walk(account), await walk(account)];
    const query = new URLSearchParams(mine.query);
    query.set("code", new URLSearchParams(attackers.query).get("code") ?? "");
    expect(await finish({ query: `?${query}`, checks: mine.checks })).toEqual({ kind: "rejected" });
  });

  test("of an issuer that the request was not for is refused before the code is sent anywhere", async () => {
    const { query, checks } = await walk(await newAccount());
    const before = server.exchanges();
    const mixed = new URLSearchParams(query);
    mixed.set("iss", "https://evil.example");
    expect(await finish({ query: `?${mixed}`, checks })).toEqual({ kind: "rejected" });
    expect(server.exchanges()).toBe(before);
  });

  test("without the issuer's name is refused if the issuer says that it names itself", async () => {
    const { query, checks } = await walk(await newAccount());
    const bare = new URLSearchParams(query);
    bare.delete("iss");
    expect(await finish({ query: `?${bare}`, checks })).toEqual({ kind: "rejected" });
  });

  test("that the visitor has canceled is refused", async () => {
    expect(await finish(await walk(null))).toEqual({ kind: "rejected" });
  });

  test("is unavailable while the issuer is away, and works again as soon as it is back", async () => {
    const other = await startTestIssuer();
    other.register(REDIRECT);
    const by = issuerOf(other);
    const account = await newAccount();
    other.setAway(true);
    expect(await by.begin({ fresh: false })).toBeNull();
    other.setAway(false);
    const answer = await walk(account, other, by);
    other.setAway(true);
    expect(await finish(answer, noRules, by)).toEqual({ kind: "unavailable" });
    other.setAway(false);
    expect(await finish(await walk(account, other, by), noRules, by)).toMatchObject({ kind: "signed_in" });
    await other.close();
  });
});

describe("a source whose codes the issuer rejects", () => {
  let asked = 0;
  beforeEach(() => {
    asked = 0;
  });
  const replying = (reply: IssuerReply): SignInIssuer => ({
    ...issuer,
    finish: async () => {
      asked += 1;
      return reply;
    },
  });
  const answers = (kind: "rejected" | "unavailable") => replying({ kind });
  const answer = (address: string, by: SignInIssuer, what = "code=guess") => {
    const state = crypto.randomUUID();
    const given = { query: `?state=${state}&${what}`, checks: { state, nonce: "n", codeVerifier: "v" } };
    return signInAtIssuer(world.operator, by, { ...given, ...visitor, address }, noRules, LIMITS);
  };
  const rejectedFrom = async (address: string, times: number, what?: string) => {
    for (let time = 0; time < times; time++) await answer(address, answers("rejected"), what);
  };

  test("asks it 30 times an hour, and others as before", async () => {
    const all = (times: number, address: string, by: SignInIssuer) =>
      Promise.all(Array.from({ length: times }, () => answer(address, by)));
    for (let time = 0; time < 40; time++) await answer("2001:db8:7::1", answers("unavailable"));
    expect(asked, "no answer is nobody's fault").toBe(40);
    const replies = await all(40, "2001:db8:7::2", answers("rejected"));
    expect(replies.filter(({ kind }) => kind === "limited")).toHaveLength(10);
    expect(asked).toBe(40 + 30);
    await answer("2001:db8:8::1", answers("rejected"));
    expect(asked).toBe(40 + 30 + 1);
  });

  test("asks it again after a sign-in, and is not counted for what the visitor has canceled", async () => {
    const address = "2001:db8:9::1";
    const email = newAddress();
    const account = {
      issuer: server.url,
      subject: email,
      email,
      emailVerified: true,
      authenticatedAt: null,
      name: "Ada",
    };
    for (let round = 0; round < 3; round++) {
      await rejectedFrom(address, 15);
      await rejectedFrom(address, 40, "error=access_denied");
      await answer(address, replying({ kind: "account", account }));
    }
    expect(asked).toBe(3 * (15 + 40 + 1));
  });

  test("asks it again an hour after the last code that was sent there, however often it is tried meanwhile", async () => {
    const address = "2001:db8:a::1";
    const pass = (time: string) =>
      world.db.query(sql("update sign_in_attempts set last_at = last_at - $1::interval"), [time]);
    await rejectedFrom(address, 30);
    await pass("50 minutes");
    await rejectedFrom(address, 5);
    expect(asked).toBe(30);
    await pass("10 minutes");
    await rejectedFrom(address, 5);
    expect(asked).toBe(30 + 5);
  });
});
