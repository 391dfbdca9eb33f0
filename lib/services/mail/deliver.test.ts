import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { UserId } from "#lib/domain/ids.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { createReseller } from "#lib/services/reseller/create.ts";
import { confirmEmailChange, requestEmailChange } from "#lib/services/user/change-email.ts";
import { adjustWallet } from "#lib/services/wallet/adjust.ts";
import { setWalletLowBalanceThreshold } from "#lib/services/wallet/set-low-balance-threshold.ts";
import { topUpWallet } from "#lib/services/wallet/top-up.ts";
import { sql } from "#tests/sql.ts";
import { deliverMails, mailSettings } from "#tests/support/mails.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { attemptMail, claimDueMails } from "./deliver.ts";
import { listMails, retryMail } from "./outbox.ts";
import { setMailPreferences } from "./preferences.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(() => world.db.query(sql("delete from mails"), []));
afterAll(() => world.close());

const deliver = () => deliverMails(world);
const newest = async () => (await listMails(world.operator, { limit: 1 })).rows[0];

function copyMails(which: string, times: number) {
  return world.db.query(
    sql(`insert into mails
         select (jsonb_populate_record(m, jsonb_build_object('id', nextval(pg_get_serial_sequence('mails', 'id')),
                                                            'message_id', gen_random_uuid(), 'once_key', null))).*
           from mails m, generate_series(1, ${times}) where ${which}`),
    [],
  );
}

let made = 0;
/** A user, and how to put a message about a low balance into their outbox. */
async function newReader() {
  made += 1;
  const [email, password] = [`reader${made}@example.com`, `correct horse battery ${made}`];
  const input = { name: `Hosting ${made}`, email, currency: "USD", password };
  const { resellerId, userId } = await createReseller(world.operator, input);
  if (userId === null) throw new Error("no user was added");
  const actor = { kind: "reseller_user", userId, resellerId, role: "owner" } as const;
  const user = world.context(actor, { settings: mailSettings(world) });
  await topUpWallet(world.operator, { resellerId, amount: "12", note: "" });
  await setWalletLowBalanceThreshold(user, { threshold: "10" });
  const report = () => adjustWallet(world.operator, { resellerId, amount: "-3", reason: "test" });
  return { email, password, userId, user, report };
}

test("a reseller's backlog gets no slot that becomes free before another reseller has had its turn", async () => {
  const [busy, other] = [await newReader(), await newReader()];
  await busy.report();
  await copyMails("true", 7);
  const first = await claimDueMails(world.operator, { slots: 5 });
  expect(first.map(({ recipient }) => recipient)).toEqual(Array(5).fill(busy.email));
  world.setClock(new Date(world.now().getTime() + 1_000));
  await other.report();
  const sender = { send: async () => ({ kind: "accepted" }) as const };
  const ctx = { ...world.operator, settings: mailSettings(world) };
  for (const mail of first.slice(0, 1)) await attemptMail(ctx, { mail, sender });
  expect((await claimDueMails(ctx, { slots: 1 })).map(({ recipient }) => recipient)).toEqual([other.email]);
});

test("a reseller's many messages with links go first, but not all of them before another reseller's report", async () => {
  const [busy, other] = [await newReader(), await newReader()];
  await other.report();
  await requestEmailChange(busy.user, { email: `new-${busy.email}`, currentPassword: busy.password });
  await copyMails("secret is not null", 10);
  const first = await claimDueMails(world.operator, { slots: 5 });
  expect(first.filter(({ recipient }) => recipient === other.email)).toHaveLength(1);
  expect((await claimDueMails(world.operator, { slots: 5 })).map(({ kind }) => kind)).not.toContain("low_balance");
});

test("three links of a reseller go before every report, however many reports it has", async () => {
  const [busy, other] = [await newReader(), await newReader()];
  await busy.report();
  await copyMails("true", 7);
  await other.report();
  await requestEmailChange(busy.user, { email: `new-${busy.email}`, currentPassword: busy.password });
  await copyMails("secret is not null", 1);
  const claimed = await claimDueMails(world.operator, { slots: 3 });
  expect(claimed.map(({ secret }) => secret !== null)).toEqual([true, true, true]);
});

test("a link that has ended is forgotten even without a mail server, and reports wait for one", async () => {
  const { email, password, user, report } = await newReader();
  await report();
  await requestEmailChange(user, { email: `new-${email}`, currentPassword: password });
  world.advance(30 * 86_400_000);
  expect(await claimDueMails(world.operator, { slots: 0 })).toEqual([]);
  expect(await world.db.query(sql("select distinct state, secret from mails"), [])).toEqual([
    { state: "pending", secret: null },
  ]);
});

test("a disabled user's link is forgotten, but what a server is accepting at that time counts as sent", async () => {
  const { email, password, user, userId, report } = await newReader();
  await report();
  const [claimed] = await claimDueMails(world.operator, { slots: 1 });
  if (!claimed) throw new Error("nothing was claimed");
  await requestEmailChange(user, { email: `new-${email}`, currentPassword: password });
  await world.db.query(sql("update users set disabled_at = now() where id = $1"), [userId]);
  expect(await deliver()).toEqual([]);
  const ctx = { ...world.operator, settings: mailSettings(world) };
  await attemptMail(ctx, { mail: claimed, sender: { send: async () => ({ kind: "accepted" }) } });
  expect(await world.db.query(sql("select distinct state, secret from mails order by state"), [])).toEqual([
    { state: "sent", secret: null },
    { state: "failed", secret: null },
  ]);
});

test("a message of a kind that another version has added is left for it, without an attempt", async () => {
  const { report } = await newReader();
  await report();
  const rename = (kind: string) => world.db.query(sql("update mails set kind = $1"), [kind]);
  await rename("price_fallen");
  expect(await deliver()).toEqual([]);
  expect(await newest()).toMatchObject({ state: "pending", attemptCount: 0, error: null });
  await rename("low_balance");
  expect(await deliver()).toHaveLength(1);
});

test.each([
  ["has switched its kind off", async (user: ServiceContext) => setMailPreferences(user, { on: [] })],
  [
    "may not read any more what it reports",
    async (_: ServiceContext, userId: UserId) =>
      void (await world.db.query(sql("update users set role = 'support' where id = $1"), [userId])),
  ],
])("a waiting message is not sent to a user who %s, even when sent again", async (_, end) => {
  const { user, userId, report } = await newReader();
  await report();
  await end(user, userId);
  const error = "Not sent: the user does not get messages of this kind any more.";
  expect(await deliver()).toEqual([]);
  expect(await newest()).toMatchObject({ kind: "low_balance", state: "failed", error });
  await retryMail(world.operator, { mailId: (await newest())?.id ?? "" });
  expect(await deliver()).toEqual([]);
  expect(await newest()).toMatchObject({ kind: "low_balance", state: "failed", error });
});

test("a message that waits, or is sent again, goes to the user's new address", async () => {
  for (const isSentAgain of [false, true]) {
    const { email, password, user, report } = await newReader();
    await requestEmailChange(user, { email: `new-${email}`, currentPassword: password });
    const links = await deliver();
    expect(links.map(({ to }) => to).toSorted()).toEqual([`new-${email}`, email]);
    await report();
    if (isSentAgain) await world.db.query(sql("update mails set state = 'failed' where state = 'pending'"), []);
    for (const { text } of links) {
      await confirmEmailChange(user, { token: /\/confirm-email#([\w-]+)/.exec(text)?.[1] ?? "" });
    }
    if (isSentAgain) await retryMail(world.operator, { mailId: (await newest())?.id ?? "" });
    expect((await deliver()).map(({ to }) => to)).toEqual([`new-${email}`]);
    expect(await newest()).toMatchObject({ kind: "low_balance", state: "sent", recipient: `new-${email}` });
  }
});
