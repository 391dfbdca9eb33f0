import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { countAttempts } from "#lib/db/user/sign-in-attempt.ts";
import { listSignInCandidates } from "#lib/db/user/user.ts";
import type { UserId } from "#lib/domain/ids.ts";
import { type AttemptKind, signInAllowances, signInDelayMs } from "#lib/domain/sign-in-limit.ts";
import { sql } from "#tests/sql.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { createUser } from "./create.ts";
import { resetUserPassword } from "./reset-password.ts";
import { setUserDisabled } from "./set-disabled.ts";
import { admitUser, type SignInResult, signIn } from "./sign-in.ts";
import { checkPassword, createSignInGate, type SignInGate } from "./sign-in-gate.ts";

let world: World;
let gate: SignInGate;
let made = 0;
let sources = 0;
const userIds = new Map<string, UserId>();

const LIMITS = { idleMinutes: 60, maxHours: 48 };
const DEVICE = "a-known-device-of-hers";
/** Shortens delays by this factor. */
const SCALE = 20;
const scaledBy = (scale: number) => (kind: AttemptKind, failures: number) =>
  signInDelayMs(failures, signInAllowances[kind]) / scale;
const LONGEST_ACCOUNT_DELAY_MS = signInAllowances.account.longestDelayMs / SCALE;
const LONGEST_SOURCE_DELAY_MS = signInAllowances.source.longestDelayMs / SCALE;
/** Waiting places per account. */
const PLACES = 32;

beforeAll(async () => {
  world = await newWorld({ start: new Date() });
});
beforeEach(() => {
  gate = createSignInGate({ delayOf: scaledBy(SCALE), busyHoldMs: 5 });
});
afterAll(() => world.close());

const freshSource = () => `198.51.${++sources >> 8}.${sources & 255}`;

async function newPerson() {
  const email = `person${++made}@example.com`;
  const { userId } = await createUser(world.operator, { email, name: "Ada", resellerId: null, role: "owner" });
  return oneTimeUser(email, userId);
}

async function oneTimeUser(email: string, userId: UserId) {
  const { oneTimePassword } = await resetUserPassword(world.operator, { userId });
  userIds.set(email, userId);
  return { email, userId, password: oneTimePassword };
}

/** Another user of the address, at a reseller, whose known device `DEVICE` is from now on. */
async function newTwin(email: string) {
  const { id: resellerId } = await world.reseller({ funds: "0" });
  const { userId } = await createUser(world.operator, { email, name: "Twin", resellerId, role: "owner" });
  return oneTimeUser(email, userId);
}

/** `device`: a known device of the newest user of the address. */
const attempt = (email: string, password: string, address = freshSource(), device: string | null = null) => {
  const devices = device === null ? [] : [{ userId: userIds.get(email) as UserId, deviceId: device }];
  return signIn(world.db, { email, password, address, userAgent: "", findDevices: () => devices }, LIMITS, gate);
};
const kindOf = async (result: Promise<SignInResult>) => (await result).kind;

async function setFailures(kind: AttemptKind, name: string, count: number): Promise<void> {
  await world.db.query(
    sql(`insert into sign_in_attempts (key, count, last_at) values (sha256($1::bytea), $2, clock_timestamp())
           on conflict (key) do update set count = excluded.count, last_at = excluded.last_at`),
    [`${kind}:${name}`, count],
  );
}

const endsFirst = (one: Promise<unknown>, other: Promise<unknown>) =>
  Promise.race([one.then(() => true), other.then(() => false)]);

async function msOf(work: Promise<unknown>): Promise<number> {
  const startedAtMs = performance.now();
  await work;
  return performance.now() - startedAtMs;
}

/** The number of earlier failures. Counts an attempt itself. */
const failuresOf = async (kind: AttemptKind, name: string) => (await countAttempts(world.db, [{ kind, name }]))[0];

test.each([
  ["the password is changed", ({ userId }: { userId: UserId }) => resetUserPassword(world.operator, { userId })],
  [
    "the user is disabled",
    ({ userId }: { userId: UserId }) => setUserDisabled(world.operator, { userId, disabled: true }),
  ],
])("a sign-in under way when %s opens no session", async (_what, end) => {
  const person = await newPerson();
  const [checked] = await listSignInCandidates(world.db, person.email);
  if (!checked) throw new Error("nobody to sign in");
  await end(person);
  const visitor = { address: freshSource(), userAgent: "", device: null, factor: null, identity: null, provenAt: null };
  expect(await kindOf(admitUser(world.db, checked, visitor, LIMITS))).toBe("refused");
  const sessions = await world.db.query(sql("select from sessions where user_id = $1"), [person.userId]);
  expect(sessions).toEqual([]);
});

describe("an account under attack", () => {
  test("is never locked: its owner signs in on a known device without waiting for the attackers", async () => {
    gate = createSignInGate({ delayOf: scaledBy(SCALE / 4), busyHoldMs: 5 });
    const { email, password } = await newPerson();
    await setFailures("account", email, 10_000);
    const source = freshSource();
    await setFailures("source", source, 10_000);
    let finished = 0;
    const strangers = Array.from({ length: 100 }, (_, n) =>
      attempt(email, "wrong", n % 2 === 0 ? source : freshSource()).then(({ kind }) => {
        if (kind !== "busy") finished += 1;
        return kind;
      }),
    );
    // From an address of the attackers.
    expect((await attempt(email, password, source, DEVICE)).kind).toBe("signed_in");
    expect(finished).toBe(0);
    const kinds = await Promise.all(strangers);
    expect(kinds.filter((kind) => kind === "refused").length).toBeGreaterThan(0);
    expect(kinds.filter((kind) => kind === "signed_in")).toEqual([]);
  });

  test("lets its owner in from a new device after a bounded delay, although attackers have every place in the line", async () => {
    const { email, password } = await newPerson();
    await setFailures("account", email, 10_000);
    const strangers = await Promise.all(
      Array.from({ length: PLACES + 4 }, async () => {
        const source = freshSource();
        await setFailures("source", source, 100);
        return source;
      }),
    );
    const guesses = strangers.map((source) => attempt(email, "wrong", source));
    await expect.poll(() => gate.strangers.line.length).toBe(PLACES);
    const owner = attempt(email, password);
    expect(await msOf(owner)).toBeLessThan(LONGEST_ACCOUNT_DELAY_MS + 2_000);
    expect(await kindOf(owner)).toBe("signed_in");
    const kinds = await Promise.all(guesses.map(kindOf));
    // Four found no place, and one lost its place.
    expect(kinds.toSorted()).toEqual([...Array(5).fill("busy"), ...Array(PLACES - 1).fill("refused")]);
  });

  test("lets its owner in from a new device before strangers without failures who retry repeatedly", async () => {
    const { email, password } = await newPerson();
    await setFailures("account", email, 10_000);
    const strangers = Array.from({ length: PLACES + 8 }, freshSource);
    let isOver = false;
    const guesses = strangers.map(async (source) => {
      while (!isOver) await attempt(email, "wrong", source);
    });
    await expect.poll(() => gate.strangers.line.length).toBe(PLACES);
    await sleep(LONGEST_ACCOUNT_DELAY_MS + 200);
    expect(await kindOf(attempt(email, password))).toBe("signed_in");
    isOver = true;
    await Promise.all(guesses);
  });

  test("is no easier to guess while its owner signs in", async () => {
    const { email, password } = await newPerson();
    await setFailures("account", email, 40);
    expect((await attempt(email, password, freshSource(), DEVICE)).kind).toBe("signed_in");
    expect(await failuresOf("account", email)).toBe(40);
  });
});

describe("wrong passwords", () => {
  test("cost nothing ten times, then delay each further attempt from any address", async () => {
    const { email, password } = await newPerson();
    for (let n = 0; n < 10; n++) expect(await kindOf(attempt(email, "wrong"))).toBe("refused");
    await setFailures("account", email, 15);
    expect(await msOf(attempt(email, "wrong"))).toBeGreaterThanOrEqual(LONGEST_ACCOUNT_DELAY_MS);
    expect(await kindOf(attempt(email, password))).toBe("signed_in");
    expect(await failuresOf("account", email)).toBe(0);
  });

  test("of an account do not delay other accounts, and a reset password is not delayed by them", async () => {
    const [hammered, other] = [await newPerson(), await newPerson()];
    await setFailures("account", hammered.email, 10_000);
    const delayed = attempt(hammered.email, "wrong");
    expect(await endsFirst(attempt(other.email, other.password), delayed)).toBe(true);
    await delayed;
    const { oneTimePassword } = await resetUserPassword(world.operator, { userId: hammered.userId });
    expect(await failuresOf("account", hammered.email)).toBe(0);
    expect(await kindOf(attempt(hammered.email, oneTimePassword))).toBe("signed_in");
  });

  test("delay their source, whatever the account; an IPv6 source is its /64", async () => {
    await setFailures("source", "2001:db8:7::/64", 10_000);
    const { email, password } = await newPerson();
    const delayed = msOf(attempt(email, password, "2001:db8:7::1234"));
    expect(await endsFirst(attempt(email, password, "2001:db8:8::1234"), delayed)).toBe(true);
    expect(await delayed).toBeGreaterThanOrEqual(LONGEST_SOURCE_DELAY_MS);
    expect(await failuresOf("source", "2001:db8:7::/64")).toBe(10_000);
  });

  test("on a known device are counted for that device only", async () => {
    const { email, password } = await newPerson();
    for (let n = 0; n < 15; n++) await attempt(email, "wrong", freshSource(), DEVICE);
    const delayed = msOf(attempt(email, "wrong", freshSource(), DEVICE));
    expect(await endsFirst(attempt(email, password), delayed)).toBe(true);
    expect(await delayed).toBeGreaterThanOrEqual(LONGEST_ACCOUNT_DELAY_MS);
    expect(await failuresOf("account", email)).toBe(0);
  });

  test("are forgotten after an hour without one", async () => {
    await setFailures("account", "someone@example.com", 50);
    await world.db.query(sql("update sign_in_attempts set last_at = last_at - interval '1 hour'"), []);
    expect(await failuresOf("account", "someone@example.com")).toBe(0);
  });
});

describe("an address with several users", () => {
  test("keeps its wrong passwords when another user's right one is given, or is reset", async () => {
    const { email, password } = await newPerson();
    await setFailures("account", email, 15);
    const twin = await newTwin(email);
    expect(await kindOf(attempt(email, twin.password))).toBe("signed_in");
    expect(await failuresOf("account", email)).toBe(15);
    expect(await kindOf(attempt(email, password))).toBe("signed_in");
    expect(await failuresOf("account", email)).toBe(16);
  });

  test("is not guessed on another user's known devices: guesses there are counted together, and never forgiven", async () => {
    const { email, userId, password } = await newPerson();
    const twin = await newTwin(email);
    const onDevice = (given: string, device: string) => attempt(email, given, freshSource(), device);
    for (let n = 0; n < 15; n++) {
      expect(await kindOf(onDevice("wrong", `device-${n}`))).toBe("refused");
      expect(await onDevice(twin.password, `device-${n}`)).toMatchObject({ device: { userId: twin.userId } });
    }
    const right = onDevice(password, DEVICE);
    expect(await msOf(right)).toBeGreaterThanOrEqual(LONGEST_ACCOUNT_DELAY_MS);
    expect(await right).toMatchObject({ kind: "signed_in", device: { userId } });
    expect(await right).not.toMatchObject({ device: { deviceId: DEVICE } });
    expect(await msOf(onDevice(twin.password, DEVICE))).toBeLessThan(LONGEST_ACCOUNT_DELAY_MS);
    expect(await failuresOf("account", email)).toBe(0);
  });
});

test("a browser that knows several users of an address waits by the failures of the one who signed in last", async () => {
  const { email, userId } = await newPerson();
  const twin = await newTwin(email);
  await setFailures("device", `${email}:newest`, 7);
  await setFailures("device", `${email}:earlier`, 3);
  const devices = [
    { userId: twin.userId, deviceId: "newest" },
    { userId, deviceId: "earlier" },
  ];
  const wait = vi.spyOn(gate.known.line, "wait");
  const input = { email, password: "wrong", address: freshSource(), userAgent: "", findDevices: () => devices };
  expect((await signIn(world.db, input, LIMITS, gate)).kind).toBe("refused");
  expect(wait.mock.calls[0]?.[0]).toMatchObject({ source: `${email}:newest`, attempts: 7 });
});

describe("a flood of sign-ins", () => {
  const source = "198.51.100.1";
  const subjects = [{ kind: "source", name: source }] as const;

  test("has one password checked at a time and few waiting; the rest are asked to retry, and do not count", async () => {
    let atOnce = 0;
    let most = 0;
    const check = async () => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await new Promise((resolve) => setTimeout(resolve, 1));
      atOnce -= 1;
      return null;
    };
    const undelayed = createSignInGate({ delayOf: () => 0, busyHoldMs: 5 });
    const outcomes = await Promise.all(
      Array.from({ length: 2_000 }, (_, n) =>
        checkPassword(world.db, undelayed.strangers, { account: `${n}`, source: `${n}`, subjects }, check).catch(
          ({ code, retryAfterSeconds }) => [code, retryAfterSeconds],
        ),
      ),
    );
    const checked = outcomes.filter((outcome) => outcome === null).length;
    expect(most).toBe(1);
    expect(checked).toBeGreaterThanOrEqual(100);
    expect(outcomes.filter((outcome) => outcome !== null)).toEqual(Array(2_000 - checked).fill(["unavailable", 5]));
    expect(await failuresOf("source", source)).toBe(checked);
  });

  test("has its responses delayed, so that immediate retries gain nothing", async () => {
    const patient = createSignInGate({ delayOf: () => 500, busyHoldMs: 200 });
    const { email } = await newPerson();
    const input = { email, password: "wrong", address: freshSource(), userAgent: "", findDevices: () => [] };
    const waiting = [1, 2].map(() => signIn(world.db, input, LIMITS, patient));
    await expect.poll(() => patient.strangers.line.length).toBe(2);
    const third = signIn(world.db, input, LIMITS, patient);
    expect(await msOf(third)).toBeGreaterThanOrEqual(195);
    expect((await third).kind).toBe("busy");
    await Promise.all(waiting);
  });

  test("from one source costs no statement once that source has all of its places in use", async () => {
    const { email } = await newPerson();
    const flooding = freshSource();
    await setFailures("source", flooding, 10_000);
    const waiting = [attempt(email, "wrong", flooding), attempt(email, "wrong", flooding)];
    await expect.poll(() => gate.strangers.line.length).toBe(2);
    const unreachable = { query: () => Promise.reject(new Error("the database was asked")) } as unknown as World["db"];
    const input = { email, password: "wrong", address: flooding, userAgent: "", findDevices: () => [] };
    expect((await signIn(unreachable, input, LIMITS, gate)).kind).toBe("busy");
    await Promise.all(waiting);
  });

  test("by strangers never uses the lane of known devices", async () => {
    const released = Promise.withResolvers<null>();
    const stuck = Array.from({ length: 101 }, (_, n) =>
      checkPassword(world.db, gate.strangers, { account: `${n}`, source: `${n}`, subjects }, () => released.promise),
    );
    const { email, password } = await newPerson();
    expect((await attempt(email, password, freshSource(), DEVICE)).kind).toBe("signed_in");
    released.resolve(null);
    await Promise.all(stuck);
  });
});

test("a database outage is no wrong password: the visitor is asked to retry", async () => {
  const away = { query: () => Promise.reject(Object.assign(new Error("away"), { code: "57P01" })) };
  const { translateDatabaseError } = await import("#lib/db/connection/errors.ts");
  const db = { query: () => away.query().catch(translateDatabaseError) } as unknown as World["db"];
  const input = {
    email: "a@example.com",
    password: "wrong",
    address: "198.51.100.9",
    userAgent: "",
    findDevices: () => [],
  };
  expect(await signIn(db, input, LIMITS, gate)).toEqual({ kind: "busy", waitSeconds: 1 });
});

test("sign-ins are in the audit log, and refused ones once an hour for each user, without what was typed", async () => {
  const { email, password, userId } = await newPerson();
  for (const typed of ["secret-typed-here", "another"]) await attempt(email, typed, "192.0.2.1");
  await attempt("nobody@example.com", "x");
  await attempt(email, password, "192.0.2.7");
  const text = `select actor, action, subject_label, address, data::text from audit_entries
                 where subject = $1 and action like 'session.%' order by id`;
  const entries = await world.db.query(sql(text), [`user:${userId}`]);
  expect(entries).toMatchObject([
    { actor: "system:visitor", action: "session.refuse_sign_in", subject_label: "Ada", address: "192.0.2.1" },
    { actor: `user:${userId}`, action: "session.sign_in", subject_label: "Ada", address: "192.0.2.7" },
  ]);
  expect(JSON.stringify(entries)).not.toContain("typed");
});
