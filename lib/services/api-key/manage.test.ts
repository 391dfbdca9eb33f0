import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ApiKeyId } from "#lib/domain/ids.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { codeOf } from "#tests/support/faults.ts";
import { anyLookUp } from "#tests/support/look-up-quota.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, PEPPER, type World } from "#tests/support/world.ts";
import { createResellerApiKey, LIVE_KEYS_MAX } from "./create.ts";
import { getApiKey } from "./get.ts";
import { createKeyring } from "./keyring.ts";
import { listApiKeys } from "./list.ts";
import { revokeApiKey } from "./revoke.ts";
import { rotateApiKey } from "./rotate.ts";
import { setApiKeyRateLimit } from "./set-rate-limit.ts";

const DAY_MS = 86_400_000;

let world: World;
let owner: ResellerWorld;
let user: ServiceContext;
let stranger: ServiceContext;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  owner = await world.reseller({ funds: "0" });
  user = world.context(actors.user(owner.id));
  stranger = world.context(actors.user((await world.reseller({ funds: "0" })).id));
});
afterAll(() => world.close());

const create = (ctx: ServiceContext, input: Partial<Parameters<typeof createResellerApiKey>[1]> = {}) =>
  createResellerApiKey(ctx, { name: "shop", scopes: ["licenses:read"], ...input });

describe("a reseller's user", () => {
  test("creates a working key for its own reseller, with the default limit", async () => {
    const { apiKey, apiKeyId } = await create(user);
    expect(await createKeyring(world.db, PEPPER).authenticate(apiKey, world.now(), anyLookUp)).toMatchObject({
      apiKeyId,
      resellerId: owner.id,
      rateLimitPerMinute: 600,
    });
    expect(await getApiKey(user, { apiKeyId })).toMatchObject({ name: "shop", signing: "none", revokedAt: null });
  });

  test("cannot set a rate limit, on new or existing keys", async () => {
    const { apiKeyId } = await create(user);
    expect(await codeOf(create(user, { rateLimitPerMinute: 601 }))).toBe("permission_denied");
    expect(await codeOf(setApiKeyRateLimit(user, { apiKeyId, requestsPerMinute: 601 }))).toBe("permission_denied");
  });

  test("creates and rotates no live key that may do more than they; test keys move play money only", async () => {
    const developer = world.context(actors.user(owner.id, "developer"));
    const agent = await create(developer, { scopes: ["licenses:verify", "diagnostics:write"] });
    await rotateApiKey(developer, { apiKeyId: agent.apiKeyId });
    for (const scope of ["licenses:write", "bundles:write", "wallet:read", "licenses:terminate"] as const) {
      expect(await codeOf(create(developer, { scopes: ["licenses:read", scope] }))).toBe("permission_denied");
      const { apiKeyId } = await create(user, { scopes: [scope] });
      expect(await codeOf(rotateApiKey(developer, { apiKeyId }))).toBe("permission_denied");
      await revokeApiKey(developer, { apiKeyId });
    }
    await create(developer, { scopes: ["licenses:write"], mode: "test" });
    await create(world.context(actors.user(owner.id, "manager")), { scopes: ["licenses:write", "licenses:terminate"] });
  });

  test("gets not found for another reseller's keys, and changes none (contract 1.12)", async () => {
    const { apiKeyId } = await create(user);
    const nothing = 2_000_000_000 as ApiKeyId;
    const questions = [
      (id: ApiKeyId) => getApiKey(stranger, { apiKeyId: id }),
      (id: ApiKeyId) => revokeApiKey(stranger, { apiKeyId: id }),
      (id: ApiKeyId) => rotateApiKey(stranger, { apiKeyId: id }),
    ];
    for (const ask of questions) {
      const answers = await Promise.all(
        [apiKeyId, nothing].map((id) => ask(id).catch(({ code, message }) => ({ code, message }))),
      );
      expect(answers[0]).toEqual(answers[1]);
      expect(answers[0]).toMatchObject({ code: "not_found" });
    }
    expect(await codeOf(listApiKeys(stranger, { resellerId: owner.id }))).toBe("not_found");
    expect(await codeOf(create(stranger, { resellerId: owner.id }))).toBe("not_found");
    expect((await listApiKeys(stranger)).rows).toEqual([]);
    expect(await getApiKey(user, { apiKeyId })).toMatchObject({ revokedAt: null, expiresAt: null });
  });
});

test("an API key with every scope cannot create or revoke keys, so it cannot outlive its own revocation", async () => {
  const { apiKeyId } = await create(user);
  const key = owner.context();
  const asked = [
    create(key),
    listApiKeys(key),
    getApiKey(key, { apiKeyId }),
    rotateApiKey(key, { apiKeyId }),
    revokeApiKey(key, { apiKeyId }),
  ];
  expect(await Promise.all(asked.map(codeOf))).toEqual(asked.map(() => "permission_denied"));
});

test("an admin manages a reseller's keys, and sets their limit", async () => {
  const admin = owner.admin();
  const { apiKeyId } = await create(admin, { rateLimitPerMinute: 5_000 });
  await setApiKeyRateLimit(admin, { apiKeyId, requestsPerMinute: 60 });
  expect(await getApiKey(user, { apiKeyId })).toMatchObject({ rateLimitPerMinute: 60 });
  expect(await codeOf(setApiKeyRateLimit(admin, { apiKeyId, requestsPerMinute: 0 }))).toBe("parameters_invalid");
  expect(await codeOf(create(world.context(actors.admin(null))))).toBe("permission_denied");
});

test("every change is in the audit log with its author and without secrets", async () => {
  const { apiKeyId, apiKey } = await create(user);
  const rotated = await rotateApiKey(user, { apiKeyId });
  await setApiKeyRateLimit(owner.admin(), { apiKeyId, requestsPerMinute: 60 });
  await revokeApiKey(user, { apiKeyId });
  const entries = await world.db.prisma.auditEntry.findMany({
    where: { resellerId: owner.id, action: { startsWith: "api_key." } },
    orderBy: { id: "asc" },
  });
  expect(entries.map(({ actor, action, subject }) => [actor, action, subject])).toEqual([
    ["user:1", "api_key.create", `api_key:${apiKeyId}`],
    ["user:1", "api_key.rotate", `api_key:${apiKeyId}`],
    ["user:2", "api_key.set_rate_limit", `api_key:${apiKeyId}`],
    ["user:1", "api_key.revoke", `api_key:${apiKeyId}`],
  ]);
  const text = JSON.stringify(entries.map(({ data }) => data));
  expect(text).toContain(`"new_api_key_id":${rotated.apiKeyId}`);
  expect(text).not.toContain(apiKey.slice(12, -4));
});

test("a reseller has at most 100 live keys; ended ones do not count", async () => {
  const insert = `insert into api_keys (reseller_id, name, secret_hash, hint, scopes)
                  select $1::int, 'k', convert_to($1::int || ':' || n, 'UTF8'), '', '{}' from generate_series(1, $2::int) n`;
  await world.db.query(sql(insert), [owner.id, LIVE_KEYS_MAX - 1]);
  const { apiKeyId } = await create(user, { expiresAt: new Date(world.now().getTime() + DAY_MS) });
  expect(await codeOf(create(user))).toBe("conflict");
  await revokeApiKey(user, { apiKeyId });
  await create(user);
});

test("keys in their grace period count: a rotation leaves at most one more than 100 live keys", async () => {
  const insert = `insert into api_keys (reseller_id, name, secret_hash, hint, scopes)
                  select $1::int, 'k', convert_to($1::int || ':' || n, 'UTF8'), '', '{}' from generate_series(1, $2::int) n`;
  await world.db.query(sql(insert), [owner.id, LIVE_KEYS_MAX - 1]);
  const { apiKeyId } = await create(user);
  const rotated = await rotateApiKey(user, { apiKeyId });
  const next = { apiKeyId: rotated.apiKeyId };
  await expect(rotateApiKey(user, next)).rejects.toMatchObject({
    code: "conflict",
    message: "There are 100 other live keys. Revoke one first, or choose no grace period.",
  });
  const { apiKeyId: last } = await rotateApiKey(user, { ...next, graceHours: 0 });
  await revokeApiKey(user, { apiKeyId });
  await rotateApiKey(user, { apiKeyId: last });
});

test("a key is rotated once, even concurrently, and its successor keeps the full term", async () => {
  const expiresAt = new Date(world.now().getTime() + 90 * DAY_MS);
  const { apiKeyId } = await create(user, { expiresAt });
  const rotations = [rotateApiKey(user, { apiKeyId }), rotateApiKey(user, { apiKeyId })];
  const settled = await Promise.allSettled(rotations);
  const [done] = settled.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  expect(settled.filter(({ status }) => status === "rejected")).toHaveLength(1);
  const successorId = done?.apiKeyId as ApiKeyId;
  expect(await getApiKey(user, { apiKeyId })).toMatchObject({ successorId, expiresAt: done?.oldExpiresAt });
  await expect(rotateApiKey(user, { apiKeyId })).rejects.toMatchObject({
    code: "state_invalid",
    message: `This key was rotated already: rotate its successor, key ${successorId}.`,
  });
  expect(await getApiKey(user, { apiKeyId: successorId })).toMatchObject({ successorId: null, expiresAt });
  expect((await listApiKeys(user)).rows).toHaveLength(2);
});

test("an expiry in the past and an excessive grace period are rejected", async () => {
  await expect(create(user, { expiresAt: world.now() })).rejects.toMatchObject({
    details: { expires_at: "must be in the future" },
  });
  const { apiKeyId } = await create(user);
  for (const graceHours of [-1, 745, Number.NaN]) {
    expect(await codeOf(rotateApiKey(user, { apiKeyId, graceHours }))).toBe("parameters_invalid");
  }
});

test("the list pages from the newest, by state", async () => {
  const made: ApiKeyId[] = [];
  for (let count = 0; count < 5; count++) made.push((await create(user)).apiKeyId);
  const [first, second] = made;
  await revokeApiKey(user, { apiKeyId: first as ApiKeyId });
  await rotateApiKey(user, { apiKeyId: second as ApiKeyId, graceHours: 0 });
  const ids = ({ rows: keys }: Awaited<ReturnType<typeof listApiKeys>>) => keys.map(({ apiKeyId }) => apiKeyId);
  expect(ids(await listApiKeys(user, { state: "ended" }))).toEqual([second, first]);
  const page = await listApiKeys(user, { state: "live", limit: 3 });
  expect(page.rows).toHaveLength(3);
  const rest = await listApiKeys(user, { state: "live", limit: 3, before: page.next });
  expect(ids(rest)).toEqual([made[2]]);
  expect(rest.next).toBeNull();
});
