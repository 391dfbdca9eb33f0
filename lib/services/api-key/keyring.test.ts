import { randomBytes } from "node:crypto";
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Database } from "#lib/db/connection/client.ts";
import type { Statement } from "#lib/db/connection/statement.ts";
import { createApiKey } from "#lib/domain/api-key.ts";
import type { ApiKeyId } from "#lib/domain/ids.ts";
import { sql } from "#tests/sql.ts";
import { codeOf } from "#tests/support/faults.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, PEPPER, type World } from "#tests/support/world.ts";
import { createResellerApiKey } from "./create.ts";
import { getApiKey } from "./get.ts";
import { allowsSource, createKeyring, type Keyring } from "./keyring.ts";
import { listApiKeys } from "./list.ts";
import { revokeApiKey } from "./revoke.ts";
import { rotateApiKey } from "./rotate.ts";

let world: World;
let reseller: ResellerWorld;
let keyring: Keyring;
let asked: Statement<unknown>[];

function watched(before: () => Promise<void> = async () => {}): Database {
  return {
    ...world.db,
    query: async (statement, values) => {
      asked.push(statement);
      await before();
      return world.db.query(statement, values);
    },
  };
}

beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  asked = [];
  reseller = await world.reseller();
  keyring = createKeyring(watched(), PEPPER);
});
afterAll(() => world.close());

/** Valid form and checksum, but no key. */
const unknownKey = () => createApiKey("live", (count) => randomBytes(count));
const create = (input: Partial<Parameters<typeof createResellerApiKey>[1]> = {}) =>
  createResellerApiKey(world.operator, { resellerId: reseller.id, name: "test", scopes: ["licenses:read"], ...input });
const allowed = { source: "198.51.100.1", allowLookUp: () => true };
const authenticate = (token: string) => keyring.authenticate(token, world.now(), allowed);

describe("an API key (contract 1.13)", () => {
  test("is stored as an HMAC only, neither in plain text nor as a plain hash", async () => {
    const { apiKey, apiKeyId } = await create();
    const [row] = await world.db.query(sql("select * from api_keys where id = $1"), [apiKeyId]);
    expect(JSON.stringify(row)).not.toContain(apiKey);
    expect(await authenticate(apiKey)).toMatchObject({
      apiKeyId,
      resellerId: reseller.id,
      scopes: new Set(["licenses:read"]),
    });
    expect(await createKeyring(world.db, `${PEPPER}!`).authenticate(apiKey, world.now(), allowed)).toBeNull();
  });

  test("is rejected without the database if it is mistyped", async () => {
    const { apiKey } = await create();
    const at = 20;
    const mistyped = `${apiKey.slice(0, at)}${apiKey[at] === "x" ? "y" : "x"}${apiKey.slice(at + 1)}`;
    for (const token of [mistyped, apiKey.slice(0, -1), `${apiKey}0`, "", "lk_live_", apiKey.toUpperCase()]) {
      expect(await authenticate(token)).toBeNull();
    }
    expect(asked).toEqual([]);
  });

  test("is looked up only with permission, unless it was valid before", async () => {
    const [known, unknown] = [await create(), await create()];
    expect(await authenticate(known.apiKey)).not.toBeNull();
    const refuse = vi.fn(() => false);
    expect(await keyring.authenticate(known.apiKey, world.now(), { ...allowed, allowLookUp: refuse })).not.toBeNull();
    expect(refuse).not.toHaveBeenCalled();
    expect(await keyring.authenticate(unknown.apiKey, world.now(), { ...allowed, allowLookUp: refuse })).toBeNull();
    expect(refuse).toHaveBeenCalledOnce();
    expect(asked.filter(({ name }) => name === "find_usable_api_key")).toHaveLength(1);
    expect(await authenticate(unknown.apiKey)).not.toBeNull();
  });

  test("is looked up without permission by a process that has just started, if another has seen it", async () => {
    const [used, unused] = [await create(), await create()];
    world.db.writeBehind.keyUsed(used.apiKeyId, world.now(), "198.51.100.7");
    await world.db.writeBehind.flush();
    const denied = { ...allowed, allowLookUp: () => false };
    expect(await keyring.authenticate(used.apiKey, world.now(), denied)).not.toBeNull();
    expect(await keyring.authenticate(unused.apiKey, world.now(), denied)).toBeNull();
    for (let time = 0; time < 50; time++) await keyring.authenticate(unknownKey(), world.now(), denied);
    expect(asked.map(({ name }) => name)).toEqual(["list_used_key_hashes", "find_usable_api_key"]);
  });

  test("is looked up only occasionally if it does not exist, however often it is sent", async () => {
    const stranger = unknownKey();
    for (let time = 0; time < 5; time++) expect(await authenticate(stranger)).toBeNull();
    expect(asked).toHaveLength(1);
  });

  test("is looked up once for concurrent requests", async () => {
    const { apiKey } = await create();
    const allowLookUp = vi.fn(async () => true);
    const quota = { source: "198.51.100.1", allowLookUp };
    await Promise.all(Array.from({ length: 20 }, () => keyring.authenticate(apiKey, world.now(), quota)));
    expect(asked).toHaveLength(1);
    expect(allowLookUp).toHaveBeenCalledOnce();
  });

  test("is not rejected because another source may not look it up", async () => {
    const { apiKey } = await create();
    const denied = { source: "198.51.100.1", allowLookUp: async () => false };
    const permitted = { source: "198.51.100.2", allowLookUp: async () => true };
    const keys = await Promise.all(
      [denied, permitted].map((quota) => keyring.authenticate(apiKey, world.now(), quota)),
    );
    expect(keys.map((key) => key !== null)).toEqual([false, true]);
  });

  test("expires to the instant, although it is cached", async () => {
    const expiresAt = new Date(world.now().getTime() + 60_000);
    const { apiKey } = await create({ expiresAt });
    expect(await authenticate(apiKey)).not.toBeNull();
    expect(await keyring.authenticate(apiKey, new Date(expiresAt.getTime() - 1), allowed)).not.toBeNull();
    expect(await keyring.authenticate(apiKey, expiresAt, allowed)).toBeNull();
  });

  test("is rejected while its reseller is suspended", async () => {
    const { apiKey } = await create();
    const text = "update resellers set suspended_at = now() where id = $1";
    await world.db.query(sql(text), [reseller.id]);
    expect(await authenticate(apiKey)).toBeNull();
  });

  test("can be restricted to source addresses; the default is any", async () => {
    const bound = await authenticate((await create({ cidrs: ["203.0.113.0/24", "198.51.100.7/32"] })).apiKey);
    const free = await authenticate((await create()).apiKey);
    if (!bound || !free) throw new Error("not authenticated");
    expect(["203.0.113.255", "198.51.100.7"].map((source) => allowsSource(bound, source))).toEqual([true, true]);
    expect(["203.0.114.0", "198.51.100.8", ""].map((source) => allowsSource(bound, source))).toEqual([
      false,
      false,
      false,
    ]);
    expect(allowsSource(free, "8.8.8.8")).toBe(true);
  });
});

describe("a flood of unknown keys", () => {
  test("has few concurrent look-ups, waits in a bounded queue, and is rejected beyond it", async () => {
    let atOnce = 0;
    let most = 0;
    keyring = createKeyring(
      watched(async () => {
        atOnce += 1;
        most = Math.max(most, atOnce);
        await sleep(1);
        atOnce -= 1;
      }),
      PEPPER,
    );
    const outcomes = await Promise.all(
      Array.from({ length: 2_000 }, () => authenticate(unknownKey()).catch(({ code }) => code)),
    );
    expect(most).toBe(2);
    expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(502);
    expect(outcomes.filter((outcome) => outcome === "unavailable")).toHaveLength(1_498);
  });

  test("does not delay keys that were valid before, even after their cache entry has expired", async () => {
    const { apiKey } = await create();
    let slow = false;
    const released = Promise.withResolvers<void>();
    keyring = createKeyring(
      watched(async () => {
        if (slow) await released.promise;
      }),
      PEPPER,
    );
    expect(await authenticate(apiKey)).not.toBeNull();
    await sleep(900);
    slow = true;
    const flood = Array.from({ length: 100 }, () => authenticate(unknownKey()));
    await turn();
    slow = false;
    expect(await authenticate(apiKey)).not.toBeNull();
    expect(asked.length).toBeLessThan(5);
    released.resolve();
    expect(await Promise.all(flood)).toEqual(Array(100).fill(null));
  });
});

describe("revocation", () => {
  test("takes effect within a second on an instance that has the key cached, and immediately on others", async () => {
    const { apiKey, apiKeyId } = await create();
    expect(await authenticate(apiKey)).not.toBeNull();
    await revokeApiKey(world.operator, { apiKeyId });
    expect(await createKeyring(world.db, PEPPER).authenticate(apiKey, world.now(), allowed)).toBeNull();
    await sleep(1_000);
    expect(await authenticate(apiKey)).toBeNull();
  });

  test("is idempotent; an unknown key is not found", async () => {
    const { apiKeyId } = await create();
    const first = await revokeApiKey(world.operator, { apiKeyId });
    world.advance(1_000);
    expect(await revokeApiKey(world.operator, { apiKeyId })).toEqual(first);
    expect(await codeOf(revokeApiKey(world.operator, { apiKeyId: 99_999 as ApiKeyId }))).toBe("not_found");
  });
});

describe("rotation", () => {
  test("inherits name, scopes, ranges, limit and expiry, while the old key is valid for the grace period", async () => {
    const expiresAt = new Date(world.now().getTime() + 30 * 86_400_000);
    const old = await create({ cidrs: ["203.0.113.0/24"], rateLimitPerMinute: 77, expiresAt });
    const rotated = await rotateApiKey(world.operator, { apiKeyId: old.apiKeyId });
    expect(rotated.oldExpiresAt.getTime() - world.now().getTime()).toBe(24 * 3_600_000);
    expect(await authenticate(rotated.apiKey)).toMatchObject({
      firstKeyId: old.apiKeyId,
      scopes: new Set(["licenses:read"]),
      rateLimitPerMinute: 77,
      expiresAtMs: expiresAt.getTime(),
      cidrs: [expect.anything()],
    });
    expect(await getApiKey(world.operator, rotated)).toMatchObject({ name: "test", cidrs: ["203.0.113.0/24"] });
    expect(await authenticate(old.apiKey)).toMatchObject({ firstKeyId: old.apiKeyId });
    expect(await keyring.authenticate(old.apiKey, rotated.oldExpiresAt, allowed)).toBeNull();
  });

  test("never lengthens the old key's life, and can end it at once", async () => {
    const soon = new Date(world.now().getTime() + 1_000);
    const ending = await create({ expiresAt: soon });
    expect((await rotateApiKey(world.operator, { apiKeyId: ending.apiKeyId })).oldExpiresAt).toEqual(soon);
    const old = await create();
    await rotateApiKey(world.operator, { apiKeyId: old.apiKeyId, graceHours: 0 });
    expect(await authenticate(old.apiKey)).toBeNull();
    expect(await codeOf(rotateApiKey(world.operator, { apiKeyId: old.apiKeyId }))).toBe("state_invalid");
  });
});

test("a list shows every key and no secret", async () => {
  const { apiKey, apiKeyId } = await create({ name: "shop" });
  world.db.writeBehind.keyUsed(apiKeyId, world.now(), "198.51.100.7");
  await world.db.writeBehind.flush();
  const { rows: keys } = await listApiKeys(world.operator, { resellerId: reseller.id });
  expect(keys).toMatchObject([
    { apiKeyId, name: "shop", scopes: ["licenses:read"], lastUsedAt: world.now(), lastUsedFrom: "198.51.100.7" },
  ]);
  expect(JSON.stringify(keys)).not.toContain(apiKey.slice(12, -4));
});

test("a key without scopes, name or valid limit is rejected with every problem", async () => {
  const bad = create({ name: " ", scopes: [], cidrs: ["10.0.0.0/33"], rateLimitPerMinute: 0 });
  await expect(bad).rejects.toMatchObject({
    code: "parameters_invalid",
    details: {
      name: expect.any(String),
      scopes: expect.any(String),
      cidrs: expect.any(String),
      rate_limit: expect.any(String),
    },
  });
});

test("the longest name, the most ranges and the highest limit are accepted, and nothing beyond", async () => {
  const fields = (more: number) => ({
    name: "n".repeat(100 + more),
    cidrs: Array.from({ length: 100 + more }, (_, index) => `10.0.${index}.0/24`),
    rateLimitPerMinute: 1_000_000 + more,
  });
  expect(await create(fields(0))).toMatchObject({ apiKey: expect.any(String) });
  const anything = expect.any(String);
  await expect(create(fields(1))).rejects.toMatchObject({
    details: { name: anything, cidrs: anything, rate_limit: anything },
  });
});
