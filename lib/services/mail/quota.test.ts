import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { memoryLimiters } from "#lib/adapters/limiter-memory.ts";
import type { ResellerId, UserId } from "#lib/domain/ids.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { createReseller } from "#lib/services/reseller/create.ts";
import { requestEmailChange } from "#lib/services/user/change-email.ts";
import { createUser } from "#lib/services/user/create.ts";
import { inviteUserAgain } from "#lib/services/user/invite-again.ts";
import { listUsers } from "#lib/services/user/list.ts";
import { sql } from "#tests/sql.ts";
import { deliverMails, mailSettings } from "#tests/support/mails.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { PER_MAILBOX, PER_RESELLER, requireMailQuota } from "./quota.ts";

const HOUR = 3_600_000;

let world: World;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(() => world.db.query(sql("delete from mails"), []));
afterAll(() => world.close());

let made = 0;
const newLimiter = () => memoryLimiters.limiter({ name: "mails", windowMs: HOUR, maxTracked: 1_000 });

/** Those of one process share a limiter. */
async function newOwner({ mailLimiter } = { mailLimiter: newLimiter() }) {
  made += 1;
  const [email, password] = [`owner${made}@example.com`, `correct horse battery ${made}`];
  const input = { name: `Hosting ${made}`, email, currency: "USD", password };
  const { resellerId, userId } = await createReseller(world.operator, input);
  if (userId === null) throw new Error("no user was added");
  const ctx = world.context(
    { kind: "reseller_user", userId, resellerId, role: "owner" },
    { settings: mailSettings(world), mailLimiter },
  );
  return { ctx, resellerId, password };
}

const invite = (ctx: ServiceContext, resellerId: ResellerId, email: string) =>
  createUser(ctx, { email, name: "Ivy", resellerId, role: "viewer" });
const again = (ctx: ServiceContext, userId: UserId) => inviteUserAgain(ctx, { userId });
const mailCount = async () => (await deliverMails(world)).length;
/** Invitations until the quota is used up, after a first one. A message that is not sent yet would be replaced. */
async function useUp(ctx: ServiceContext, userId: UserId): Promise<number> {
  let sent = await mailCount();
  for (let left = PER_MAILBOX - 1; left > 0; left--) {
    await again(ctx, userId);
    sent += await mailCount();
  }
  return sent;
}
const wait = { code: "rate_limited", message: expect.stringMatching(/within an hour\. Try again in \d+ minutes?\.$/) };

test("a reseller sends a mailbox five invitations an hour, whichever action sends them; other mailboxes get theirs", async () => {
  const { ctx, resellerId } = await newOwner();
  const { userId } = await invite(ctx, resellerId, "stranger@example.com");
  expect(await useUp(ctx, userId)).toBe(PER_MAILBOX);
  await expect(again(ctx, userId)).rejects.toMatchObject(wait);
  expect(await mailCount()).toBe(0);
  await invite(ctx, resellerId, "other@example.com");
  expect(await mailCount()).toBe(1);
  world.advance(HOUR);
  await again(ctx, userId);
  expect(await mailCount()).toBe(1);
});

test("what one reseller sends to a mailbox takes nothing from another reseller's invitation to it", async () => {
  const greedy = await newOwner();
  const { userId } = await invite(greedy.ctx, greedy.resellerId, "wanted@example.com");
  await useUp(greedy.ctx, userId);
  await expect(again(greedy.ctx, userId)).rejects.toMatchObject(wait);
  const other = await newOwner(greedy.ctx);
  await invite(other.ctx, other.resellerId, "wanted@example.com");
  expect(await mailCount()).toBe(1);
});

test("changes of the email address send a mailbox no more than invitations, and count with them", async () => {
  const { ctx, resellerId, password } = await newOwner();
  const change = () => requestEmailChange(ctx, { email: "victim@example.com", currentPassword: password });
  await invite(ctx, resellerId, "victim@example.com");
  for (let sent = 1; sent < PER_MAILBOX; sent++) await change();
  await deliverMails(world);
  await expect(change()).rejects.toMatchObject(wait);
  expect(await mailCount()).toBe(0);
});

test("a reseller sends a hundred such messages an hour to any mailboxes; then no user is created", async () => {
  const { ctx, resellerId } = await newOwner();
  for (let sent = 0; sent < PER_RESELLER; sent++) await requireMailQuota(ctx, `person${sent}@example.com`);
  await expect(invite(ctx, resellerId, "one.more@example.com")).rejects.toMatchObject(wait);
  expect((await listUsers(ctx, { limit: 10 })).rows).toHaveLength(1);
  const other = await newOwner(ctx);
  await invite(other.ctx, other.resellerId, "one.more@example.com");
});

test("a reseller over its hundred has nothing forgotten by trying ever more mailboxes", async () => {
  const greedy = await newOwner();
  const other = await newOwner(greedy.ctx);
  const { userId } = await invite(other.ctx, other.resellerId, "kept@example.com");
  await useUp(other.ctx, userId);
  for (let tried = 0; tried < PER_RESELLER + 3_000; tried++) {
    await requireMailQuota(greedy.ctx, `person${tried}@example.com`).catch(() => {});
  }
  await expect(requireMailQuota(greedy.ctx, "one.more@example.com")).rejects.toMatchObject(wait);
  await expect(again(other.ctx, userId)).rejects.toMatchObject(wait);
});

test("without a mail server, an account makes a hundred links an hour, for one address or many; then no user is created", async () => {
  const { ctx: sending, resellerId } = await newOwner();
  const mail = { ...mailSettings(world).mail, hasServer: false };
  const ctx = { ...sending, settings: { ...sending.settings, mail } } as ServiceContext;
  for (let made = 0; made <= PER_MAILBOX; made++) await requireMailQuota(ctx, "b@example.com");
  for (let made = PER_MAILBOX + 1; made < PER_RESELLER; made++)
    await requireMailQuota(ctx, `person${made}@example.com`);
  await expect(invite(ctx, resellerId, "one.more@example.com")).rejects.toMatchObject(wait);
  expect((await listUsers(ctx, { limit: 10 })).rows).toHaveLength(1);
});

test("admins and the command line have no limit", async () => {
  const { resellerId } = await newOwner();
  const { userId } = await createUser(world.operator, {
    email: "a@example.com",
    name: "Ada",
    resellerId,
    role: "owner",
  });
  const admin = world.context({ kind: "admin", userId, resellerId: null, role: "owner" });
  for (const ctx of [admin, world.operator]) {
    for (let sent = 0; sent <= PER_MAILBOX; sent++) await requireMailQuota(ctx, "b@example.com");
  }
});

test("every module that makes a link for a message asks for the quota, or has a limit of its own", () => {
  const services = join(import.meta.dirname, "..");
  const sources = readdirSync(services, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => ({ file: file.replaceAll("\\", "/"), text: readFileSync(join(services, file), "utf8") }))
    .filter(({ text }) => /\bnewAccessLink\(/.test(text) && !text.includes("export function newAccessLink("));
  const counted = sources.filter(({ text }) => text.includes("await requireMailQuota(")).map(({ file }) => file);
  expect(counted.toSorted()).toEqual(["user/change-email.ts", "user/invitation.ts"]);
  // Three open links for each user.
  expect(sources.map(({ file }) => file).filter((file) => !counted.includes(file))).toEqual([
    "user/request-password-reset.ts",
  ]);
});
