import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { UserId } from "#lib/domain/ids.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { sql } from "#tests/sql.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { createAdmin } from "./create-admin.ts";
import { getOwnFactors, removeTotp } from "./own-factors.ts";
import { removePasskey } from "./own-passkeys.ts";
import { removeUserFactors } from "./remove-factors.ts";

let world: World;
let made = 0;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

interface Person {
  readonly userId: UserId;
  readonly ctx: ServiceContext;
  readonly sessionId: string;
  readonly passkeyId: string;
}

/** With an authenticator app, a passkey and a session. */
async function newPerson(adminsNeedFactor = false): Promise<Person> {
  made += 1;
  const person = { email: `person${made}@example.com`, name: "Ada", password: "correct horse battery" };
  const { userId } = await createAdmin(world.operator, person);
  const passkeyId = `passkey${made}`;
  const sessionId = crypto.randomUUID();
  await world.db.query(
    sql(`with app as (insert into totp_factors (user_id, secret, created_at, confirmed_at) values ($1, '\\x00', now(), now())),
              key as (insert into passkeys (id, user_id, name, public_key, counter, created_at) values ($2, $1, 'Laptop', '\\x00', 0, now()))
         insert into sessions (id, user_id, expires_at, idle_at) values ($3, $1, now() + interval '1 hour', now() + interval '1 hour')`),
    [userId, passkeyId, sessionId],
  );
  const settings = { ...world.operator.settings, adminsNeedFactor };
  const ctx = world.context({ kind: "admin", userId, resellerId: null, role: "owner" }, { settings, sessionId });
  return { userId, ctx, sessionId, passkeyId };
}

const removals = {
  app: (person: Person) => removeTotp(person.ctx),
  passkey: (person: Person) => removePasskey(person.ctx, person),
};
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "done",
    (error: { code?: string }) => error.code,
  );

async function countWaiting(): Promise<number> {
  const text =
    "select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  const [row] = await world.db.query(sql<{ count: number }>(text), []);
  return row?.count ?? 0;
}

/** Starts the calls in their order while `text` holds a lock that all of them need. */
async function runBehind(text: string, { userId }: Person, calls: readonly (() => Promise<unknown>)[]) {
  const held = await world.db.begin();
  await held.query(sql(text), [userId]);
  const running: Promise<unknown>[] = [];
  for (const call of calls) {
    running.push(codeOf(call()));
    await vi.waitFor(async () => expect(await countWaiting()).toBe(running.length), 5_000);
  }
  await held.rollback();
  return Promise.all(running);
}

const lockFactors = {
  app: "select from totp_factors where user_id = $1 for update",
  passkey: "select from passkeys where user_id = $1 for update",
};
const factors = ["app", "passkey"] as const;

describe("removals at the same moment", () => {
  test.for(factors)("the user's of the %s, and an administrator's of all factors, both succeed", async (factor) => {
    const person = await newPerson();
    const own = () => removals[factor](person);
    const all = () => removeUserFactors(world.operator, { userId: person.userId });
    expect(await runBehind(lockFactors[factor], person, [own, all])).toEqual(["done", "done"]);
    expect(await getOwnFactors(person.ctx)).toMatchObject({ totpSince: null, passkeys: 0, recoveryCodes: 0 });
  });

  test.for(factors)(
    "an administrator's of all factors, and then the user's of the %s, which then has nothing to remove",
    async (factor) => {
      const person = await newPerson();
      const own = () => removals[factor](person);
      const all = () => removeUserFactors(world.operator, { userId: person.userId });
      expect(await runBehind(lockFactors[factor], person, [all, own])).toEqual(["done", "done"]);
    },
  );

  test("of two factors, one of which is required, leave the other", async () => {
    const person = await newPerson(true);
    const calls = factors.map((factor) => () => removals[factor](person));
    const outcomes = await runBehind("select from users where id = $1 for no key update", person, calls);
    expect(outcomes).toEqual(["done", "state_invalid"]);
    expect(await getOwnFactors(person.ctx)).toMatchObject({ totpSince: null, passkeys: 1 });
  });
});

test.each(factors)("a session that has ended meanwhile does not remove the %s", async (factor) => {
  const person = await newPerson();
  await world.db.query(sql("update sessions set revoked_at = now() where id = $1"), [person.sessionId]);
  expect(await codeOf(removals[factor](person))).toBe("state_invalid");
  expect(await getOwnFactors(person.ctx)).toMatchObject({ totpSince: expect.any(Date), passkeys: 1 });
});
