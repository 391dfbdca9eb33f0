import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createApiKey } from "#lib/domain/api-key.ts";
import { closeRuntime } from "#lib/runtime.ts";
import { createResellerApiKey } from "#lib/services/api-key/create.ts";
import { newWorld, PEPPER, type World } from "#tests/support/world.ts";
import { apiFetch } from "./route-table.ts";

const ANONYMOUS_LIMIT = 60;
const FLOOD = 2_000;

let world: World;
let statements = 0;
let sources = 0;

beforeAll(async () => {
  world = await newWorld();
  Object.assign(process.env, { DATABASE_URL: world.url, API_KEY_PEPPER: PEPPER, LOG_LEVEL: "silent" });
});
afterAll(() => world.close());

beforeEach(() => {
  const query = pg.Client.prototype.query;
  vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    // Excludes statements on the process's own lease.
    const { connectionParameters } = this as unknown as { connectionParameters: { application_name?: string } };
    if (connectionParameters.application_name !== "license-desk lease") statements += 1;
    return Reflect.apply(query, this, args);
  });
  statements = 0;
});
afterEach(async () => {
  vi.restoreAllMocks();
  await closeRuntime();
});

const freshSource = () => `198.51.100.${++sources}`;
/** A well-formed key that does not exist. */
const unknownKey = () => createApiKey("live", (count) => randomBytes(count));
const newKey = async () => {
  const { id: resellerId } = await world.reseller();
  return createResellerApiKey(world.operator, { resellerId, name: "test", scopes: ["wallet:read"] });
};

async function call(source: string, key: string | null): Promise<number> {
  const target = "/api/v1/?endpoint=balance";
  const request = new Request(`http://desk.test${target}`, { headers: key === null ? {} : { "x-api-key": key } });
  const { status } = await apiFetch(request, { peerAddress: source, target });
  return status;
}

const callMany = (count: number, send: (index: number) => Promise<number>) =>
  Promise.all(Array.from({ length: count }, (_, index) => send(index)));
const count = (statuses: readonly number[], wanted: number) => statuses.filter((status) => status === wanted).length;

describe("a source that has used up its quota of requests without a valid key (contract 1.3)", () => {
  test("gets 429 without a statement, whatever key it sends", async () => {
    const source = freshSource();
    await callMany(ANONYMOUS_LIMIT, () => call(source, null));
    // Reads the list of keys in use, at most once a minute.
    await call(source, unknownKey());
    statements = 0;
    const keys = [() => null, () => "mistyped", unknownKey];
    const statuses = await callMany(FLOOD, (index) => call(source, keys[index % keys.length]?.() ?? null));
    expect(count(statuses, 429)).toBe(FLOOD);
    expect(statements).toBe(0);
  });

  test("causes no more look-ups than its quota, even with concurrent requests", async () => {
    const source = freshSource();
    const statuses = await callMany(FLOOD, () => call(source, unknownKey()));
    expect([count(statuses, 401), count(statuses, 429)]).toEqual([ANONYMOUS_LIMIT, FLOOD - ANONYMOUS_LIMIT]);
    // And perhaps the list of keys in use.
    expect([ANONYMOUS_LIMIT, ANONYMOUS_LIMIT + 1]).toContain(statements);
  });

  test("is a whole /64 for IPv6", async () => {
    const network = "2001:db8:0:1";
    const statuses = await callMany(FLOOD, (index) => call(`${network}::${index.toString(16)}`, unknownKey()));
    expect(count(statuses, 401)).toBe(ANONYMOUS_LIMIT);
    expect(await call("2001:db8:0:2::1", unknownKey())).toBe(401);
  });

  test("is served under a key already known as valid, but not under one that needs a look-up", async () => {
    const [known, unknown] = [await newKey(), await newKey()];
    const source = freshSource();
    expect(await call(freshSource(), known.apiKey)).toBe(200);
    await callMany(ANONYMOUS_LIMIT, () => call(source, null));
    expect(await call(source, known.apiKey)).toBe(200);
    expect(await call(source, unknown.apiKey)).toBe(429);
    expect(await call(freshSource(), unknown.apiKey)).toBe(200);
    expect(await call(source, unknown.apiKey)).toBe(200);
  });
});

describe("a source with a valid key", () => {
  test("can send its first requests concurrently without using up the quota", async () => {
    const { apiKey } = await newKey();
    const source = freshSource();
    expect(count(await callMany(200, () => call(source, apiKey)), 200)).toBe(200);
    expect(count(await callMany(ANONYMOUS_LIMIT, () => call(source, null)), 401)).toBe(ANONYMOUS_LIMIT);
    expect(await call(source, null)).toBe(429);
  });

  test("keeps its quota while the database is away", async () => {
    const { apiKey } = await newKey();
    const source = freshSource();
    vi.spyOn(pg.Client.prototype, "query").mockImplementation(() => {
      throw Object.assign(new Error("terminating connection"), { code: "57P01" });
    });
    const away = [];
    for (let attempt = 0; attempt < 2 * ANONYMOUS_LIMIT; attempt++) away.push(await call(source, apiKey));
    expect(count(away, 503)).toBe(2 * ANONYMOUS_LIMIT);
    vi.restoreAllMocks();
    expect(await call(source, apiKey)).toBe(200);
  });
});

test("contract 1.3: every module that counts by source counts IPv6 by /64", () => {
  const lib = join(import.meta.dirname, "..");
  const modules = readdirSync(lib, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !file.includes("generated"))
    .map((file) => ({ file: file.replaceAll("\\", "/"), text: readFileSync(join(lib, file), "utf8") }))
    .filter(({ text }) => /[lL]imiter\.take\(|kind: "source"|BySource/.test(text));
  expect(modules.map(({ file }) => file)).toEqual(
    expect.arrayContaining(["http/identify-caller.ts", "services/user/find-password-user.ts"]),
  );
  // Counts by reseller.
  const bySource = modules.filter(({ file }) => file !== "services/mail/quota.ts");
  for (const { file, text } of bySource) expect(text, file).toContain("rateLimitSource(");
});
