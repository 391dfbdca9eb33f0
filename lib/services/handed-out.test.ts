import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { LicenseId, UserId } from "#lib/domain/ids.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { sql } from "#tests/sql.ts";
import { mailSettings } from "#tests/support/mails.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { createResellerApiKey } from "./api-key/create.ts";
import { createAgentKeys } from "./api-key/create-agent-keys.ts";
import { rotateApiKey } from "./api-key/rotate.ts";
import { createReseller } from "./reseller/create.ts";
import { requestEmailChange } from "./user/change-email.ts";
import { changeOwnPassword } from "./user/change-password.ts";
import { createUser } from "./user/create.ts";
import { createAdmin } from "./user/create-admin.ts";
import { inviteUserAgain } from "./user/invite-again.ts";
import { endOtherSessions } from "./user/own-sessions.ts";
import { resetUserPassword } from "./user/reset-password.ts";
import { createWebhookEndpoint } from "./webhook/create.ts";
import { rotateWebhookSecret } from "./webhook/rotate-secret.ts";
import { updateWebhookEndpoint } from "./webhook/update.ts";

const PASSWORD = "correct horse battery";

let world: World;
let made = 0;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

interface Person {
  readonly userId: UserId;
  readonly sessionId: string;
  readonly licenseId: LicenseId;
  /** As the owner of a reseller. */
  readonly ctx: ServiceContext;
  /** The same session, as if it were an administrator's. */
  readonly admin: ServiceContext;
}

async function newPerson(): Promise<Person> {
  made += 1;
  const reseller = await world.reseller();
  const operator = { ...world.operator, settings: mailSettings(world) };
  const person = { email: `person${made}@example.com`, name: "Ada", resellerId: reseller.id, role: "owner" };
  const { userId: donorId } = await createAdmin(operator, {
    ...person,
    email: `donor${made}@example.com`,
    password: PASSWORD,
  });
  const { userId } = await createUser(operator, person);
  await world.db.query(
    sql(`update users u set one_time_password_until = null, password_hash = d.password_hash from users d
          where u.id = $1 and d.id = $2`),
    [userId, donorId],
  );
  const sessionId = randomUUID();
  await world.db.query(
    sql(`insert into sessions (id, user_id, expires_at, idle_at)
         values ($1, $2, now() + interval '1 hour', now() + interval '1 hour')`),
    [sessionId, userId],
  );
  const { licenseId } = await reseller.register();
  const change = { sessionId, settings: mailSettings(world) };
  return {
    userId,
    sessionId,
    licenseId: licenseId as LicenseId,
    ctx: world.context({ kind: "reseller_user", userId, resellerId: reseller.id, role: "owner" }, change),
    admin: world.context({ kind: "admin", userId, resellerId: null, role: "owner" }, change),
  };
}

/** Prepares a request, which the result sends. */
type Prepare = (person: Person) => Promise<() => Promise<unknown>>;

const url = "https://hooks.example.com/";
const newUser = () => ({ email: `${randomUUID()}@example.com`, name: "Bob", role: "viewer" });
const resellerOf = ({ ctx }: Person) => (ctx.actor.kind === "reseller_user" ? ctx.actor.resellerId : null);
const newEndpoint = async ({ ctx }: Person) =>
  (await createWebhookEndpoint({ ...ctx, sessionId: null }, { url })).endpoint;

const handingOut: readonly [name: string, prepare: Prepare][] = [
  [
    "an API key",
    async ({ ctx }) =>
      () =>
        createResellerApiKey(ctx, { name: "Shop", scopes: ["wallet:read"] }),
  ],
  [
    "the successor of an API key",
    async ({ ctx }) => {
      const { apiKeyId } = await createResellerApiKey(
        { ...ctx, sessionId: null },
        { name: "Shop", scopes: ["wallet:read"] },
      );
      return () => rotateApiKey(ctx, { apiKeyId });
    },
  ],
  [
    "an agent's key",
    async ({ ctx, licenseId }) =>
      () =>
        createAgentKeys(ctx, { licenseIds: [licenseId] }),
  ],
  [
    "the secret of a webhook endpoint",
    async ({ ctx }) =>
      () =>
        createWebhookEndpoint(ctx, { url }),
  ],
  [
    "a new secret of a webhook endpoint",
    async (person) => {
      const { id: endpointId } = await newEndpoint(person);
      return () => rotateWebhookSecret(person.ctx, { endpointId });
    },
  ],
  [
    "events to another address",
    async (person) => {
      const { id: endpointId } = await newEndpoint(person);
      return () => updateWebhookEndpoint(person.ctx, { endpointId, url: `${url}other` });
    },
  ],
  ["an invitation", async (person) => () => createUser(person.ctx, { ...newUser(), resellerId: resellerOf(person) })],
  [
    "a new link of an invitation",
    async (person) => {
      const { userId } = await createUser(
        { ...person.ctx, sessionId: null },
        { ...newUser(), resellerId: resellerOf(person) },
      );
      return () => inviteUserAgain(person.ctx, { userId });
    },
  ],
  [
    "a one-time password",
    async (person) => {
      const { userId } = await createUser(
        { ...person.ctx, sessionId: null },
        { ...newUser(), resellerId: resellerOf(person) },
      );
      return () => resetUserPassword(person.admin, { userId });
    },
  ],
  [
    "a reseller with its first user",
    async ({ admin }) => {
      const { email, name } = newUser();
      return () => createReseller(admin, { name: "Northwind", email, currency: "EUR", firstUser: { name } });
    },
  ],
  [
    "links to another email address",
    async ({ ctx }) => {
      const { email } = newUser();
      return () => requestEmailChange(ctx, { email, currentPassword: PASSWORD });
    },
  ],
  [
    "a password of one's own choice",
    async ({ ctx }) => {
      return () => changeOwnPassword(ctx, { currentPassword: PASSWORD, newPassword: "a better horse battery" });
    },
  ],
];

async function countWaiting(): Promise<number> {
  const text =
    "select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  const [row] = await world.db.query(sql<{ count: number }>(text), []);
  return row?.count ?? 0;
}

/** Everything that lets someone in or sends them something. */
async function storedAccess(): Promise<unknown> {
  const tables = ["api_keys", "webhook_endpoints", "users", "access_links", "email_changes", "resellers", "mails"];
  const hashes = tables.map(
    (table) => `(select md5(string_agg(t::text, ',' order by t::text)) from ${table} t) as ${table}`,
  );
  const [row] = await world.db.query(sql(`select ${hashes.join(", ")}`), []);
  return row;
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "done",
    (error: { code?: string }) => error.code,
  );

describe("what outlives a session is not handed out to one that ends at the same moment", () => {
  test.for(handingOut)("%s", async ([, prepare]) => {
    const person = await newPerson();
    const send = await prepare(person);
    const before = await storedAccess();
    const held = await world.db.begin();
    await held.query(sql("select from users where id = $1 for no key update"), [person.userId]);
    const ending = endOtherSessions({ ...person.ctx, sessionId: randomUUID() });
    await vi.waitFor(async () => expect(await countWaiting()).toBe(1), 5_000);
    let isDone = false;
    const sent = codeOf(send()).finally(() => {
      isDone = true;
    });
    await vi.waitFor(async () => expect(isDone || (await countWaiting()) === 2).toBe(true), 5_000);
    await held.rollback();
    await ending;
    expect(await sent).toBe("state_invalid");
    expect(await storedAccess()).toEqual(before);
  });

  test.for(handingOut)("%s, but to a session that goes on", async ([, prepare]) => {
    const send = await prepare(await newPerson());
    const before = await storedAccess();
    expect(await codeOf(send())).toBe("done");
    expect(await storedAccess()).not.toEqual(before);
  });
});

test("every service that makes a secret or a link asks whether the session goes on, but for these", () => {
  const makers =
    /\b(createApiKey|newAccessLink|newInvitation|newOneTimePassword|makeSigningSecret|makeWebhookSecret|sealWebhookSecret|createRecoveryCodes|createTotpSecret)\(ctx|\b(createApiKey|make\w{1,20}Secret|sealWebhookSecret|createRecoveryCodes|createTotpSecret)\(/;
  const making = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => ({ file: file.replaceAll("\\", "/"), text: readFileSync(join(import.meta.dirname, file), "utf8") }))
    .filter(({ text }) => makers.test(text));
  expect(making.length).toBeGreaterThan(10);
  const reasons = {
    "api-key/signing.ts": "It makes it for its caller.",
    "user/invitation.ts": "It makes it for its caller.",
    "user/password.ts": "It makes it for its caller.",
    "user/request-password-reset.ts": "It is for visitors.",
    "webhook/secrets.ts": "It makes it for its caller.",
  };
  const asking = making.filter(({ text }) => text.includes("writeInSession(ctx"));
  expect(
    making
      .filter((one) => !asking.includes(one))
      .map(({ file }) => file)
      .toSorted(),
  ).toEqual(Object.keys(reasons));
});
