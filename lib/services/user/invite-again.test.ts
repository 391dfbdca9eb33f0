import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { ResellerId, UserId } from "#lib/domain/ids.ts";
import type { Role } from "#lib/domain/roles.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { claimDueMails } from "#lib/services/mail/deliver.ts";
import { sql } from "#tests/sql.ts";
import { codeOf } from "#tests/support/faults.ts";
import { deliverMails, mailSettings } from "#tests/support/mails.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { createUser } from "./create.ts";
import { createAdmin } from "./create-admin.ts";
import { inviteUserAgain } from "./invite-again.ts";
import { findAccessLink, redeemAccessLink } from "./redeem-access-link.ts";
import { resetUserPassword } from "./reset-password.ts";
import { setUserDisabled } from "./set-disabled.ts";
import { signIn } from "./sign-in.ts";

const DAY = 86_400_000;
const GOOD = "correct horse battery";

let world: World;
let adminId: UserId;
let resellerId: ResellerId;
beforeAll(async () => {
  world = await newWorld();
  const person = { email: "root@example.com", name: "Root", password: "a long enough secret" };
  ({ userId: adminId } = await createAdmin(world.operator, person));
  ({ id: resellerId } = await world.reseller());
  await createUser(admin(), { email: "owner@example.com", name: "Olga", resellerId, role: "owner" });
});
beforeEach(() => world.db.query(sql("delete from mails"), []));
afterAll(() => world.close());

const admin = (hasServer = true): ServiceContext =>
  world.context(
    { kind: "admin", userId: adminId, resellerId: null, role: "owner" },
    { settings: mailSettings(world, hasServer) },
  );
const owner = (hasServer = true): ServiceContext =>
  world.context(
    { kind: "reseller_user", userId: 999_999 as UserId, resellerId, role: "owner" },
    { settings: mailSettings(world, hasServer) },
  );
const tokenIn = (text: string | null | undefined) => /\/set-password#([\w-]+)/.exec(text ?? "")?.[1] ?? "";
const ownerOf = (token: string) => findAccessLink(admin(), { token });

let made = 0;
async function invite(of: ResellerId | null = resellerId, role: Role = "viewer") {
  const email = `invited${++made}@example.com`;
  const { userId } = await createUser(admin(), { email, name: "Ivy", resellerId: of, role });
  const [mail] = await deliverMails(world);
  return { email, userId, token: tokenIn(mail?.text) };
}

test("a new link is mailed, works for seven days, and the old one is dead", async () => {
  const { email, userId, token } = await invite();
  world.advance(8 * DAY);
  expect(await ownerOf(token)).toBeNull();
  expect(await inviteUserAgain(owner(), { userId })).toMatchObject({ email, invitationUrl: null });
  const [mail, ...others] = await deliverMails(world);
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ to: email, subject: expect.stringContaining("You are invited") });
  const again = tokenIn(mail?.text);
  expect(again).not.toBe(token);
  world.advance(6 * DAY);
  expect(await ownerOf(again)).toMatchObject({ kind: "invitation", email });
  expect(await redeemAccessLink(admin(), { token: again, newPassword: GOOD })).toEqual({
    email,
    userId: expect.any(Number),
  });
});

test("a link that still worked is dead, too, and its message is not sent any more", async () => {
  const email = `invited${++made}@example.com`;
  const first = await createUser(admin(false), { email, name: "Ivy", resellerId, role: "viewer" });
  const second = await inviteUserAgain(owner(false), { userId: first.userId });
  expect(await ownerOf(tokenIn(first.invitationUrl))).toBeNull();
  expect(await ownerOf(tokenIn(second.invitationUrl))).toMatchObject({ email });
  const worker = world.context({ kind: "system", name: "test" }, { settings: mailSettings(world) });
  const due = await claimDueMails(worker, { slots: 10 });
  expect(due).toHaveLength(1);
  const rows = await world.db.query(sql<{ error: string }>("select error from mails where state = 'failed'"), []);
  expect(rows).toEqual([{ error: "Not sent: a new invitation replaced it." }]);
});

test("a one-time password for a user who has never signed in ends as well", async () => {
  const { email, userId } = await invite();
  const { oneTimePassword } = await resetUserPassword(admin(), { userId });
  await inviteUserAgain(admin(), { userId });
  const visitor = { address: "203.0.113.9", userAgent: "", findDevices: () => [] };
  const entered = await signIn(
    world.db,
    { email, password: oneTimePassword, ...visitor },
    { idleMinutes: 60, maxHours: 48 },
  );
  expect(entered.kind).toBe("refused");
});

test("a user who has chosen a password or has signed in is not invited again, whatever an admin did since", async () => {
  const chosen = await invite();
  await redeemAccessLink(admin(), { token: chosen.token, newPassword: GOOD });
  expect(await codeOf(inviteUserAgain(owner(), chosen))).toBe("state_invalid");
  await world.db.query(sql("update users set last_signed_in_at = now() where id = $1"), [chosen.userId]);
  await resetUserPassword(admin(), chosen);
  expect(await codeOf(inviteUserAgain(owner(), chosen))).toBe("state_invalid");
  const disabled = await invite();
  await setUserDisabled(admin(), { userId: disabled.userId, disabled: true });
  expect(await codeOf(inviteUserAgain(owner(), disabled))).toBe("state_invalid");
  expect((await deliverMails(world)).map(({ text }) => text).join()).not.toMatch(/set-password|invit/i);
});

test("only those who manage users invite again: owners their team, and admins with the role Owner other admins", async () => {
  const [theirs, colleague] = [await invite(), await invite(null, "support")];
  const { id: other } = await world.reseller();
  const as = (of: ResellerId, role: "owner" | "manager") =>
    world.context({ kind: "reseller_user", userId: 9 as UserId, resellerId: of, role });
  expect(await codeOf(inviteUserAgain(as(other, "owner"), theirs))).toBe("not_found");
  expect(await codeOf(inviteUserAgain(as(resellerId, "manager"), theirs))).toBe("permission_denied");
  const operator = world.context({ kind: "admin", userId: 9 as UserId, resellerId: null, role: "operator" });
  expect(await codeOf(inviteUserAgain(operator, colleague))).toBe("permission_denied");
  expect(await inviteUserAgain(admin(), colleague)).toMatchObject({ email: colleague.email });
});
