import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { ApiKeyId } from "#lib/domain/ids.ts";
import { createResellerApiKey } from "#lib/services/api-key/create.ts";
import { listApiRequests } from "#lib/services/api-key/list-requests.ts";
import { listKeyUsage } from "#lib/services/api-key/list-usage.ts";
import { type AnsweredRequest, recordRequest } from "#lib/services/api-key/record-request.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { actors } from "#tests/support/actors.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import type { ApiRequestFilter } from "./list.ts";
import { createRequestLog, type RequestRecord } from "./request-log.ts";

let world: World;
let user: ServiceContext;
let stranger: ServiceContext;
let owner: ResellerWorld;
let apiKeyId: ApiKeyId;
let requests = 0;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  owner = await world.reseller({ funds: "0" });
  user = world.context(actors.user(owner.id));
  stranger = world.context(actors.user((await world.reseller({ funds: "0" })).id));
  apiKeyId = (await createResellerApiKey(user, { name: "k", scopes: ["licenses:read"] })).apiKeyId;
});
afterAll(() => world.close());

const verify = { name: "license.verify", scope: "licenses:verify" } as const;
const balance = { name: "balance", scope: "wallet:read" } as const;
const at = (time: string) => new Date(`2027-03-10T${time}Z`);

const answered = (change: Partial<AnsweredRequest>): AnsweredRequest => ({
  apiKeyId,
  startedAt: at("12:00:00"),
  method: "GET",
  endpoint: balance,
  status: 200,
  durationMs: 1.5,
  requestId: `req_${++requests}`,
  ...change,
});
const record = (change: Partial<AnsweredRequest>) => recordRequest(world.db, answered(change));

async function list(filter: ApiRequestFilter = {}, ctx = user) {
  await world.db.writeBehind.flush();
  return (await listApiRequests(ctx, { filter: { apiKeyId, ...filter }, before: null, limit: 100 })).rows;
}

describe("the request log", () => {
  test("has a row for each request, with its operation and response", async () => {
    record({ requestId: "req_a", durationMs: 12.3456 });
    record({ requestId: "req_b", endpoint: null, status: 404, startedAt: at("12:00:01") });
    expect(await list()).toMatchObject([
      { requestId: "req_b", operation: "", status: 404, requestCount: 1 },
      { requestId: "req_a", operation: "balance", method: "GET", status: 200, meanDurationUs: 12_346 },
    ]);
  });

  test("has one row per minute for answered verifications, and for rate-limited requests", async () => {
    for (const time of ["12:00:00.100", "12:00:59.900", "12:01:00"]) {
      record({ endpoint: verify, method: "POST", startedAt: at(time), durationMs: time === "12:00:00.100" ? 1 : 3 });
      await world.db.writeBehind.flush();
    }
    for (let count = 0; count < 5; count++) record({ endpoint: null, status: 429, startedAt: at("12:02:30") });
    record({ endpoint: verify, method: "POST", status: 400, requestId: "req_bad", startedAt: at("12:03:00") });
    expect(await list()).toMatchObject([
      { requestId: "req_bad", operation: "license.verify", status: 400, requestCount: 1 },
      { requestId: null, status: 429, requestCount: 5, startedAt: at("12:02:00") },
      { requestId: null, operation: "license.verify", requestCount: 1, startedAt: at("12:01:00") },
      {
        requestId: null,
        requestCount: 2,
        startedAt: at("12:00:00"),
        meanDurationUs: 2_000,
        maxDurationUs: 3_000,
      },
    ]);
  });

  test("is filtered by status, operation and time, and paged without a gap", async () => {
    record({ startedAt: at("11:00:00"), requestId: "old" });
    record({ status: 403, requestId: "denied" });
    record({ status: 500, requestId: "broken" });
    record({ endpoint: { name: "products", scope: "catalog:read" }, requestId: "products" });
    const ids = async (filter: ApiRequestFilter) => (await list(filter)).map(({ requestId }) => requestId);
    expect(await ids({ statusClass: 4 })).toEqual(["denied"]);
    expect(await ids({ statusClass: 5 })).toEqual(["broken"]);
    expect(await ids({ operation: "products" })).toEqual(["products"]);
    expect(await ids({ until: at("12:00:00") })).toEqual(["old"]);
    expect(await ids({ statusClass: 2, from: at("11:30:00") })).toEqual(["products"]);
    const seen: (string | null)[] = [];
    for (let before = null as Awaited<ReturnType<typeof listApiRequests>>["next"]; ; ) {
      const page = await listApiRequests(user, { filter: {}, before, limit: 1 });
      seen.push(...page.rows.map(({ requestId }) => requestId));
      before = page.next;
      if (before === null) break;
    }
    expect(seen).toEqual(["products", "broken", "denied", "old"]);
  });

  test("has the requests of all keys in one order, and finds one by its id", async () => {
    const other = await createResellerApiKey(user, { name: "other", scopes: ["licenses:read"] });
    const ofAll = (filter: ApiRequestFilter = {}, ctx = user) => list({ apiKeyId: undefined, ...filter }, ctx);
    for (const [requestId, time] of [
      ["a", "12:00:00"],
      ["b", "12:00:01"],
      ["c", "12:00:02"],
      ["d", "12:00:03"],
    ] as const) {
      record({
        requestId: `req_${requestId}`,
        startedAt: at(time),
        apiKeyId: requestId > "b" ? apiKeyId : other.apiKeyId,
      });
      record({
        requestId: `req_${requestId}2`,
        startedAt: at(time),
        apiKeyId: requestId > "b" ? other.apiKeyId : apiKeyId,
      });
    }
    const keys = (await ofAll()).map(({ startedAt, keyName }) => `${startedAt.getSeconds()} ${keyName}`);
    expect(keys.map((key) => key.slice(0, 1)).join("")).toBe("33221100");
    expect(keys.toSorted()).toEqual([0, 1, 2, 3].flatMap((second) => [`${second} k`, `${second} other`]));
    expect(await ofAll({ requestId: "req_b" })).toMatchObject([{ apiKeyId: other.apiKeyId, requestId: "req_b" }]);
    expect(await list({ requestId: "req_b" })).toEqual([]);
    expect(await ofAll({ requestId: "req_b" }, stranger)).toEqual([]);
    const seen: (string | null)[] = [];
    for (let before = null as Awaited<ReturnType<typeof listApiRequests>>["next"]; ; ) {
      const page = await listApiRequests(user, { filter: {}, before, limit: 3 });
      seen.push(...page.rows.map(({ requestId }) => requestId));
      before = page.next;
      if (before === null) break;
    }
    expect(seen).toEqual((await ofAll()).map(({ requestId }) => requestId));
    expect(new Set(seen).size).toBe(8);
  });

  test("has the last 14 days, whatever is asked for", async () => {
    const since = new Date("2027-02-24T12:00:00Z");
    record({ startedAt: new Date(since.getTime() - 1), requestId: "old" });
    record({ startedAt: since, requestId: "young" });
    expect(await list()).toMatchObject([{ requestId: "young" }]);
    expect(await list({ from: new Date(0) })).toMatchObject([{ requestId: "young" }]);
  });

  test("is visible only to its reseller", async () => {
    record({});
    expect(await list()).toHaveLength(1);
    expect(await list({}, stranger)).toEqual([]);
    expect(await list({ apiKeyId: undefined }, stranger)).toEqual([]);
    await expect(list({}, world.context(actors.apiKey(1 as never)))).rejects.toMatchObject({
      code: "permission_denied",
    });
  });
});

describe("the busiest minute of the last hour", () => {
  const usage = async (ctx = user) => {
    await world.db.writeBehind.flush();
    return listKeyUsage({ ...ctx, now: () => at("12:30:00") });
  };

  test("has all requests of the key, and how many were beyond its limit", async () => {
    for (let count = 0; count < 3; count++) record({ startedAt: at("12:10:30") });
    record({ endpoint: verify, method: "POST", startedAt: at("12:10:59") });
    for (let count = 0; count < 2; count++) record({ endpoint: null, status: 429, startedAt: at("12:10:40") });
    for (let count = 0; count < 5; count++) record({ startedAt: at("12:11:00") });
    for (let count = 0; count < 9; count++) record({ startedAt: at("11:29:59") });
    expect(await usage()).toEqual([
      { apiKeyId, name: "k", rateLimitPerMinute: 600, minute: at("12:10:00"), requestCount: 6, limitedCount: 2 },
    ]);
    expect(await usage(stranger)).toEqual([]);
  });

  test("comes first of the key that is nearest to its limit", async () => {
    const small = await createResellerApiKey(world.context(actors.admin(owner.id)), {
      name: "small",
      scopes: ["licenses:read"],
      rateLimitPerMinute: 10,
    });
    await createResellerApiKey(user, { name: "unused", scopes: ["licenses:read"] });
    for (let count = 0; count < 5; count++) record({ startedAt: at("12:10:30") });
    for (let count = 0; count < 2; count++) record({ startedAt: at("12:10:30"), apiKeyId: small.apiKeyId });
    expect((await usage()).map(({ name, requestCount }) => [name, requestCount])).toEqual([
      ["small", 2],
      ["k", 5],
    ]);
    const { apiKeyId: smallId } = small;
    expect(await listKeyUsage({ ...user, now: () => at("12:30:00") }, { apiKeyId: smallId })).toHaveLength(1);
  });
});

test("loses nothing and counts nothing twice during an outage", async () => {
  let away = true;
  const log = createRequestLog(async (statement, values) => {
    if (away) throw new Error("away");
    return world.db.query(statement, values);
  });
  const row = (requestId: string): RequestRecord => ({
    apiKeyId,
    startedAt: at("12:00:00"),
    method: "GET",
    operation: "x",
    status: 200,
    durationUs: 10,
    requestId,
  });
  log.add(row("one"));
  log.count(row(""));
  await log.flush();
  log.count(row(""));
  away = false;
  await vi.waitFor(async () => expect((await list()).length).toBe(2), { timeout: 10_000 });
  await log.close();
  expect((await list()).map(({ requestId, requestCount }) => [requestId, requestCount]).toSorted()).toEqual([
    [null, 2],
    ["one", 1],
  ]);
});

test("is complete when two instances count the same minutes, which do not block each other", async () => {
  const minute = (method: string): RequestRecord => ({
    apiKeyId,
    startedAt: at("12:00:00"),
    method,
    operation: "x",
    status: 200,
    durationUs: 10,
    requestId: "",
  });
  const methods = ["A", "B", "C", "D"];
  const instances = [1, 2, 3].map(() => createRequestLog(world.db.query));
  for (let round = 0; round < 10; round++) {
    await Promise.all(
      instances.map((log, index) => {
        for (const method of index % 2 ? methods : methods.toReversed()) log.count(minute(method));
        return log.flush();
      }),
    );
  }
  await Promise.all(instances.map((log) => log.close()));
  expect((await list()).map(({ method, requestCount }) => `${method} ${requestCount}`).toSorted()).toEqual(
    methods.map((method) => `${method} 30`),
  );
});
