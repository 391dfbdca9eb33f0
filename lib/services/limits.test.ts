import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { ApiKeyId, LicenseId, ResellerId, UserId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { sql } from "#tests/sql.ts";
import { createAuthenticator } from "#tests/support/authenticator.ts";
import { mailSettings } from "#tests/support/mails.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { createResellerApiKey } from "./api-key/create.ts";
import { rotateApiKey } from "./api-key/rotate.ts";
import { startBulkJob } from "./bulk/start.ts";
import { saveView } from "./saved-view/save.ts";
import { addPasskey, startPasskey } from "./user/own-passkeys.ts";
import { requestPasswordReset } from "./user/request-password-reset.ts";
import { requestTopUp } from "./wallet/request-top-up.ts";
import { createWebhookEndpoint } from "./webhook/create.ts";

const AT_ONCE = 5;
const root = join(import.meta.dirname, "..", "..");
const site = { origin: "https://desk.example", rpId: "desk.example", secret: "a secret of tests" };

let world: World;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

interface Owner {
  readonly resellerId: ResellerId;
  readonly userId: UserId;
  readonly email: string;
  readonly sessionId: string;
  readonly licenseId: LicenseId;
  readonly ctx: ServiceContext;
}

async function newOwner(): Promise<Owner> {
  const reseller = await world.reseller();
  const email = `owner${reseller.id}@example.com`;
  const data = { email, name: "Owner", passwordHash: "", resellerId: reseller.id };
  const userId = (await world.db.prisma.user.create({ data: { ...data, role: "owner" } })).id as UserId;
  const sessionId = randomUUID();
  await world.db.query(
    sql(`insert into sessions (id, user_id, expires_at, idle_at)
         values ($1, $2, now() + interval '1 hour', now() + interval '1 hour')`),
    [sessionId, userId],
  );
  const actor = { kind: "reseller_user", userId, resellerId: reseller.id, role: "owner" } as const;
  const ctx = world.context(actor, { settings: mailSettings(world) });
  const { licenseId } = await reseller.register();
  return { resellerId: reseller.id, userId, email, sessionId, licenseId: licenseId as LicenseId, ctx };
}

/** Prepares a request, which the result sends. */
type Prepare = (owner: Owner) => Promise<() => Promise<unknown>>;
interface Limit {
  readonly name: string;
  /** Of `has_room.sql` or `user_has_room.sql`. */
  readonly kind: string;
  readonly most: number;
  readonly add: Prepare;
  /** What fills it; default: `add`. */
  readonly fill?: Prepare;
  /** Error code of the refusal; null: the caller is not told. */
  readonly code: string | null;
}

const addKey: Prepare = async ({ ctx }) => {
  return () => createResellerApiKey(ctx, { name: "Shop", scopes: ["wallet:read"] });
};
const limits: readonly Limit[] = [
  { name: "live API keys of an account", kind: "api_keys", most: 100, code: "conflict", add: addKey },
  {
    // A key that has just been rotated comes on top of as many others.
    name: "live API keys of an account, with one that was rotated",
    kind: "api_keys",
    most: 101,
    code: "conflict",
    fill: addKey,
    add: async ({ ctx, resellerId }) => {
      const text = `update api_keys set name = 'Rotated' where id = (select min(id) from api_keys where reseller_id = $1 and name = 'Shop')
                    returning id`;
      const [key] = await world.db.query(sql<{ id: ApiKeyId }>(text), [resellerId]);
      return () => rotateApiKey(ctx, { apiKeyId: key?.id as ApiKeyId });
    },
  },
  {
    name: "live API keys of a license",
    kind: "api_keys",
    most: 10,
    code: "conflict",
    add: async ({ ctx, licenseId }) => {
      return () => createResellerApiKey(ctx, { name: "Agent", scopes: ["licenses:verify"], licenseId });
    },
  },
  {
    name: "unfinished jobs",
    kind: "bulk_jobs",
    most: 50,
    code: "state_invalid",
    add: async ({ ctx, resellerId, licenseId }) => {
      const job = {
        kind: "set_auto_renew",
        parameters: { on: true },
        items: [{ licenseId }],
        quotedTotal: 0n,
      } as const;
      return () => startBulkJob(ctx, resellerId, { ...job, currency: "USD" as Currency });
    },
  },
  {
    name: "passkeys of a user",
    kind: "passkeys",
    most: 20,
    code: "state_invalid",
    add: async ({ ctx, sessionId }) => {
      const { challenge } = await startPasskey(ctx, { site });
      const registration = createAuthenticator().create({ ...site, challenge });
      return () => addPasskey({ ...ctx, sessionId }, { site, name: "Laptop", registration });
    },
  },
  {
    name: "open links for a forgotten password",
    kind: "password_resets",
    most: 3,
    code: null,
    add: async ({ ctx, email }) => {
      return () => requestPasswordReset(ctx, { email, address: "203.0.113.9" }, 0);
    },
  },
  {
    name: "views of a user",
    kind: "saved_views",
    most: 50,
    code: "conflict",
    add: async ({ ctx }) => {
      return () => saveView(ctx, { list: "licenses", name: randomUUID(), query: "?status=expired", shared: false });
    },
  },
  {
    name: "open requests for a top-up",
    kind: "top_up_requests",
    most: 20,
    code: "state_invalid",
    add: async ({ ctx }) => {
      return () => requestTopUp(ctx, { amount: "10", reference: randomUUID(), method: "cash" });
    },
  },
  {
    name: "webhook endpoints",
    kind: "webhook_endpoints",
    most: 20,
    code: "conflict",
    add: async ({ ctx }) => {
      return () => createWebhookEndpoint(ctx, { url: "https://hooks.example.com/" });
    },
  },
];

async function countWaiting(): Promise<number> {
  const text =
    "select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  const [row] = await world.db.query(sql<{ count: number }>(text), []);
  return row?.count ?? 0;
}

async function countResets({ userId }: Owner): Promise<number> {
  const text = "select count(*)::int from access_links where user_id = $1 and kind = 'password_reset'";
  const [row] = await world.db.query(sql<{ count: number }>(text), [userId]);
  return row?.count ?? 0;
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "added",
    (error: { code?: string }) => error.code,
  );

/** None commits before all have begun: every row needs its reseller or user, whose rows are locked meanwhile. */
async function sendTogether({ resellerId, userId }: Owner, calls: readonly (() => Promise<unknown>)[]) {
  const held = await world.db.begin();
  await held.query(sql("select from resellers where id = $1 for update"), [resellerId]);
  await held.query(sql("select from users where id = $1 for update"), [userId]);
  const sent = calls.map((call) => codeOf(call()));
  await vi.waitFor(async () => expect(await countWaiting()).toBe(calls.length), 5_000);
  await held.rollback();
  return Promise.all(sent);
}

describe("with room for one more, one of five requests at the same moment gets it, and the others the limit's error", () => {
  test.for(limits)("$most $name", async ({ kind, most, add, fill = add, code }) => {
    const owner = await newOwner();
    for (let count = 1; count < most; count++) await (await fill(owner))();
    const calls: (() => Promise<unknown>)[] = [];
    for (let count = 0; count < AT_ONCE; count++) calls.push(await add(owner));
    const outcomes = await sendTogether(owner, calls);
    expect(outcomes.filter((outcome) => outcome === "added")).toHaveLength(code === null ? AT_ONCE : 1);
    expect(outcomes.filter((outcome) => outcome === code)).toHaveLength(code === null ? 0 : AT_ONCE - 1);
    if (kind === "password_resets") expect(await countResets(owner)).toBe(most);
  });
});

describe("every limit on the number of rows", () => {
  const sources = ["prisma/sql/functions", "lib/db", "lib/services"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.(sql|ts)$/.test(file) && !file.endsWith(".test.ts") && !file.startsWith("generated"))
      .map((file) => ({ file, text: readFileSync(join(root, folder, file), "utf8") })),
  );

  test("is in the list above", () => {
    const room = sources.flatMap(({ file, text }) => (file.endsWith("has_room.sql") ? [text] : [])).join("");
    const kinds = [...room.matchAll(/^ {4}when '(\w{1,40})' then/gm)].map(([, kind]) => kind);
    expect(kinds.length).toBeGreaterThan(5);
    expect([...new Set(limits.map(({ kind }) => kind))].toSorted()).toEqual(kinds.toSorted());
    const used = sources.flatMap(({ text }) => [...text.matchAll(/has_room\('(\w{1,40})'/g)].map(([, kind]) => kind));
    expect([...new Set(used)].toSorted()).toEqual(kinds.toSorted());
  });

  test("counts by the function that serializes them, but for these", () => {
    const value = String.raw`(?:\$\d|\$\{|p_|[A-Z]{3})`;
    const comparison = new RegExp(
      [
        String.raw`count\(\*\)(?: from [^()]{0,300}\))? ?(?:<|>=) ?${value}`,
        String.raw`${value}[\w ]{0,40}(?:>|<=) ?\(?(?:case|select count)`,
        String.raw`(?:<|>=) ?p_limit\b`,
        String.raw`await count\w{1,40}\([^;]{0,80}\)\)? ?(?:<|>=|>)`,
      ].join("|"),
    );
    const found = sources.filter(({ text }) => comparison.test(text)).map(({ file }) => file.replaceAll("\\", "/"));
    const reasons = {
      "challenge_webhook_endpoint.sql": "It takes its own lock, because it also returns how long to wait.",
      "has_room.sql": "It is the function.",
      "reseller/sandbox.ts": "Each reset replaces the sandbox of the one before, which its caller has to know.",
      "user_has_room.sql": "It is the other one.",
      "wallet/top-up.ts": "It explains a refusal.",
    };
    expect(found.toSorted()).toEqual(Object.keys(reasons));
  });
});
