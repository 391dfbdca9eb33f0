import { inspect } from "node:util";
import { expect, onTestFinished, test, vi } from "vitest";
import { LicenseDesk, type LicenseDeskError } from "./index.ts";
import {
  API_KEY,
  cutShort,
  failure,
  json,
  lost,
  pending,
  type Reply,
  registered,
  serve,
  silent,
  success,
} from "./scripted-server.ts";

const license = { product_id: 1, cycle_id: 1, ip_address: "203.0.113.7" };
const errorOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.fail("the call succeeded"),
    (error: LicenseDeskError) => error,
  );

test("a lost connection, a cut answer and a gateway's answers are repeated under one idempotency key", async () => {
  const gateway: Reply = (response) => response.writeHead(502).end("<h1>Bad gateway</h1>");
  const { desk, received } = await serve([lost, cutShort, gateway, json(200, { status: "ok" }), success]);
  expect(await desk.licenses.register(license)).toEqual(registered);
  expect(received).toHaveLength(5);
  expect(new Set(received.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
  expect(received[0]?.headers["idempotency-key"]).toMatch(/^[0-9a-f-]{36}$/);
  expect(new Set(received.map(({ body }) => body))).toEqual(new Set([JSON.stringify(license)]));
});

test("each call has another idempotency key, unless one is given; reads and previews have none", async () => {
  const { desk, received } = await serve([success]);
  await desk.licenses.register(license);
  await desk.licenses.register(license);
  await desk.licenses.register(license, { idempotencyKey: "order-1004" });
  await desk.balance();
  await desk.licenses.verify({ license_key: "LIC-1" });
  await desk.licenses.preview.renew({ license_id: 12 });
  const [first, second, ...others] = received.map(({ headers }) => headers["idempotency-key"]);
  expect(first).not.toBe(second);
  expect(others).toEqual(["order-1004", undefined, undefined, undefined]);
});

test("Retry-After is waited for", async () => {
  const { desk, received } = await serve([failure(429, "RATE_LIMITED", { "retry-after": "2" }), success]);
  const startedAt = performance.now();
  await desk.licenses.register(license);
  expect(performance.now() - startedAt).toBeGreaterThan(1950);
  expect(received).toHaveLength(2);
});

test("a Retry-After of hours is the caller's decision", async () => {
  const { desk, received } = await serve([failure(429, "RATE_LIMITED", { "retry-after": "7200" })]);
  const error = await errorOf(desk.licenses.register(license));
  expect(error).toMatchObject({ code: "RATE_LIMITED", status: 429, retryAfterSeconds: 7200 });
  expect(received).toHaveLength(1);
});

test.each([
  ["the client's bound", { maxWaitMs: 2_500 }, {}, 2, 3],
  ["the call's bound", {}, { maxWaitMs: 1_000 }, 1, 2],
  ["no wait", {}, { maxWaitMs: 0 }, 0, 1],
])(
  "a server that keeps answering 429 ends a call by %s on all its waits together",
  async (_, client, call, seconds, requests) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const body = { error: true, code: "RATE_LIMITED", message: "Too many.", details: {} };
    const fetchLimited = vi.fn(async () => Response.json(body, { status: 429, headers: { "retry-after": "1" } }));
    const desk = new LicenseDesk({
      baseUrl: "https://desk.example.com",
      apiKey: API_KEY,
      fetch: fetchLimited,
      ...client,
    });
    const startedAt = Date.now();
    const refused = errorOf(desk.licenses.register(license, { idempotencyKey: "k", ...call }));
    await vi.runAllTimersAsync();
    expect(await refused).toMatchObject({
      code: "RATE_LIMITED",
      retryAfterSeconds: 1,
      idempotencyKey: "k",
      isUnclear: false,
    });
    expect(fetchLimited).toHaveBeenCalledTimes(requests);
    const waited = Date.now() - startedAt;
    expect(waited).toBeGreaterThanOrEqual(seconds * 1000);
    expect(waited).toBeLessThan(seconds * 1000 + 500);
  },
);

test.each([
  ["25", 3],
  ["61", 1],
])("without a bound of the caller's, waits for Retry-After %s take a minute at most", async (retryAfter, requests) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const fetchLimited = vi.fn(async () => new Response("", { status: 429, headers: { "retry-after": retryAfter } }));
  const desk = new LicenseDesk({ baseUrl: "https://desk.example.com", apiKey: API_KEY, fetch: fetchLimited });
  const startedAt = Date.now();
  const call = errorOf(desk.balance());
  await vi.runAllTimersAsync();
  expect(await call).toMatchObject({ status: 429 });
  expect(fetchLimited).toHaveBeenCalledTimes(requests);
  expect(Date.now() - startedAt).toBeLessThanOrEqual(60_000);
});

test.each([
  [409, "OPERATION_IN_PROGRESS", 2],
  [409, "IDEMPOTENCY_IN_PROGRESS", 2],
  [503, "UNAVAILABLE", 2],
  [409, "PRICE_CHANGED", 1],
  [400, "INSUFFICIENT_BALANCE", 1],
  [500, "SERVER_ERROR", 1],
])("%i %s is sent %i times with one retry", async (status, code, times) => {
  const { desk, received } = await serve([failure(status, code, { "x-request-id": "req_1" })], { maxRetries: 1 });
  const error = await errorOf(desk.licenses.register(license, { idempotencyKey: "k" }));
  expect(error.name).toBe("LicenseDeskError");
  expect(error).toMatchObject({ code, status, requestId: "req_1", details: { field: "why" }, idempotencyKey: "k" });
  expect(error.message).toBe(`${code}.`);
  expect(received).toHaveLength(times);
});

test.each([
  [[failure(500, "SERVER_ERROR")], true],
  [[failure(503, "UNAVAILABLE")], true],
  [[failure(409, "IDEMPOTENCY_IN_PROGRESS")], true],
  [[lost, failure(429, "RATE_LIMITED", { "retry-after": "90" })], true],
  [[lost, failure(401, "INVALID_API_KEY")], true],
  [[lost, failure(400, "REGISTRATION_FAILED")], false],
  [[lost, failure(400, "INSUFFICIENT_BALANCE")], true],
  [[lost, failure(409, "OPERATION_IN_PROGRESS")], true],
  [[lost, failure(409, "PRICE_CHANGED")], true],
  [[lost, failure(409, "INVALID_REQUEST")], true],
  [[lost, failure(400, "INVALID_REQUEST")], false],
  [[failure(400, "INSUFFICIENT_BALANCE")], false],
  [[lost, json(404, { code: "NO_ROUTE", message: "No route." })], true],
  [[failure(429, "RATE_LIMITED", { "retry-after": "90" })], false],
  [[failure(409, "OPERATION_IN_PROGRESS")], false],
  [[pending, failure(401, "INVALID_API_KEY")], true],
])("an error says whether the change may have happened (%#)", async (replies, isUnclear) => {
  const { desk } = await serve(replies, { maxRetries: 1 });
  const change = desk.licenses.register(license, { idempotencyKey: "k" });
  const error = await errorOf(change.then((result) => (result.status === "pending" ? result.settled() : result)));
  expect(error).toMatchObject({ idempotencyKey: "k", isUnclear });
});

test("a failed read or preview changes nothing", async () => {
  const { desk } = await serve([failure(500, "SERVER_ERROR")]);
  for (const call of [desk.balance(), desk.licenses.preview.register(license)]) {
    expect(await errorOf(call)).toMatchObject({ idempotencyKey: null, isUnclear: false });
  }
});

test("without an answer in time the error has the idempotency key to continue with", async () => {
  const { desk, received } = await serve([silent], { timeoutMs: 100, maxRetries: 1 });
  const error = await errorOf(desk.licenses.register(license));
  expect(error).toMatchObject({ name: "TimeoutError", code: "TIMEOUT", status: null });
  expect(error.idempotencyKey).toBe(received[0]?.headers["idempotency-key"]);
  expect(received).toHaveLength(2);
});

test("a server that is not License Desk is a connection error, and is not asked again", async () => {
  const { desk, received } = await serve([(response) => response.writeHead(404).end("<h1>Not found</h1>")]);
  expect(await errorOf(desk.balance())).toMatchObject({
    name: "ConnectionError",
    code: "CONNECTION_FAILED",
    status: 404,
  });
  expect(received).toHaveLength(1);
});

test("an aborted call rejects with the signal's reason and sends nothing more", async () => {
  const { desk, received } = await serve([failure(503, "UNAVAILABLE", { "retry-after": "30" })]);
  const controller = new AbortController();
  const call = errorOf(desk.licenses.register(license, { signal: controller.signal }));
  await expect.poll(() => received.length).toBe(1);
  const reason = new Error("the user left");
  controller.abort(reason);
  expect(await call).toBe(reason);
  expect(received).toHaveLength(1);
});

test("a redirect is not followed: the key goes to the configured server only", async () => {
  const other = await serve([success]);
  const { desk } = await serve([(response) => response.writeHead(307, { location: other.baseUrl }).end()]);
  expect(await errorOf(desk.balance())).toMatchObject({ name: "ConnectionError" });
  expect(other.received).toEqual([]);
});

test("the API key is in no output of the client and its errors", async () => {
  const { desk } = await serve([lost], { maxRetries: 0 });
  const error = await errorOf(desk.balance());
  const shown = [
    inspect(desk, { depth: 9 }),
    JSON.stringify(desk),
    inspect(error, { depth: 9 }),
    JSON.stringify(error),
  ];
  expect(shown.join()).not.toContain("secret");
});

test("each interface gets the key where it reads it, and the base URL may have a path", async () => {
  const { desk, baseUrl, received } = await serve([success]);
  await desk.balance();
  await desk.licenses.status({ license_id: "lic_12" });
  await new LicenseDesk({ baseUrl: `${baseUrl}/api/v1/`, apiKey: API_KEY }).events.get({ id: "evt_1/2" });
  const sent = received.map(({ target, headers }) => [target, headers.authorization, headers["x-api-key"]]);
  expect(sent).toEqual([
    ["/api/v1/?endpoint=balance", undefined, API_KEY],
    ["/api/v1/license/status?license_id=lic_12", `Bearer ${API_KEY}`, undefined],
    ["/api/v1/events/evt_1%2F2", `Bearer ${API_KEY}`, undefined],
  ]);
});

test("a pending change is awaited under its idempotency key, over an outage", async () => {
  const { desk, received } = await serve([pending, pending, lost, success]);
  const result = await desk.licenses.register(license);
  if (result.status !== "pending") return expect.fail("it is not pending");
  expect(result).toMatchObject({ ...registered, operation_id: "o" });
  const settled = await result.settled();
  expect(settled).toEqual(registered);
  expect(new Set(received.map(({ headers }) => headers["idempotency-key"]))).toEqual(new Set([result.idempotencyKey]));
});

test("a pending change that the provider rejects throws its error", async () => {
  const { desk } = await serve([pending, failure(400, "REGISTRATION_FAILED")]);
  const result = await desk.licenses.register(license);
  if (result.status !== "pending") return expect.fail("it is not pending");
  expect(await errorOf(result.settled())).toMatchObject({ code: "REGISTRATION_FAILED", status: 400 });
});

test("a pending change that stays open throws after the time given", async () => {
  const { desk } = await serve([pending]);
  const result = await desk.licenses.register(license);
  if (result.status !== "pending") return expect.fail("it is not pending");
  expect(await errorOf(result.settled({ timeoutMs: 700 }))).toMatchObject({ name: "TimeoutError" });
});

test("a server that no longer answers does not hold up the wait for a pending change", async () => {
  const { desk } = await serve([pending, silent]);
  const result = await desk.licenses.register(license);
  if (result.status !== "pending") return expect.fail("it is not pending");
  const startedAt = performance.now();
  expect(await errorOf(result.settled({ timeoutMs: 500 }))).toMatchObject({ name: "TimeoutError" });
  expect(performance.now() - startedAt).toBeLessThan(2_000);
});

test("a 202 without an outcome is a plain answer", async () => {
  const { desk } = await serve([json(202, { event_id: "evt_1", event: "license.renewed" })]);
  const sent = await desk.webhookEndpoints.test({ id: "whe_1" });
  expect(sent).toEqual({ event_id: "evt_1", event: "license.renewed" });
});

test("a list reads page after page", async () => {
  const page = (ids: number[], next_cursor: string | null) =>
    json(200, { data: { licenses: ids.map((license_id) => ({ license_id })), next_cursor } });
  const { desk, received } = await serve([page([1, 2], "a"), page([3, 4], "b"), page([5], null)]);
  const ids: unknown[] = [];
  for await (const license of desk.licenses.list({ status: "active" })) ids.push(license.license_id);
  expect(ids).toEqual([1, 2, 3, 4, 5]);
  const first = "/api/v1/?endpoint=license.list&limit=100&status=active";
  expect(received.map(({ target }) => target)).toEqual([first, `${first}&cursor=a`, `${first}&cursor=b`]);
});
