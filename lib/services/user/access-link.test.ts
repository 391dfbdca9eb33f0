import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openDatabase } from "#lib/db/connection/client.ts";
import type { ResellerId, UserId } from "#lib/domain/ids.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { claimDueMails } from "#lib/services/mail/deliver.ts";
import { getMail, listMails, showMailLink } from "#lib/services/mail/outbox.ts";
import { createReseller } from "#lib/services/reseller/create.ts";
import { setResellerSuspended } from "#lib/services/reseller/settings.ts";
import { sql } from "#tests/sql.ts";
import { runSql } from "#tests/support/database-contents.ts";
import { deliverMails, mailSettings, PUBLIC_URL, storedMail } from "#tests/support/mails.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { createUser } from "./create.ts";
import { createAdmin } from "./create-admin.ts";
import { findAccessLink, redeemAccessLink } from "./redeem-access-link.ts";
import { requestPasswordReset } from "./request-password-reset.ts";
import { resetUserPassword } from "./reset-password.ts";
import { setUserDisabled } from "./set-disabled.ts";
import { findSession, signIn } from "./sign-in.ts";
import { createSignInGate } from "./sign-in-gate.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
const GOOD = "correct horse battery";

let world: World;
let adminId: UserId;
beforeAll(async () => {
  world = await newWorld();
  const person = { email: "root@example.com", name: "Root", password: "a long enough secret" };
  ({ userId: adminId } = await createAdmin(world.operator, person));
});
beforeEach(() => world.db.query(sql("delete from mails"), []));
afterAll(() => world.close());

/** An admin, on an installation with or without a mail server. */
const admin = (hasServer = true, userId = adminId): ServiceContext =>
  world.context(
    { kind: "admin", userId, resellerId: null, role: "owner" },
    { settings: mailSettings(world, hasServer) },
  );
const visitor = () => admin();
const worker = () => world.context({ kind: "system", name: "test" }, { settings: mailSettings(world, true) });

const deliver = () => deliverMails(world);

const tokenIn = (text: string) => /\/set-password#([\w-]+)/.exec(text)?.[1] ?? "";
const redeem = (token: string, newPassword = GOOD) => redeemAccessLink(visitor(), { token, newPassword });
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "done",
    (error: { code?: string }) => error.code,
  );

let made = 0;
async function invite(resellerId: ResellerId | null) {
  made += 1;
  const email = `invited${made}@example.com`;
  const created = await createUser(admin(), { email, name: `Invited ${made}`, resellerId, role: "owner" });
  const [mail] = await deliver();
  return { ...created, email, token: tokenIn(mail?.text ?? ""), mail };
}

const gate = createSignInGate();
const browser = { address: "203.0.113.9", userAgent: "Firefox", findDevices: () => [] };
const enter = async (email: string, password: string) =>
  signIn(world.db, { email, password, ...browser }, { idleMinutes: 60, maxHours: 48 }, gate);

describe("an invitation", () => {
  test("is mailed, works once, and leaves a user who signs in with their own password", async () => {
    const { id } = await world.reseller();
    const { email, token, mail, invitationUrl, userId } = await invite(id);
    expect(invitationUrl).toBeNull();
    expect(mail).toMatchObject({ to: email, messageId: expect.stringMatching(/^[\w-]{36}@desk\.example\.com$/) });
    for (const body of [mail?.text, mail?.html]) expect(body).toContain(`${PUBLIC_URL}/set-password#${token}`);
    expect(await findAccessLink(visitor(), { token })).toMatchObject({ userId, kind: "invitation", email });
    expect(await codeOf(redeem(token, "password1234"))).toBe("parameters_invalid");
    expect(await redeem(token)).toEqual({ email, userId });
    expect(await codeOf(redeem(token, "another good sentence"))).toBe("not_found");
    expect(await findAccessLink(visitor(), { token })).toBeNull();
    const session = await enter(email, GOOD);
    if (session.kind !== "signed_in") throw new Error(session.kind);
    expect(await findSession(world.db, session.sessionId)).toMatchObject({ userId, mustChangePassword: false });
  });

  test("can be used by one of two at once", async () => {
    const { token } = await invite((await world.reseller()).id);
    const outcomes = await Promise.all([codeOf(redeem(token)), codeOf(redeem(token, "another good sentence"))]);
    expect(outcomes.toSorted()).toEqual(["done", "not_found"]);
  });

  test.each([
    ["after 7 days", async () => world.advance(7 * DAY)],
    ["of a disabled user", async (userId: UserId) => setUserDisabled(admin(), { userId, disabled: true })],
    [
      "of a user disabled and enabled again",
      async (userId: UserId) => {
        for (const disabled of [true, false]) await setUserDisabled(admin(), { userId, disabled });
      },
    ],
    ["after a reset of the password", async (userId: UserId) => void (await resetUserPassword(admin(), { userId }))],
    [
      "of a suspended reseller",
      async (_: UserId, resellerId: ResellerId) =>
        void (await setResellerSuspended(admin(), { resellerId, suspended: true, reason: "test" } as never)),
    ],
  ])("is void %s", async (_, end) => {
    const { id } = await world.reseller();
    await invite(id);
    const { token, userId } = await invite(id);
    await end(userId, id);
    expect(await findAccessLink(visitor(), { token })).toBeNull();
    expect(await codeOf(redeem(token))).toBe("not_found");
  });

  test("of a reseller's first user comes with the reseller", async () => {
    const email = "first@example.com";
    const input = { name: "First Ltd", email, currency: "EUR", firstUser: { name: "First" } };
    expect(await createReseller(admin(), input)).toMatchObject({ invitationUrl: null });
    const [mail] = await deliver();
    expect(mail?.subject).toContain("First Ltd");
    expect(await redeem(tokenIn(mail?.text ?? ""))).toEqual({ email, userId: expect.any(Number) });
  });

  test("is handed over by whoever creates it, if there is no mail server or no key", async () => {
    for (const ctx of [
      admin(false),
      world.context({ kind: "admin", userId: adminId, resellerId: null, role: "owner" }),
    ]) {
      made += 1;
      const person = { email: `by-hand${made}@example.com`, name: "By hand", resellerId: null, role: "owner" };
      const { invitationUrl } = await createUser(ctx, person);
      expect(await redeem(tokenIn(invitationUrl ?? ""), `${GOOD} ${made}`)).toEqual({
        email: person.email,
        userId: expect.any(Number),
      });
    }
  });
});

describe("a forgotten password", () => {
  const options = () => ({ visitor: visitor(), answerAfterMs: 0 });
  const ask = (email: string, by = options(), address = "203.0.113.9") =>
    requestPasswordReset(by.visitor, { email, address }, by.answerAfterMs);
  const person = async () => {
    const { id } = await world.reseller();
    const invited = await invite(id);
    await redeem(invited.token, `${GOOD} ${invited.email}x`.replace(invited.email, String(made)));
    return { ...invited, resellerId: id };
  };

  test("is replaced by a link, which ends sessions and works for 30 minutes", async () => {
    const { email } = await person();
    await ask(` ${email.toUpperCase()} `);
    const [mail] = await deliver();
    const token = tokenIn(mail?.text ?? "");
    const before = await enter(email, `${GOOD} ${made}x`);
    expect(before.kind).toBe("signed_in");
    expect(await redeem(token, "a wholly new sentence")).toEqual({ email, userId: expect.any(Number) });
    if (before.kind === "signed_in") expect(await findSession(world.db, before.sessionId)).toBeNull();
    expect((await enter(email, "a wholly new sentence")).kind).toBe("signed_in");
    await ask(email);
    const [late] = await deliver();
    world.advance(30 * MINUTE);
    expect(await codeOf(redeem(tokenIn(late?.text ?? ""), "yet another sentence"))).toBe("not_found");
  });

  test("whatever the address, is promised no message without a key, and refused while read-only", async () => {
    const { email } = await person();
    const keyless = { ...visitor(), settings: { ...visitor().settings, sealingKey: null } };
    const db = openDatabase({ url: world.url, poolSize: 1, readOnly: true });
    for (const address of [email, `nobody-${email}`]) {
      expect(await ask(address)).toEqual({ sendsLinks: true });
      expect(await ask(address, { visitor: keyless, answerAfterMs: 0 })).toEqual({ sendsLinks: false });
      expect(await codeOf(ask(address, { visitor: { ...visitor(), db }, answerAfterMs: 0 }))).toBe("unavailable");
    }
    await db.close();
  });

  test("whatever the address, is answered alike on a full disk", async () => {
    const { email } = await person();
    await runSql(
      world.url,
      `create function full_disk() returns trigger language plpgsql as $$ begin raise exception 'full' using errcode = '53100'; end $$;
       create trigger full_disk before insert on access_links for each row execute function full_disk()`,
    );
    for (const address of [email, `nobody-${email}`]) expect(await ask(address)).toEqual({ sendsLinks: true });
    await runSql(world.url, "drop function full_disk cascade");
    expect(await deliver()).toEqual([]);
  });

  test("is replaced without getting around the second factor", async () => {
    const { email, userId } = await person();
    await world.db.prisma.totpFactor.create({
      data: { userId, secret: Buffer.of(1), createdAt: world.now(), confirmedAt: world.now() },
    });
    await ask(email);
    const [mail] = await deliver();
    await redeem(tokenIn(mail?.text ?? ""), "a wholly new sentence");
    expect((await enter(email, "a wholly new sentence")).kind).toBe("second_factor");
  });

  test("has no link any more after any change of the password", async () => {
    const { email, userId } = await person();
    await ask(email);
    await ask(email);
    const tokens = (await deliver()).map(({ text }) => tokenIn(text));
    expect(tokens).toHaveLength(2);
    await redeem(tokens[0] ?? "", "a wholly new sentence");
    expect(await codeOf(redeem(tokens[1] ?? "", "yet another sentence"))).toBe("not_found");
    await ask(email);
    const [mail] = await deliver();
    await resetUserPassword(admin(), { userId });
    expect(await codeOf(redeem(tokenIn(mail?.text ?? ""), "yet another sentence"))).toBe("not_found");
  });

  test("is answered the same, and as late, for an unknown address", async () => {
    const { email } = await person();
    const slow = { ...options(), answerAfterMs: 1_000 };
    for (const asked of [email, "nobody@example.com"]) {
      const startedAtMs = performance.now();
      expect(await ask(asked, slow)).toEqual({ sendsLinks: true });
      const tookMs = performance.now() - startedAtMs;
      expect(tookMs).toBeGreaterThanOrEqual(995);
      expect(tookMs).toBeLessThan(1_900);
    }
    expect(await deliver()).toHaveLength(1);
  });

  test("is not looked for by what is no address", async () => {
    for (const asked of ["", "no address"]) expect(await codeOf(ask(asked))).toBe("parameters_invalid");
  });

  test("sends at most three open links to a user, and 20 messages for a source in an hour", async () => {
    const { email } = await person();
    for (let i = 0; i < 5; i++) await ask(email);
    expect(await deliver()).toHaveLength(3);
    world.advance(30 * MINUTE);
    await ask(email);
    expect(await deliver()).toHaveLength(1);
    const by = options();
    for (let i = 0; i < 20; i++) await ask("nobody@example.com", by);
    world.advance(30 * MINUTE);
    for (const asked of [email, "nobody@example.com"]) {
      const retry = /^Too many messages were requested from your network\. Try again in 30 minutes\.$/;
      await expect(ask(asked, by)).rejects.toMatchObject({
        code: "rate_limited",
        message: expect.stringMatching(retry),
      });
    }
    expect(await deliver()).toHaveLength(0);
    await ask(email, by, "198.51.100.7");
    expect(await deliver()).toHaveLength(1);
  });

  test("reaches each user of an address with a link of their own", async () => {
    const first = await person();
    const { id } = await world.reseller();
    await createUser(admin(), { email: first.email, name: "Same address", resellerId: id, role: "owner" });
    await deliver();
    await ask(first.email);
    const sent = await deliver();
    expect(sent.map(({ to }) => to)).toEqual([first.email, first.email]);
    const [one, other] = sent.map(({ text }) => tokenIn(text));
    await redeem(one ?? "", "a wholly new sentence");
    expect(await codeOf(redeem(other ?? "", "a wholly new sentence"))).toBe("parameters_invalid");
    expect(await redeem(other ?? "", "yet another sentence")).toEqual({
      email: first.email,
      userId: expect.any(Number),
    });
  });
});

describe("the secret of a link", () => {
  test("is stored sealed only, and forgotten once the message is delivered or the link is over", async () => {
    const ctx = admin(false);
    const { invitationUrl } = await createUser(ctx, {
      email: "sealed@example.com",
      name: "Sealed",
      resellerId: null,
      role: "owner",
    });
    const token = tokenIn(invitationUrl ?? "");
    const stored = await storedMail(world);
    for (const text of [token, Buffer.from(token).toString("hex")]) expect(stored).not.toContain(text);
    const secrets = () => world.db.query(sql<{ secret: Buffer | null }>("select secret from mails"), []);
    expect((await secrets())[0]?.secret).not.toBeNull();
    await deliver();
    expect((await secrets())[0]?.secret).toBeNull();

    await world.db.query(sql("delete from mails"), []);
    await createUser(ctx, { email: "over@example.com", name: "Over", resellerId: null, role: "owner" });
    world.advance(7 * DAY);
    await claimDueMails(worker(), { slots: 0 });
    expect((await secrets())[0]?.secret).toBeNull();
  });

  test("is shown to another admin, with an audit entry, and to nobody in the list or the text", async () => {
    const { userId } = await createUser(admin(false), {
      email: "shown@example.com",
      name: "Shown",
      resellerId: null,
      role: "owner",
    });
    const listed = (await listMails(admin(false), { limit: 50 })).rows.find(({ kind }) => kind === "invitation");
    const mailId = listed?.id ?? "";
    const mail = await getMail(admin(false), { mailId });
    expect(mail).toMatchObject({ hasLink: true, hasServer: false });
    expect(JSON.stringify({ ...mail, ...listed })).not.toMatch(/set-password#/);
    const { url } = await showMailLink(admin(false), { mailId });
    const [entry] = await world.db.query(sql("select * from audit_entries where action = 'mail.show_link'"), []);
    expect(entry).toMatchObject({ actor: `user:${adminId}`, subject: `user:${userId}` });
    await redeem(tokenIn(url), "a wholly new sentence");
    expect(await codeOf(showMailLink(admin(false), { mailId }))).toBe("state_invalid");
  });

  test("is forgotten, and its message not sent, once the user is disabled", async () => {
    const person = { email: "gone@example.com", name: "Gone", resellerId: null, role: "owner" };
    const { userId } = await createUser(admin(), person);
    for (const disabled of [true, false]) await setUserDisabled(admin(), { userId, disabled });
    expect((await deliver()).map((sent) => sent.text).join()).not.toMatch(/set-password|invit/i);
    const mail = (await listMails(admin(), { limit: 50 })).rows.find(({ kind }) => kind === "invitation");
    expect(mail).toMatchObject({ state: "failed", error: "Not sent: the user is disabled." });
    expect(await codeOf(showMailLink(admin(), { mailId: mail?.id ?? "" }))).toBe("state_invalid");
  });

  test("is not shown of a message of a later version, of which the outbox says only that", async () => {
    await createUser(admin(), { email: "later@example.com", name: "Later", resellerId: null, role: "owner" });
    await world.db.query(sql("update mails set kind = 'of_later' where kind = 'invitation'"), []);
    const { rows } = await listMails(admin(), { limit: 50 });
    const mailId = rows.find(({ kind }) => String(kind) === "of_later")?.id ?? "";
    const mail = await getMail(admin(), { mailId });
    expect(mail).toMatchObject({ hasLink: false, subject: "of_later", text: expect.stringMatching(/later version/) });
    expect(await codeOf(showMailLink(admin(), { mailId }))).toBe("state_invalid");
  });

  test("of one's own is not shown", async () => {
    await requestPasswordReset(admin(false), { email: "root@example.com", address: "203.0.113.8" });
    const [mail] = (await listMails(admin(false), { limit: 1 })).rows;
    expect(await codeOf(showMailLink(admin(false), { mailId: mail?.id ?? "" }))).toBe("state_invalid");
  });
});
