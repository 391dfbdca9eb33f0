import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Database } from "#lib/db/connection/client.ts";
import { connectIdentity } from "#lib/db/user/identity.ts";
import { sql } from "#tests/sql.ts";
import { createAuthenticator } from "#tests/support/authenticator.ts";
import { runningBefore } from "#tests/support/faults.ts";
import { deliverMails, mailSettings } from "#tests/support/mails.ts";
import { totpCode } from "#tests/support/totp.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { confirmEmailChange, requestEmailChange } from "./change-email.ts";
import { changeOwnPassword } from "./change-password.ts";
import { newPasskeyChallenge } from "./check-passkey.ts";
import { createAdmin } from "./create-admin.ts";
import { disconnectIssuer } from "./disconnect-issuer.ts";
import { finishSignIn } from "./finish-sign-in.ts";
import { confirmTotp, removeTotp, replaceRecoveryCodes, startTotp } from "./own-factors.ts";
import { addPasskey, listOwnPasskeys, removePasskey, startPasskey } from "./own-passkeys.ts";
import { endOtherSessions, listOwnSessions } from "./own-sessions.ts";
import { redeemAccessLink } from "./redeem-access-link.ts";
import { removeUserFactors } from "./remove-factors.ts";
import { requestPasswordReset } from "./request-password-reset.ts";
import { resetUserPassword } from "./reset-password.ts";
import { setUserDisabled } from "./set-disabled.ts";
import { openSession, signIn } from "./sign-in.ts";
import { createSignInGate } from "./sign-in-gate.ts";
import { signInWithPasskey } from "./sign-in-with-passkey.ts";

const LIMITS = { idleMinutes: 60, maxHours: 48 };
const STEP_MS = 30_000;
const site = { origin: "https://desk.example", rpId: "desk.example", secret: "a secret of tests" };
const gate = createSignInGate({ delayOf: () => 0, busyHoldMs: 5 });
const visitor = { address: "203.0.113.9", userAgent: "Firefox", findDevices: () => [] };
const PASSWORD = "correct horse battery";
const NEW_PASSWORD = "a better horse battery";

let world: World;
let made = 0;
beforeAll(async () => {
  world = await newWorld();
  // As on a small installation, the planner expects one user.
  await newPerson();
  await world.db.query(sql("analyze users"), []);
});
afterAll(() => world.close());

const parts = () => ({ ...world.operator, settings: mailSettings(world) });

async function newPerson() {
  made += 1;
  const email = `person${made}@example.com`;
  const { userId } = await createAdmin(parts(), { email, name: `Person ${made}`, password: PASSWORD });
  const actor = { kind: "admin", userId, resellerId: null, role: "owner" } as const;
  const entered = await signIn(world.db, { email, password: PASSWORD, ...visitor }, LIMITS, gate);
  if (entered.kind !== "signed_in") throw new Error(entered.kind);
  const { sessionId } = entered;
  const ctx = world.context(actor, { settings: mailSettings(world), sessionId });
  return { email, userId, ctx, sessionId, key: createAuthenticator() };
}
type Person = Awaited<ReturnType<typeof newPerson>>;
/** Prepares a request, which the result sends. */
type Prepare = (person: Person) => Promise<(db?: Database) => Promise<unknown>>;

const givePassword = ({ email }: Person, db = world.db) =>
  signIn(db, { email, password: PASSWORD, ...visitor }, LIMITS, gate);
const byPassword: Prepare = async (person) => (db) => givePassword(person, db);

const turnAppOn: Prepare = async ({ ctx }) => {
  const { secret } = await startTotp(ctx);
  return () => confirmTotp(ctx, { secret, code: totpCode(secret, world.now()) });
};

const addKey: Prepare = async ({ ctx, key }) => {
  const { challenge } = await startPasskey(ctx, { site });
  const registration = key.create({ ...site, challenge });
  return () => addPasskey(ctx, { site, name: "Laptop", registration });
};

/** Turns the app on, and waits with its next code. */
const byCode: Prepare = async (person) => {
  const { secret } = await startTotp(person.ctx);
  await confirmTotp(person.ctx, { secret, code: totpCode(secret, world.now()) });
  world.advance(STEP_MS);
  const begun = await givePassword(person);
  const token = begun.kind === "second_factor" ? begun.token : "";
  const code = totpCode(secret, world.now());
  return (db = world.db) => finishSignIn({ ...parts(), db }, { token, method: "totp", code, ...visitor }, LIMITS, gate);
};

const byPasskey: Prepare = async (person) => {
  await (await addKey(person))();
  const assertion = person.key.sign({ ...site, challenge: newPasskeyChallenge(parts(), site, "sign-in") });
  return (db = world.db) =>
    signInWithPasskey({ ...parts(), db }, { site, assertion, token: null, ...visitor }, LIMITS, gate);
};

/** With an account that is connected to the user after it was looked for. */
const byIssuer: Prepare = async ({ userId, email }) => {
  const identity = { issuer: "https://issuer.example", subject: email, isConnected: false };
  await connectIdentity(world.db, identity, userId);
  const given = { ...visitor, device: null, factor: null, provenAt: null, identity };
  return (db = world.db) => openSession(db, { id: userId, email, name: email, passwordHash: null }, given, LIMITS);
};

/** The tokens of the links in the messages that are due. */
const tokensOf = async (path: string) =>
  (await deliverMails(world)).flatMap(({ text }) => new RegExp(`${path}#([\\w-]+)`).exec(text)?.[1] ?? []);

const cases: readonly [ending: string, enter: Prepare, end: Prepare][] = [
  [
    "a change of the password",
    byPassword,
    async ({ ctx }) => {
      return () => changeOwnPassword(ctx, { currentPassword: PASSWORD, newPassword: NEW_PASSWORD });
    },
  ],
  [
    "a reset of the password",
    byPassword,
    async ({ userId }) =>
      () =>
        resetUserPassword(parts(), { userId }),
  ],
  [
    "a link for a forgotten password",
    byPassword,
    async ({ email }) => {
      await requestPasswordReset(parts(), { email, address: visitor.address }, 0);
      const [token = ""] = await tokensOf("/set-password");
      return () => redeemAccessLink(parts(), { token, newPassword: NEW_PASSWORD });
    },
  ],
  [
    "a change of the email address",
    byPassword,
    async ({ ctx, email }) => {
      await requestEmailChange(ctx, { email: `new-${email}`, currentPassword: PASSWORD });
      const [first = "", second = ""] = await tokensOf("/confirm-email");
      await confirmEmailChange(parts(), { token: first });
      return () => confirmEmailChange(parts(), { token: second });
    },
  ],
  ["an authenticator app", byPassword, turnAppOn],
  ["a passkey", byPassword, addKey],
  [
    "a removed app",
    byCode,
    async ({ ctx }) =>
      () =>
        removeTotp(ctx),
  ],
  [
    "removed second factors",
    byCode,
    async ({ userId }) =>
      () =>
        removeUserFactors(parts(), { userId }),
  ],
  [
    "a removed passkey",
    byPasskey,
    async ({ ctx }) => {
      const [passkey] = await listOwnPasskeys(ctx);
      return () => removePasskey(ctx, { passkeyId: passkey?.id ?? "" });
    },
  ],
];
const endOthers: Prepare =
  async ({ ctx }) =>
  () =>
    endOtherSessions(ctx);

const disconnect: Prepare = async ({ email }) => {
  return () => disconnectIssuer(world.operator, { email });
};

const endings: typeof cases = [
  ...cases,
  ["ending all others", byPassword, endOthers],
  ["disconnecting the issuer", byIssuer, disconnect],
];

/** Runs both while the user is locked, so that the first one's last statement is before the second's. */
async function runTogether(person: Person, first: () => Promise<unknown>, second: () => Promise<unknown>) {
  const calls: Promise<unknown>[] = [];
  const held = await world.db.begin();
  await held.query(sql("select from users where id = $1 for no key update"), [person.userId]);
  for (const call of [first, second]) {
    const before = await countWaiting();
    let isDone = false;
    calls.push(
      call().finally(() => {
        isDone = true;
      }),
    );
    await vi.waitFor(async () => expect(isDone || (await countWaiting()) > before).toBe(true), 5_000);
  }
  await held.rollback();
  await Promise.all(calls);
}

async function countWaiting(): Promise<number> {
  const text =
    "select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  const [row] = await world.db.query(sql<{ count: number }>(text), []);
  return row?.count ?? 0;
}

async function listOthers({ ctx, sessionId }: Person) {
  return (await listOwnSessions(ctx, LIMITS)).filter(({ id }) => id !== sessionId);
}

describe("no session remains of a sign-in that was under way before", () => {
  test.for(endings)("%s", async ([, enter, end]) => {
    const person = await newPerson();
    const [signingIn, ending] = [await enter(person), await end(person)];
    await runTogether(person, signingIn, ending);
    expect(await listOthers(person)).toEqual([]);
  });

  test.for(cases)("%s, which is stored right before the session", async ([, enter, end]) => {
    const person = await newPerson();
    const enterNow = await enter(person);
    const endNow = await end(person);
    await enterNow(runningBefore(world.db, "lock_session_user", endNow));
    expect(await listOthers(person)).toEqual([]);
  });
});

describe("a session that has ended", () => {
  const evictions: readonly [string, (person: Person) => Promise<unknown>][] = [
    ["a reset of the password", ({ userId }) => resetUserPassword(parts(), { userId })],
    ["removed second factors", ({ userId }) => removeUserFactors(parts(), { userId })],
    ["a disabled user", ({ userId }) => setUserDisabled(parts(), { userId, disabled: true })],
    ["ending all others from another device", ({ ctx }) => endOtherSessions({ ...ctx, sessionId: randomUUID() })],
  ];
  const addFirst = async ({ ctx }: Person) => {
    const { challenge } = await startPasskey(ctx, { site });
    const registration = createAuthenticator().create({ ...site, challenge });
    await addPasskey(ctx, { site, name: "First", registration });
  };
  const replaceCodes: Prepare = async ({ ctx }) => {
    return () => replaceRecoveryCodes(ctx);
  };
  const changes: readonly [string, Prepare][] = [
    ["adds no passkey", addKey],
    ["turns on no authenticator app", turnAppOn],
    ["gets no recovery codes", replaceCodes],
  ];
  /** That someone signs in with. */
  const stateOf = async ({ userId }: Person) => [
    await world.db.query(sql("select id from passkeys where user_id = $1 and name = 'Laptop'"), [userId]),
    await world.db.query(sql("select 1 from totp_factors where user_id = $1 and confirmed_at is not null"), [userId]),
    await world.db.query(sql("select hash from recovery_codes where user_id = $1 order by hash"), [userId]),
  ];

  test.for(evictions.flatMap(([ending, end]) => changes.map(([name, change]) => ({ ending, end, name, change }))))(
    "$name by a request that was under way, after $ending",
    async ({ ending, end, change }) => {
      const person = await newPerson();
      await addFirst(person);
      const before = await stateOf(person);
      const changing = await change(person);
      await runTogether(
        person,
        () => end(person),
        () => expect(changing()).rejects.toMatchObject({ code: "state_invalid" }),
      );
      expect(await stateOf(person)).toEqual(ending === "removed second factors" ? [[], [], []] : before);
    },
  );

  test.for(changes)("%s by a request that is stored right before second factors are removed", async ([, change]) => {
    const person = await newPerson();
    await addFirst(person);
    await runTogether(person, await change(person), () => removeUserFactors(parts(), { userId: person.userId }));
    expect(await stateOf(person)).toEqual([[], [], []]);
  });
});

describe("of changes at the same moment, ten recovery codes remain while there is a factor, and none without", () => {
  const replaceCodes: Prepare = async ({ ctx }) => {
    return () => replaceRecoveryCodes(ctx);
  };
  const removeFirst: Prepare = async ({ ctx }) => {
    const [passkey] = await listOwnPasskeys(ctx);
    return () => removePasskey(ctx, { passkeyId: passkey?.id ?? "" });
  };
  const pairs: readonly [name: string, hasPasskey: boolean, first: Prepare, second: Prepare, codes: number][] = [
    ["two first factors", false, turnAppOn, addKey, 10],
    ["two replacements of the codes", true, replaceCodes, replaceCodes, 10],
    ["the only factor is removed, and another added", true, removeFirst, turnAppOn, 10],
    ["another factor is added, and the only one removed", true, turnAppOn, removeFirst, 10],
    ["the only factor is removed, and the codes replaced", true, removeFirst, replaceCodes, 0],
  ];
  test.for(pairs)("%s", async ([, hasPasskey, first, second, codes]) => {
    const person = await newPerson();
    if (hasPasskey) await (await addKey(person))();
    const other = { ...person, key: createAuthenticator() };
    const settled = (call: () => Promise<unknown>) => () => call().catch(() => null);
    await runTogether(person, settled(await first(person)), settled(await second(other)));
    const text = "select hash from recovery_codes where user_id = $1";
    expect(await world.db.query(sql(text), [person.userId])).toHaveLength(codes);
  });
});

test("disconnecting the issuer also disconnects an account that a sign-in was connecting", async () => {
  const person = await newPerson();
  const { userId, email } = person;
  const identity = { issuer: "https://issuer.example", subject: email, isConnected: false };
  const given = { ...visitor, device: null, factor: null, provenAt: null, identity };
  const user = { id: userId, email, name: email, passwordHash: null };
  await runTogether(person, () => openSession(world.db, user, given, LIMITS), await disconnect(person));
  expect(await world.db.query(sql("select from user_identities where user_id = $1"), [userId])).toEqual([]);
  expect(await listOthers(person)).toEqual([]);
});

describe("nobody else's session ends", () => {
  test.for(endings)("with %s", async ([, prepare, end]) => {
    const [person, bystander] = [await newPerson(), await newPerson()];
    await (await prepare(person))();
    await (await end(person))();
    expect(await listOthers(person)).toEqual([]);
    expect(await listOwnSessions(bystander.ctx, LIMITS)).toHaveLength(1);
  });

  test("with disconnecting the issuer of a user without an account there, and theirs does not", async () => {
    const person = await newPerson();
    await (await disconnect(person))();
    expect(await listOwnSessions(person.ctx, LIMITS)).toHaveLength(1);
  });
});

test("a sign-in that nothing interrupts opens a session", async () => {
  for (const enter of [byPassword, byCode, byPasskey, byIssuer]) {
    const person = await newPerson();
    await (await enter(person))();
    expect(await listOthers(person)).toHaveLength(1);
  }
});
