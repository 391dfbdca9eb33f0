import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { LicenseId, ResellerId, UserId } from "#lib/domain/ids.ts";
import type { LicenseAddress } from "#lib/domain/license-address.ts";
import { type MailKind, mailKinds, optionalMailKinds } from "#lib/domain/mail/kinds.ts";
import { adminRoleNames, resellerRoleNames } from "#lib/domain/roles.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { createReseller } from "#lib/services/reseller/create.ts";
import { createAdmin } from "#lib/services/user/create-admin.ts";
import { adjustWallet } from "#lib/services/wallet/adjust.ts";
import { decideTopUp } from "#lib/services/wallet/decide-top-up.ts";
import { requestTopUp } from "#lib/services/wallet/request-top-up.ts";
import { setWalletLowBalanceThreshold } from "#lib/services/wallet/set-low-balance-threshold.ts";
import { topUpWallet } from "#lib/services/wallet/top-up.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { deliverMails, mailSettings } from "#tests/support/mails.ts";
import { newWebhooks } from "#tests/support/webhooks.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { listMailPreferences, setMailPreferences } from "./preferences.ts";
import { queueDigestMails } from "./queue-digests.ts";
import { unsubscribe } from "./unsubscribe.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
const unpaid = { price: 14.5, currency: "USD" };

let world: World;
let adminId: UserId;
let licenseId: LicenseId;
beforeAll(async () => {
  world = await newWorld();
  ({ licenseId } = await (await world.reseller()).register());
  const person = { email: "root@example.com", name: "Root", password: "a long enough secret" };
  ({ userId: adminId } = await createAdmin(world.operator, person));
});
beforeEach(() => world.db.query(sql("delete from mails"), []));
afterAll(() => world.close());

const settings = () => mailSettings(world);
const worker = () => world.context({ kind: "system", name: "worker" }, { settings: settings() });
const admin = () =>
  world.context({ kind: "admin", userId: adminId, resellerId: null, role: "owner" }, { settings: settings() });

const deliver = () => deliverMails(world);

let made = 0;
/** A reseller with one user. */
async function newReseller(funds = "100") {
  made += 1;
  const email = `owner${made}@example.com`;
  const input = { name: `Hosting ${made}`, email, currency: "USD", password: `correct horse battery ${made}` };
  const { resellerId, userId } = await createReseller(world.operator, input);
  if (userId === null) throw new Error("no user was added");
  const user = world.context({ kind: "reseller_user", userId, resellerId, role: "owner" }, { settings: settings() });
  if (Number(funds) > 0) await topUpWallet(world.operator, { resellerId, amount: funds, note: "" });
  return { resellerId, userId, email, user };
}

async function emit(
  resellerId: ResellerId,
  kind: string,
  count = 1,
  more: object = {},
  of: LicenseId = licenseId,
): Promise<void> {
  for (let i = 0; i < count; i++) {
    const data = {
      license_id: `lic_${i}`,
      type: "control_panel",
      server: `web${i}.example.com`,
      reason: "insufficient_balance",
      expires_at: "2027-03-20T00:00:00Z",
      auto_renew: false,
      ...more,
    };
    await world.db.query(
      sql("insert into events (id, reseller_id, license_id, kind, data, occurred_at) values ($1, $2, $3, $4, $5, $6)"),
      [randomUUID(), resellerId, of, kind, data, world.now()],
    );
  }
}

describe("a message is written with what it reports", () => {
  test("when the balance falls below the limit, once", async () => {
    const { user, email, resellerId } = await newReseller("12");
    await setWalletLowBalanceThreshold(user, { threshold: "10" });
    expect(await deliver()).toEqual([]);
    for (let i = 0; i < 2; i++) {
      await adjustWallet(world.operator, { resellerId, amount: "-3", reason: "test" });
    }
    const sent = await deliver();
    expect(sent.map(({ to }) => to)).toEqual([email]);
    expect(sent[0]?.text).toContain("Available balance: $9.00");
  });

  test("when a top-up is requested, to admins, and decided, to the reseller", async () => {
    const { user, email } = await newReseller();
    const request = { amount: "250.00", reference: `T-${made}`, method: "bank_transfer", note: "" } as const;
    const { id } = await requestTopUp(user, request);
    const [asked, ...others] = await deliver();
    expect(others).toEqual([]);
    expect(asked).toMatchObject({ to: "root@example.com", subject: expect.stringContaining("$250.00") });
    await decideTopUp(admin(), { requestId: id, decision: "decline", note: "No payment has arrived." });
    const [decided] = await deliver();
    expect(decided).toMatchObject({ to: email, subject: expect.stringContaining("declined") });
    expect(decided?.text).toContain("No payment has arrived.");
  });

  test("when a webhook endpoint is disabled", async () => {
    const { resellerId, email } = await newReseller();
    const webhooks = newWebhooks(world);
    const { id } = await webhooks.endpoint(resellerId, { url: "http://127.0.0.1:9/hook" });
    const disable = "update webhook_endpoints set disabled_at = $2, disabled_reason = 'failing' where id = $1";
    await world.db.query(sql(disable), [id, world.now()]);
    const [mail] = await deliver();
    expect(mail).toMatchObject({ to: email, text: expect.stringContaining("http://127.0.0.1:9/hook") });
    await webhooks.sender.close();
  });

  test("and not if that is rolled back", async () => {
    const { resellerId } = await newReseller("12");
    await setWalletLowBalanceThreshold(world.context(actors.user(resellerId)), { threshold: "10" });
    await expect(
      world.db.query(
        sql(`with low as (update wallets set low_balance_threshold = posted + 1 where reseller_id = $1 returning reseller_id)
             select emit_low_balance(array[reseller_id], now()), 1 / (2 - n) from low, generate_series(1, 2) n`),
        [resellerId],
      ),
    ).rejects.toThrow();
    expect(await deliver()).toEqual([]);
  });
});

describe("a digest", () => {
  test("gathers a quarter of an hour's failed renewals, once, by any number of workers", async () => {
    const { resellerId, email } = await newReseller();
    world.setClock("2027-04-01T10:02:00Z");
    await emit(resellerId, "license.renewal_failed", 25, unpaid);
    await queueDigestMails(worker());
    expect(await deliver()).toEqual([]);
    world.setClock("2027-04-01T10:16:30Z");
    await emit(resellerId, "license.renewal_failed", 1, unpaid);
    await Promise.all([queueDigestMails(worker()), queueDigestMails(worker())]);
    const [mail, ...others] = await deliver();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ to: email, subject: "25 licenses could not be renewed" });
    expect(mail?.text.match(/- web\d+\.example\.com/g)).toHaveLength(20);
    expect(mail?.text).toContain("and 5 more");
    world.advance(30 * MINUTE);
    await queueDigestMails(worker());
    expect((await deliver()).map(({ subject }) => subject)).toEqual(["1 license could not be renewed"]);
    world.advance(DAY);
    await queueDigestMails(worker());
    expect(await deliver()).toEqual([]);
  });

  test("of failed renewals has a license once, and none that somebody requested", async () => {
    const { resellerId } = await newReseller();
    world.setClock("2027-04-06T10:02:00Z");
    await emit(resellerId, "license.renewal_failed", 1, { reason: "provider_failed", requested: true });
    await emit(resellerId, "license.renewal_failed", 1, { reason: "no_price", license_id: "lic_7" });
    world.advance(MINUTE);
    await emit(resellerId, "license.renewal_failed", 1, { ...unpaid, license_id: "lic_7" });
    world.setClock("2027-04-06T10:17:00Z");
    await queueDigestMails(worker());
    const [mail, ...others] = await deliver();
    expect(others).toEqual([]);
    expect(mail?.subject).toBe("1 license could not be renewed");
    expect(mail?.text).toContain("Cost of unpaid renewals: $14.50");
  });

  test("of failed renewals adds up what the balance did not pay for, a bundle once", async () => {
    const { resellerId } = await newReseller();
    const owner = await world.reseller();
    const { bundleId, cycleId } = await world.bundleOffer(owner.id);
    const ipAddress = "198.18.78.1" as LicenseAddress;
    const { instance } = await registerBundle(owner.context(), { bundleId, cycleId, ipAddress });
    world.setClock("2027-04-11T10:02:00Z");
    await emit(resellerId, "license.renewal_failed", 1, unpaid);
    const risen = { reason: "price_limit", license_id: "lic_1", price: 99, currency: "USD" };
    await emit(resellerId, "license.renewal_failed", 1, risen);
    for (const { id } of instance.members) {
      const member = { license_id: `lic_1${id}`, price: 20, currency: "USD" };
      await emit(resellerId, "license.renewal_failed", 1, member, id as LicenseId);
    }
    world.setClock("2027-04-11T10:17:00Z");
    await queueDigestMails(worker());
    const [mail] = await deliver();
    expect(instance.members.length).toBeGreaterThan(1);
    expect(mail?.text).toContain("Cost of unpaid renewals: $34.50");
  });

  test.each([
    { unpaid: 5, others: 20, has: ["Cost of unpaid renewals: $72.50", "Top up:", "Review licenses:"], lacks: [] },
    { unpaid: 20, others: 1, has: ["Cost of unpaid renewals: $290.00", "Top up:", "Review licenses:"], lacks: [] },
    { unpaid: 21, others: 0, has: ["Cost of unpaid renewals: $304.50", "Top up:"], lacks: ["Review licenses:"] },
    { unpaid: 0, others: 21, has: ["Review licenses:"], lacks: ["Top up:", "Cost of"] },
  ])(
    "of $unpaid unpaid and $others other failed renewals leads to the way out of all, also of those not listed",
    async (one) => {
      world.advance(DAY);
      const { resellerId } = await newReseller();
      for (let n = 0; n < one.others; n++) {
        await emit(resellerId, "license.renewal_failed", 1, { reason: "no_price", license_id: `lic_${100 + n}` });
      }
      world.advance(1_000);
      await emit(resellerId, "license.renewal_failed", one.unpaid, unpaid);
      world.advance(30 * MINUTE);
      await queueDigestMails(worker());
      const [mail, ...others] = await deliver();
      expect(others).toEqual([]);
      for (const part of one.has) expect(mail?.text).toContain(part);
      for (const part of one.lacks) expect(mail?.text).not.toContain(part);
    },
  );

  test("of a day lists what expires soon, at 7:00 UTC, also if the worker was away then", async () => {
    const { resellerId } = await newReseller();
    world.setClock("2027-05-01T06:30:00Z");
    await emit(resellerId, "license.expiring_soon", 2);
    world.setClock("2027-05-01T08:00:00Z");
    await emit(resellerId, "license.expiring_soon", 1);
    world.setClock("2027-05-01T18:00:00Z");
    await queueDigestMails(worker());
    expect((await deliver()).map(({ subject }) => subject)).toEqual(["2 licenses expire soon"]);
    world.setClock("2027-05-02T07:02:00Z");
    await queueDigestMails(worker());
    expect((await deliver()).map(({ subject }) => subject)).toEqual(["1 license expires soon"]);
  });

  test("of what expires soon has a license once, and says which risen prices are charged and which end auto-renew", async () => {
    const { resellerId } = await newReseller();
    world.setClock("2027-05-11T08:00:00Z");
    const risen = { auto_renew: true, price: 16, previous_price: 14.5, currency: "USD" };
    await emit(resellerId, "license.expiring_soon", 1, { ...risen, charged_from: null });
    await emit(resellerId, "license.expiring_soon", 3, { auto_renew: true });
    await emit(resellerId, "license.expiring_soon", 1, {
      ...risen,
      license_id: "lic_2",
      server: "web2.example.com",
      charged_from: "2027-03-17T12:00:00Z",
    });
    world.setClock("2027-05-12T07:02:00Z");
    await queueDigestMails(worker());
    const [mail] = await deliver();
    expect(mail?.subject).toBe("3 licenses expire soon");
    expect(mail?.text).toContain("Renew the licenses that you want to keep before they expire.");
    expect(mail?.text).toMatch(
      /Expires on Mar 20, 2027 UTC, because auto-renew does not accept the higher price:\s+- web0\.example\.com \(.+\), .+ UTC: \$16\.00 instead of \$14\.50/,
    );
    expect(mail?.text).toMatch(
      /Renews automatically before Mar 20, 2027 UTC:\s+- web1\.example\.com \([^)]+\), .+ UTC\n/,
    );
    expect(mail?.text).toMatch(
      /Renews automatically before Mar 20, 2027 UTC at a higher price:\s+- web2\.example\.com \(.+\), .+ UTC: \$16\.00 instead/,
    );
  });

  test("of what expires soon lists the earliest ends first, and those of one time in the order of their events", async () => {
    const { resellerId } = await newReseller();
    world.setClock("2027-05-16T08:00:00Z");
    await emit(resellerId, "license.expiring_soon", 20);
    const early = { license_id: "lic_40", server: "early.example.com", expires_at: "2027-03-12T00:00:00Z" };
    await emit(resellerId, "license.expiring_soon", 1, early);
    world.setClock("2027-05-17T07:02:00Z");
    await queueDigestMails(worker());
    const [mail] = await deliver();
    expect(Array.from(mail?.text.matchAll(/- (\w+)\.example\.com/g) ?? [], ([, server]) => server)).toEqual([
      "early",
      ...Array.from({ length: 19 }, (_, place) => `web${place}`),
    ]);
  });

  test("of what expires soon lists what needs a decision first, however much renews automatically", async () => {
    const { resellerId } = await newReseller();
    world.setClock("2027-05-21T08:00:00Z");
    await emit(resellerId, "license.expiring_soon", 21, { auto_renew: true });
    const price = { auto_renew: true, price: 16, previous_price: 14.5, currency: "USD" };
    const later = [
      { charged_from: "2027-03-17T12:00:00Z", license_id: "lic_30", server: "charged.example.com", ...price },
      { charged_from: null, license_id: "lic_31", server: "declined.example.com", ...price },
      { license_id: "lic_32", server: "expires.example.com" },
    ];
    for (const one of later) {
      world.advance(1_000);
      await emit(resellerId, "license.expiring_soon", 1, one);
    }
    world.setClock("2027-05-22T07:02:00Z");
    await queueDigestMails(worker());
    const [mail] = await deliver();
    expect(Array.from(mail?.text.matchAll(/- (\w+)\.example\.com/g) ?? [], ([, server]) => server)).toEqual([
      ...["expires", "declined", "charged"],
      ...Array.from({ length: 17 }, () => expect.stringMatching(/^web/)),
    ]);
    expect(mail?.text).toContain("Renew the licenses that you want to keep before they expire.");
    expect(mail?.text).toContain("and 4 more");
  });

  test("of new cases goes to admins", async () => {
    world.setClock("2027-06-01T10:02:00Z");
    const { resellerId } = await newReseller();
    await world.db.query(
      sql(`insert into reconciliation_cases (kind, provider, reference, reseller_id, license_id, facts, first_seen_at, last_seen_at)
           select 'differs', 'sandbox', 'ref-' || n, case when n > 1 then $2::int end, case when n > 2 then $3::int end, '{}', $1, $1
             from generate_series(1, 3) n`),
      [world.now(), resellerId, licenseId],
    );
    world.advance(45 * MINUTE);
    await queueDigestMails(worker());
    const [mail] = await deliver();
    expect(mail).toMatchObject({ to: "root@example.com", subject: "3 new reconciliation cases" });
    const about = Array.from(mail?.text.matchAll(/- Differs: (.+) \(case \d+\)/g) ?? [], ([, name]) => name);
    expect(about).toEqual(["sandbox", `Hosting ${made}`, `lic_${licenseId}, Hosting ${made}`]);
  });
});

describe("the role of a user", () => {
  const people = [
    ...resellerRoleNames.map((role) => ({ kind: "reseller", role }) as const),
    ...adminRoleNames.map((role) => ({ kind: "admin", role }) as const),
  ];

  test.each(people)("decides what is mailed to them: $kind $role", async (person) => {
    const kinds = (Object.keys(mailKinds) as MailKind[]).filter((kind) => mailKinds[kind].readers?.of === person.kind);
    const { resellerId } = await newReseller();
    const rows = await world.db.query(
      sql<{ kind: string }>(
        `select k as kind from unnest($3::text[]) with ordinality k (k, n),
                jsonb_populate_record(null::users, jsonb_build_object('id', 0, 'role', $1::text, 'reseller_id', $2::int)) u
          where wants_mail(k, u) order by n`,
      ),
      [person.role, person.kind === "admin" ? null : resellerId, kinds],
    );
    expect(rows.map(({ kind }) => kind)).toEqual(optionalMailKinds(person));
  });

  test("does not decide about messages about themselves, which an invited user gets too", async () => {
    const kinds = (Object.keys(mailKinds) as MailKind[]).filter((kind) => mailKinds[kind].readers === null);
    const rows = await world.db.query(
      sql<{ kind: string }>(
        `select k as kind from unnest($1::text[]) with ordinality k (k, n),
                jsonb_populate_record(null::users, '{"id": 0, "role": "support", "one_time_password_until": "2027-01-01"}') u
          where wants_mail(k, u) order by n`,
      ),
      [kinds],
    );
    expect(rows.map(({ kind }) => kind)).toEqual(kinds);
  });

  test("keeps the balance from those who do not see the wallet", async () => {
    const { resellerId, userId, user } = await newReseller("12");
    await setWalletLowBalanceThreshold(user, { threshold: "10" });
    await world.db.query(sql("update users set role = 'support' where id = $1"), [userId]);
    await adjustWallet(world.operator, { resellerId, amount: "-3", reason: "test" });
    expect(await deliver()).toEqual([]);
  });
});

describe("preferences", () => {
  test("end a kind for one user, and bring it back", async () => {
    const { user, resellerId } = await newReseller();
    const kinds = (await listMailPreferences(user)).map(({ kind }) => kind);
    expect(kinds).toEqual([
      "low_balance",
      "runway_end",
      "renewal_failed",
      "expiring_soon",
      "top_up_decided",
      "webhook_disabled",
    ]);
    expect((await listMailPreferences(admin())).map(({ kind }) => kind)).toEqual([
      "top_up_requested",
      "system_problems",
      "new_cases",
    ]);
    await setMailPreferences(user, { on: ["low_balance"] });
    expect((await listMailPreferences(user)).filter(({ on }) => on)).toMatchObject([{ kind: "low_balance" }]);
    world.setClock("2027-07-01T10:02:00Z");
    await emit(resellerId, "license.renewal_failed", 1, unpaid);
    world.advance(30 * MINUTE);
    await queueDigestMails(worker());
    expect(await deliver()).toEqual([]);
    await setMailPreferences(user, { on: kinds });
    await queueDigestMails(worker());
    expect(await deliver()).toHaveLength(1);
  });

  test("are ended by the link in a message, which is good for nothing else", async () => {
    const { user, resellerId } = await newReseller("12");
    await setWalletLowBalanceThreshold(user, { threshold: "10" });
    await adjustWallet(world.operator, { resellerId, amount: "-3", reason: "test" });
    const [mail] = await deliver();
    const token = new URL(mail?.unsubscribeUrl ?? "").searchParams.get("token") ?? "";
    expect(mail?.text).toContain("/settings");
    const forged = `${token.slice(0, 20)}${token[20] === "A" ? "B" : "A"}${token.slice(21)}`;
    for (const wrong of ["", "x", forged, token.slice(0, -8)]) {
      expect(await unsubscribe(worker(), { token: wrong })).toBe(false);
    }
    expect(await unsubscribe(worker(), { token })).toBe(true);
    expect(await unsubscribe(worker(), { token })).toBe(true);
    expect((await listMailPreferences(user)).filter(({ on }) => !on)).toMatchObject([{ kind: "low_balance" }]);
  });
});
