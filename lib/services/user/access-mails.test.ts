import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type AuditAction, auditActions } from "#lib/domain/audit.ts";
import type { ResellerId, UserId } from "#lib/domain/ids.ts";
import type { AccessChangeName } from "#lib/domain/mail/access-change.ts";
import type { Role } from "#lib/domain/roles.ts";
import { listAuditLog } from "#lib/services/audit/list.ts";
import { sql } from "#tests/sql.ts";
import { deliverMails, mailSettings } from "#tests/support/mails.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { createUser } from "./create.ts";
import { createAdmin } from "./create-admin.ts";
import { disconnectIssuer } from "./disconnect-issuer.ts";
import { inviteUserAgain } from "./invite-again.ts";
import { removeUserFactors } from "./remove-factors.ts";
import { resetUserPassword } from "./reset-password.ts";
import { setUserDisabled } from "./set-disabled.ts";
import { setUserRole } from "./set-role.ts";

type UserAction = Extract<AuditAction, `user.${string}`>;

/** Who learns of an action: by which change, or why nobody does by a message of its own. */
const told: Readonly<Record<UserAction, AccessChangeName | "its own message" | "the user's own act" | "no access">> = {
  "user.create": "added",
  "user.set_role": "role",
  "user.disable": "disabled",
  "user.enable": "enabled",
  "user.reset_password": "password",
  "user.remove_factors": "factors",
  "user.disconnect_issuer": "issuer",
  "user.invite_again": "its own message",
  "user.request_email_change": "its own message",
  // Of both addresses, which have had links.
  "user.change_email": "its own message",
  // By links that came by mail.
  "user.accept_invitation": "its own message",
  "user.replace_password": "its own message",
  // After a sign-in, of which a new device is reported.
  "user.add_factor": "the user's own act",
  "user.change_password": "the user's own act",
  "user.connect_issuer": "the user's own act",
  "user.remove_factor": "the user's own act",
  "user.replace_recovery_codes": "the user's own act",
  "user.use_recovery_code": "the user's own act",
  "user.factor_refused": "no access",
  "user.change_profile": "no access",
};

let world: World;
let made = 0;
beforeAll(async () => {
  world = await newWorld();
  for (const name of ["root", "other"]) {
    await createAdmin(world.operator, { email: `${name}@example.com`, name, password: "a long enough secret" });
  }
});
beforeEach(() => world.db.query(sql("delete from mails"), []));
afterAll(() => world.close());

async function rootId(): Promise<UserId> {
  const [row] = await world.db.query(sql<{ id: UserId }>("select id from users where email = 'root@example.com'"), []);
  if (!row) throw new Error("no admin");
  return row.id;
}

/** The admin root, who makes the changes. */
async function root() {
  const actor = { kind: "admin", userId: await rootId(), resellerId: null, role: "owner" } as const;
  return world.context(actor, { settings: mailSettings(world) });
}

async function newUser(resellerId: ResellerId | null, role: Role) {
  const email = `person${++made}@example.com`;
  const { userId } = await createUser(await root(), { email, name: "Ada", resellerId, role });
  return { userId, email };
}

async function accept(userId: UserId, text = "select 1"): Promise<void> {
  await world.db.query(sql("update users set one_time_password_until = null where id = $1"), [userId]);
  await world.db.query(sql(text.replaceAll("$1", String(Number(userId)))), []);
}

/** A reseller with an owner `boss`, who learns of grave changes. */
async function newTeam() {
  const { id } = await world.reseller();
  const boss = await newUser(id, "owner");
  await accept(boss.userId);
  return { resellerId: id, boss };
}

const addApp =
  "insert into totp_factors (user_id, secret, created_at, confirmed_at) values ($1, '\\x00', now(), now())";
const addIdentity = "insert into user_identities values ('https://id.example', 'at-' || $1, $1, now())";

type Person = Awaited<ReturnType<typeof newUser>>;
const others: Readonly<Record<Exclude<AccessChangeName, "added">, (person: Person) => Promise<unknown>>> = {
  role: async ({ userId }) => setUserRole(await root(), { userId, role: "support" }),
  disabled: async ({ userId }) => setUserDisabled(await root(), { userId, disabled: true }),
  enabled: async ({ userId }) => {
    await world.db.query(sql("update users set disabled_at = now() where id = $1"), [userId]);
    await setUserDisabled(await root(), { userId, disabled: false });
  },
  password: async ({ userId }) => resetUserPassword(await root(), { userId }),
  factors: async ({ userId }) => {
    await accept(userId, addApp);
    await removeUserFactors(await root(), { userId });
  },
  issuer: async ({ userId, email }) => {
    await accept(userId, addIdentity);
    await disconnectIssuer(await root(), { email });
  },
};

test("every action on users is in the list of who learns of it, and is reported as the list says", async () => {
  const inAudit = Object.keys(auditActions).filter((action) => action.startsWith("user."));
  expect(Object.keys(told).toSorted()).toEqual(inAudit.toSorted());
  for (const [change, makeIt] of Object.entries(others)) {
    const { resellerId } = await newTeam();
    const person = await newUser(resellerId, "owner");
    await makeIt(person);
    const filter = { subject: `user:${person.userId}` };
    const { rows } = await listAuditLog(world.operator, { filter, before: null, limit: 1 });
    expect(told[rows[0]?.action as UserAction]).toBe(change);
  }
});

describe.each(Object.entries(others))("after the change %s by somebody else", (change, makeIt) => {
  test("of a user, the user learns of it, and no owner", async () => {
    const { resellerId } = await newTeam();
    const person = await newUser(resellerId, "viewer");
    await deliverMails(world);
    await makeIt(person);
    const mails = await deliverMails(world);
    expect(mails.map(({ to }) => to)).toEqual([person.email]);
    expect(mails[0]?.text).toContain("An administrator");
    expect(mails[0]?.unsubscribeUrl ?? null).toBeNull();
  });

  test("of an owner, the other owners learn of it, too", async () => {
    const { resellerId, boss } = await newTeam();
    const person = await newUser(resellerId, "owner");
    await deliverMails(world);
    await makeIt(person);
    const mails = await deliverMails(world);
    expect(mails.map(({ to }) => to).toSorted()).toEqual([boss.email, person.email].toSorted());
    const text = mails.find(({ to }) => to === boss.email)?.text;
    expect(text).toContain(person.email);
    expect(text).toContain("/settings/team");
  });

  test(`of an administrator, the other owners of the installation learn of it (${change})`, async () => {
    const person = await newUser(null, "operator");
    await deliverMails(world);
    await makeIt(person);
    const mails = await deliverMails(world);
    expect(mails.map(({ to }) => to).toSorted()).toEqual([person.email, "other@example.com"].toSorted());
    expect(mails.find(({ to }) => to === "other@example.com")?.text).toContain("/users");
  });
});

test("the owners learn of a new administrator or owner, except the one who added them", async () => {
  const { email } = await newUser(null, "support");
  expect((await deliverMails(world)).map(({ to }) => to).toSorted()).toEqual([email, "other@example.com"].toSorted());
  const { resellerId, boss } = await newTeam();
  await deliverMails(world);
  const person = await newUser(resellerId, "owner");
  expect((await deliverMails(world)).map(({ to }) => to).toSorted()).toEqual([boss.email, person.email].toSorted());
  const viewer = await newUser(resellerId, "viewer");
  expect((await deliverMails(world)).map(({ to }) => to)).toEqual([viewer.email]);
});

test("an owner of the team who makes a change is named, and gets no message about it", async () => {
  const { resellerId, boss } = await newTeam();
  const person = await newUser(resellerId, "viewer");
  await deliverMails(world);
  const actor = { kind: "reseller_user", userId: boss.userId, resellerId, role: "owner" } as const;
  await setUserRole(world.context(actor, { settings: mailSettings(world) }), { userId: person.userId, role: "owner" });
  const mails = await deliverMails(world);
  expect(mails.map(({ to }) => to)).toEqual([person.email]);
  expect(mails[0]?.text).toContain("Ada changed your role");
  expect(mails[0]?.text).toContain("Role: Owner");
});

test("an invitation names the role, also when it is sent again", async () => {
  const { resellerId } = await newTeam();
  await deliverMails(world);
  const { userId } = await newUser(resellerId, "finance");
  const [first] = await deliverMails(world);
  expect(first?.text).toContain("with the role Finance");
  await inviteUserAgain(await root(), { userId });
  const [again] = await deliverMails(world);
  expect(again?.text).toContain("with the role Finance");
});
