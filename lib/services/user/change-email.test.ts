import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ResellerId, UserId } from "#lib/domain/ids.ts";
import { attemptMail, claimDueMails } from "#lib/services/mail/deliver.ts";
import { listMails, showMailLink } from "#lib/services/mail/outbox.ts";
import { createReseller } from "#lib/services/reseller/create.ts";
import { sql } from "#tests/sql.ts";
import { deliverMails, mailSettings } from "#tests/support/mails.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { confirmEmailChange, findEmailChange, requestEmailChange } from "./change-email.ts";
import { requestPasswordReset } from "./request-password-reset.ts";
import { resetUserPassword } from "./reset-password.ts";
import { setUserDisabled } from "./set-disabled.ts";
import { findSession, signIn } from "./sign-in.ts";
import { createSignInGate } from "./sign-in-gate.ts";

const DAY = 86_400_000;
const browser = { address: "203.0.113.9", userAgent: "Firefox", findDevices: () => [] };

let world: World;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(() => world.db.query(sql("delete from mails"), []));
afterAll(() => world.close());

const visitor = () => world.context({ kind: "system", name: "visitor" }, { settings: mailSettings(world) });

let made = 0;
async function newPerson() {
  made += 1;
  const [email, password] = [`old${made}@example.com`, `correct horse battery ${made}`];
  const input = { name: `Hosting ${made}`, email, currency: "USD", password };
  const { resellerId, userId } = await createReseller(world.operator, input);
  if (userId === null) throw new Error("no user was added");
  const ctx = world.context(
    { kind: "reseller_user", userId, resellerId, role: "owner" },
    { settings: mailSettings(world) },
  );
  return { email, password, resellerId, userId, ctx, newEmail: `new${made}@example.com` };
}
type Person = Awaited<ReturnType<typeof newPerson>>;

const request = ({ ctx, newEmail, password }: Person, email = newEmail) =>
  requestEmailChange(ctx, { email, currentPassword: password });

/** The tokens that the old and the new address got. */
async function tokens({ email }: Person): Promise<{ old: string; new: string }> {
  const sent = await deliverMails(world);
  const tokenOf = (isOld: boolean) =>
    /\/confirm-email#([\w-]+)/.exec(sent.find(({ to }) => (to === email) === isOld)?.text ?? "")?.[1] ?? "";
  expect(sent).toHaveLength(2);
  return { old: tokenOf(true), new: tokenOf(false) };
}
const confirm = async (token: string) =>
  confirmEmailChange(visitor(), { token }).then(
    ({ outcome }) => outcome,
    (error: { code: string }) => error.code,
  );
const enter = (email: string, password: string) =>
  signIn(world.db, { email, password, ...browser }, { idleMinutes: 60, maxHours: 48 }, createSignInGate());

test("an address changes once both have confirmed it, in any order, with the same password", async () => {
  for (const order of [
    ["old", "new"],
    ["new", "old"],
  ] as const) {
    const person = await newPerson();
    const session = await enter(person.email, person.password);
    if (session.kind !== "signed_in") throw new Error(session.kind);
    await request(person, ` ${person.newEmail.toUpperCase()}`);
    const links = await tokens(person);
    expect(await findEmailChange(visitor(), { token: links.old })).toEqual({
      oldEmail: person.email,
      newEmail: person.newEmail,
      isOld: true,
      isConfirmed: false,
    });
    expect(await confirm(links[order[0]])).toBe("waiting");
    expect(await confirm(links[order[0]])).toBe("waiting");
    expect((await enter(person.newEmail, person.password)).kind).toBe("refused");
    expect(await confirm(links[order[1]])).toBe("changed");
    expect(await confirm(links[order[1]])).toBe("not_found");
    expect((await enter(person.email, person.password)).kind).toBe("refused");
    expect((await enter(person.newEmail, person.password)).kind).toBe("signed_in");
    expect(await findSession(world.db, session.sessionId)).toBeNull();
  }
});

test("two confirmations at once change the address once", async () => {
  const person = await newPerson();
  await request(person);
  const links = await tokens(person);
  const outcomes = await Promise.all([confirm(links.old), confirm(links.new)]);
  expect(outcomes.toSorted()).toEqual(["changed", "waiting"]);
});

test.each([
  ["after a day", async () => world.advance(DAY)],
  [
    "after a change of the password",
    async (id: UserId) => void (await resetUserPassword(world.operator, { userId: id })),
  ],
  [
    "of a user disabled and enabled again",
    async (userId: UserId) => {
      await world.db.query(sql("update users set role = 'support' where id = $1"), [userId]);
      for (const disabled of [true, false]) await setUserDisabled(world.operator, { userId, disabled });
    },
  ],
  [
    "of a disabled user",
    async (id: UserId) => void (await world.db.query(sql("update users set disabled_at = now() where id = $1"), [id])),
  ],
])("a change is void %s", async (_, end) => {
  const person = await newPerson();
  await request(person);
  const links = await tokens(person);
  expect(await confirm(links.new)).toBe("waiting");
  await end(person.userId);
  expect(await confirm(links.old)).toBe("not_found");
  expect(await findEmailChange(visitor(), { token: links.old })).toBeNull();
});

test("a later change replaces an earlier one", async () => {
  const person = await newPerson();
  await request(person);
  const first = await tokens(person);
  await request(person, `other-${person.newEmail}`);
  await tokens(person);
  expect(await confirm(first.old)).toBe("not_found");
});

describe("a message whose link is void", () => {
  const worker = () => world.context({ kind: "system", name: "worker" }, { settings: mailSettings(world) });
  const mails = async () =>
    world.db.query(
      sql<{ kind: string; state: string; error: string | null }>("select kind, state, error from mails order by id"),
      [],
    );
  const replaced = { state: "failed", error: "Not sent: another change of the address replaced it." };
  const sent = { state: "sent", error: null };

  test("is not sent any more, and says why", async () => {
    const person = await newPerson();
    await request(person);
    await request(person, `other-${person.newEmail}`);
    const links = await tokens(person);
    expect(await mails()).toMatchObject([replaced, replaced, sent, sent]);
    await requestPasswordReset(visitor(), { email: person.email, address: "203.0.113.9" }, 0);
    await confirm(links.old);
    expect(await confirm(links.new)).toBe("changed");
    const changed = { kind: "password_reset", state: "failed", error: "Not sent: the user's address has changed." };
    expect((await mails()).at(-1)).toMatchObject(changed);
    expect(await deliverMails(world)).toEqual([]);
  });

  test("is given up for that reason if its attempt fails or is released meanwhile", async () => {
    const person = await newPerson();
    await request(person);
    const claimed = await claimDueMails(worker(), { slots: 10 });
    await request(person, `other-${person.newEmail}`);
    const [first, second] = claimed;
    if (!first || !second) throw new Error("not claimed");
    const send = async () => ({ kind: "failed", error: "451 later" }) as const;
    await attemptMail(worker(), { mail: first, sender: { send } });
    await world.db.query(sql("update mails set owner_id = null where id = $1"), [second.id]);
    expect(await deliverMails(world)).toHaveLength(2);
    expect(await mails()).toMatchObject([replaced, replaced, sent, sent]);
  });

  test("has been sent if its attempt succeeds", async () => {
    const person = await newPerson();
    await request(person);
    const claimed = await claimDueMails(worker(), { slots: 10 });
    await request(person, `other-${person.newEmail}`);
    const send = async () => ({ kind: "accepted" }) as const;
    for (const mail of claimed) await attemptMail(worker(), { mail, sender: { send } });
    expect((await mails()).slice(0, 2)).toMatchObject([sent, sent]);
  });
});

test("needs the password and another address", async () => {
  const person = await newPerson();
  const refused = (input: object) =>
    requestEmailChange(person.ctx, { email: person.newEmail, currentPassword: person.password, ...input }).then(
      () => null,
      (error: { details: object }) => Object.keys(error.details),
    );
  expect(await refused({ currentPassword: "not the password" })).toEqual(["email_password"]);
  expect(await refused({ email: "nothing" })).toEqual(["new_email"]);
  expect(await refused({ email: person.email })).toEqual(["new_email"]);
});

test("an address with users elsewhere can be chosen, shares their salt, and one of the same team cannot", async () => {
  const [person, stranger] = [await newPerson(), await newPerson()];
  await request(person, stranger.email);
  const links = await tokens(person);
  await confirm(links.old);
  expect(await confirm(links.new)).toBe("changed");
  expect((await enter(stranger.email, person.password)).kind).toBe("signed_in");
  expect((await enter(stranger.email, stranger.password)).kind).toBe("signed_in");
  const [salts] = await world.db.query(
    sql<{ count: number }>(
      "select count(distinct split_part(password_hash, '$', 5))::int as count from users where email = $1",
    ),
    [stranger.email],
  );
  // One computation checks both passwords (docs/decisions/0030).
  expect(salts?.count).toBe(1);

  const colleague = await newPerson();
  const own = await newPerson();
  await move(colleague.userId, own.resellerId);
  await request(own, colleague.email);
  const second = await tokens(own);
  await confirm(second.old);
  expect(await confirm(second.new)).toBe("conflict");
});

test("without a mail server, an admin hands over the links", async () => {
  const person = await newPerson();
  await request(person);
  const { rows: mails } = await listMails(world.operator, { limit: 2 });
  expect(mails.map(({ recipient }) => recipient).toSorted()).toEqual([person.newEmail, person.email].toSorted());
  for (const { id } of mails) {
    const { url } = await showMailLink(visitor(), { mailId: id });
    expect(await confirm(new URL(url).hash.slice(1))).toMatch(/waiting|changed/);
  }
  expect((await enter(person.newEmail, person.password)).kind).toBe("signed_in");
});

async function move(userId: UserId, to: ResellerId): Promise<void> {
  await world.db.query(sql("update users set reseller_id = $2 where id = $1"), [userId, to]);
}
