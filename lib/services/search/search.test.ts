import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type EventId, formatEventId } from "#lib/domain/ids.ts";
import { resellerRoleNames, resellerRoles } from "#lib/domain/roles.ts";
import { createResellerApiKey } from "#lib/services/api-key/create.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";
import type { Actor } from "#lib/services/context.ts";
import { setLicenseLabels } from "#lib/services/license/set-labels.ts";
import { setLicenseNotes } from "#lib/services/license/set-notes.ts";
import { openSandboxOf } from "#lib/services/sandbox/open.ts";
import { createUser } from "#lib/services/user/create.ts";
import { createWebhookEndpoint } from "#lib/services/webhook/create.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { mailSettings } from "#tests/support/mails.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { type SearchKind, searchAllObjects, searchKindNames, searchOwnObjects } from "./search.ts";

let world: World;
let owner: ResellerWorld;
let stranger: ResellerWorld;
/** Texts that find the owner's object of each kind, and its id. */
let examples: Record<SearchKind, { readonly id: string; readonly texts: readonly string[] }>;

beforeAll(async () => {
  world = await newWorld();
  [owner, stranger] = [await world.reseller(), await world.reseller()];
  const user = world.context(actors.user(owner.id), { settings: mailSettings(world, true) });
  const license = await owner.register();
  const { licenseId, licenseKey } = license;
  await setLicenseNotes(user, { licenseId, notes: "Northwind rack" });
  await setLicenseLabels(user, { licenseId, change: { customerName: "Zenith GmbH" } });
  const { ipAddress } = await owner.license(licenseId);
  const { bundleId, cycleId } = await world.bundleOffer(owner.id);
  const { instance } = await registerBundle(owner.context(), { bundleId, cycleId, ipAddress: world.freshIp() });
  const key = await createResellerApiKey(user, { name: "Northwind shop ΟΔΟΣ", scopes: ["licenses:read"] });
  const { endpoint } = await createWebhookEndpoint(user, {
    url: "https://hooks.invalid/nw",
    description: "Northwind οδος",
  });
  await createUser(world.context({ kind: "system", name: "test" }), {
    email: "ann@northwind.example",
    name: "Ann O'Hara",
    resellerId: owner.id,
    role: "support",
  });
  const requestId = "req_AbC-1_x";
  await world.db.query(
    sql(`insert into api_requests (api_key_id, started_at, method, operation, status, total_duration_us, max_duration_us, request_id)
         values ($1, $2, 'GET', 'licenses', 200, 1, 1, $3)`),
    [key.apiKeyId, new Date(world.now().getTime() - 60_000), requestId],
  );
  const [event] = await world.db.query(sql<{ id: EventId }>("select id from events where license_id = $1 limit 1"), [
    licenseId,
  ]);
  const [reseller] = await world.db.query(
    sql<{ name: string; email: string }>("select name, email from resellers where id = $1"),
    [owner.id],
  );
  const eventId = event?.id ?? expect.unreachable();
  const operationId = license.operation.id;
  examples = {
    license: {
      id: String(licenseId),
      texts: [
        `lic_${licenseId}`,
        String(licenseId),
        licenseKey,
        licenseKey.slice(-5),
        licenseKey.slice(-4).toLowerCase(),
        ipAddress,
      ],
    },
    customer: { id: "Zenith GmbH", texts: ["zenith", "ZENITH gm", "Zenith GmbH"] },
    bundle: { id: String(instance.id), texts: [`bundle ${instance.id}`, `Bundle #${instance.id}`, instance.ipAddress] },
    reseller: { id: String(owner.id), texts: [`${reseller?.name}`, `${reseller?.email}`] },
    user: { id: "ann@northwind.example", texts: ["ann@northwind.example", "o'hara ann"] },
    apiKey: { id: String(key.apiKeyId), texts: ["shop northwind", "οδος", key.apiKey, key.apiKey.slice(-4)] },
    endpoint: { id: `whe_${endpoint.id}`, texts: [`whe_${endpoint.id}`, "ΟΔΟΣ", "hooks.invalid/nw"] },
    request: { id: requestId, texts: [requestId] },
    event: { id: eventId, texts: [formatEventId(eventId), eventId, formatEventId(eventId).toUpperCase()] },
    operation: { id: operationId, texts: [operationId, `op_${operationId}`] },
  };
});
afterAll(() => world.close());

type Search = typeof searchAllObjects;
async function isFound(search: Search, actor: Actor, kind: SearchKind, text: string): Promise<boolean> {
  const found = await search(world.context(actor), { text });
  return found.some((one) => one.kind === kind && String(one.object.id) === examples[kind].id);
}

describe.each(searchKindNames)("a search for %s", (kind) => {
  test("finds it by each of its names, for admins and for its reseller's users who may see it", async () => {
    for (const text of examples[kind].texts) {
      expect(await isFound(searchAllObjects, actors.admin(null, "support"), kind, text), text).toBe(true);
      expect(await isFound(searchOwnObjects, actors.user(owner.id), kind, text), text).toBe(kind !== "reseller");
    }
  });

  test("finds nothing of another reseller", async () => {
    for (const text of examples[kind].texts) {
      for (const actor of [actors.user(stranger.id), actors.admin(stranger.id)]) {
        expect(await isFound(searchOwnObjects, actor, kind, text), text).toBe(false);
      }
    }
  });
});

const needed = { user: "team:read", apiKey: "keys:read", request: "keys:read", event: "webhooks:read" } as const;

test.each(resellerRoleNames)("the role %s finds what it may see", async (role) => {
  for (const [kind, permission] of Object.entries(needed)) {
    const { texts } = examples[kind as SearchKind];
    const expected = resellerRoles[role].permissions.includes(permission);
    expect(
      await isFound(searchOwnObjects, actors.user(owner.id, role), kind as SearchKind, String(texts[0])),
      kind,
    ).toBe(expected);
  }
});

test("an admin who acts as a reseller does not find its team", async () => {
  const acting = { ...actors.user(owner.id), actingAdmin: true } as Actor;
  expect(await isFound(searchOwnObjects, acting, "user", "ann")).toBe(false);
  expect(await isFound(searchOwnObjects, acting, "apiKey", "northwind")).toBe(true);
});

test("the license with an id comes first, before newer ones with it in their address or notes", async () => {
  const older = await owner.register();
  for (let count = 0; count < 7; count++) {
    const { licenseId } = await owner.register();
    await setLicenseNotes(world.context(actors.user(owner.id)), { licenseId, notes: `Ticket ${older.licenseId}` });
  }
  const found = await searchOwnObjects(world.context(actors.user(owner.id)), { text: String(older.licenseId) });
  const licenses = found.filter(({ kind }) => kind === "license");
  expect(licenses).toHaveLength(6);
  expect(licenses[0]?.object.id).toBe(String(older.licenseId));
});

test("an admin finds a license by the beginning of its host name", async () => {
  const { licenseId } = await owner.register();
  await world.db.query(sql("update licenses set hostname = 'Mail7.northwind.example' where id = $1"), [licenseId]);
  const found = await searchAllObjects(world.context(actors.admin(null)), { text: "mail7.north" });
  expect(found.map(({ object }) => object.id)).toEqual([String(licenseId)]);
});

test("a bundle with its number comes before its licenses", async () => {
  const found = await searchOwnObjects(world.context(actors.user(owner.id)), { text: `bundle ${examples.bundle.id}` });
  expect(found.map(({ kind }) => kind)).toEqual(["bundle", "license", "license", "license"]);
});

test("an admin finds nothing of test mode", async () => {
  const sandboxId = await openSandboxOf(world.context({ kind: "system", name: "test" }), owner.id);
  const ctx = world.context(actors.user(sandboxId));
  const { apiKeyId } = await createResellerApiKey(ctx, { name: "Rehearsal", scopes: ["licenses:read"] });
  const found = { kind: "apiKey", object: { id: String(apiKeyId) } };
  expect(await searchOwnObjects(ctx, { text: "rehearsal" })).toMatchObject([found]);
  expect(await searchAllObjects(world.context(actors.admin(null)), { text: "rehearsal" })).toEqual([]);
});

test.each([
  "x".repeat(200),
  Array.from({ length: 40 }, (_, index) => `w${index}`).join(" "),
  "' or 1=1 --",
  "%",
  "_",
  "\\",
  "%%% ___ \\\\",
  '"quoted" & | ! :* <->',
  "\u0000",
  "a\u0000b",
  "\ud800",
  "مرحبا بالعالم",
  "99999999999999999999",
  "lic_99999999999",
  "bundle 99999999999",
  "whe_99999999999",
  `evt_${randomUUID().slice(1)}`,
  "",
])("%j is searched for without an error, and finds nothing", async (text) => {
  expect(await searchOwnObjects(world.context(actors.user(owner.id)), { text })).toEqual([]);
  expect(await searchAllObjects(world.context(actors.admin(null)), { text })).toEqual([]);
});
