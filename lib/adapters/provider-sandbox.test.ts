import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { unavailable } from "#lib/db/connection/errors.ts";
import { openSandboxBooks } from "#lib/db/provider/sandbox.ts";
import type { ProviderRequest } from "#lib/domain/provider-request.ts";
import type { LicenseProvider } from "#lib/ports/license-provider.ts";
import { always, rehearsed } from "#tests/support/faults.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { createSandboxProvider } from "./provider-sandbox.ts";

let world: World;
let provider: LicenseProvider;
beforeAll(async () => {
  world = await newWorld();
  provider = world.provider;
});
afterAll(() => world.close());

const request = (change: Partial<ProviderRequest> = {}): ProviderRequest => ({
  idempotencyKey: randomUUID(),
  action: "provision",
  reference: randomUUID(),
  providerReference: null,
  product: "control-panel",
  cycle: null,
  ipAddress: "198.51.100.1",
  cores: null,
  expiresAt: "2027-04-01T00:00:00Z",
  previousExpiresAt: null,
  ...change,
});

async function bookOf({ reference }: ProviderRequest) {
  for await (const page of provider.bookPages(async () => new Map())) {
    const found = page.find((entry) => entry.reference === reference);
    if (found) return found.facts;
  }
  return null;
}

describe("addresses that simulate failures (contract 5)", () => {
  test.each([
    ["an ordinary address", "198.51.100.9", "succeeded", "succeeded"],
    ["one that rejects", rehearsed.rejects, "rejected", "rejected"],
    ["one that loses the response", rehearsed.losesAnswer, "unknown", "succeeded"],
    ["one that loses the request", rehearsed.losesRequest, "unknown", "not_found"],
    ["one that responds after the timeout", rehearsed.answersLate, "unknown", "succeeded"],
    ["one that garbles the response", rehearsed.garblesAnswer, "unknown", "succeeded"],
    ["one that is unreachable", rehearsed.refusesConnection, "not_sent", "not_found"],
  ])("%s: %s → %s, and looked up later %s", async (_, ipAddress, told, asked) => {
    const sent = request({ ipAddress });
    expect((await provider.execute(sent, always)).kind).toBe(told);
    expect((await provider.lookUp(sent)).kind).toBe(asked);
    expect((await bookOf(sent)) !== null).toBe(asked === "succeeded");
  });

  test("one that responds after 3 seconds, if there is time", async () => {
    const patient = createSandboxProvider({ books: openSandboxBooks(world.db), timeoutMs: 3_500 });
    const startedMs = performance.now();
    expect(await patient.execute(request({ ipAddress: rehearsed.answersLate }), always)).toMatchObject({
      kind: "succeeded",
    });
    expect(performance.now() - startedMs).toBeGreaterThan(2_900);
  });

  test("one that rejects only the last member of a bundle", async () => {
    const outcomes = [0, 1, 2].map((position) =>
      provider.execute(request({ ipAddress: rehearsed.rejectsLastMember, bundle: { position, size: 3 } }), always),
    );
    expect((await Promise.all(outcomes)).map(({ kind }) => kind)).toEqual(["succeeded", "succeeded", "rejected"]);
  });
});

test("a request is carried out once per key, however often and differently it is sent", async () => {
  const first = request({ cores: 2 });
  await provider.execute(first, always);
  const outcomes = await Promise.all(
    [1, 2, 3].map((cores) => provider.execute({ ...first, cores: cores + 10 }, always)),
  );
  expect(outcomes.map(({ kind }) => kind)).toEqual(["succeeded", "succeeded", "succeeded"]);
  expect(await bookOf(first)).toMatchObject({ cores: 2 });
});

test("a rejection is final for its key, even if the address succeeds later", async () => {
  const refused = request({ ipAddress: rehearsed.rejects });
  await provider.execute(refused, always);
  expect((await provider.execute({ ...refused, ipAddress: "198.51.100.3" }, always)).kind).toBe("rejected");
  expect(await bookOf(refused)).toBeNull();
});

test("the books follow every action", async () => {
  const first = request();
  const then = (action: ProviderRequest["action"], change: Partial<ProviderRequest> = {}) =>
    provider.execute({ ...first, idempotencyKey: randomUUID(), action, ...change }, always);
  await provider.execute(first, always);
  expect(await bookOf(first)).toEqual({
    product: "control-panel",
    address: "198.51.100.1",
    cores: null,
    state: "active",
    term: { expiresAt: "2027-04-01T00:00:00Z" },
  });
  await then("suspend");
  await then("set_address", { ipAddress: "198.51.100.2" });
  expect(await bookOf(first)).toMatchObject({ address: "198.51.100.2", state: "suspended" });
  await then("set_term", { expiresAt: "2027-05-01T00:00:00Z" });
  expect(await bookOf(first)).toMatchObject({ term: { expiresAt: "2027-05-01T00:00:00Z" } });
  await then("set_cores", { cores: 3 });
  expect(await bookOf(first)).toMatchObject({ cores: 3 });
  await then("provision", { product: "web-server" });
  expect(await bookOf(first)).toMatchObject({ product: "web-server" });
  await then("unsuspend", { ipAddress: "198.51.100.2" });
  expect(await bookOf(first)).toMatchObject({ state: "active" });
  await then("terminate", { ipAddress: "198.51.100.2" });
  expect(await bookOf(first)).toMatchObject({ state: "terminated" });
});

test("a voided request is rejected on arrival; one that has arrived cannot be voided", async () => {
  const late = request();
  const voidIfUnseen = { voidIfUnseen: true };
  expect(await provider.lookUp(late)).toEqual({ kind: "not_found", isVoid: false });
  expect(await provider.lookUp(late, voidIfUnseen)).toEqual({ kind: "not_found", isVoid: true });
  expect((await provider.execute(late, always)).kind).toBe("rejected");
  expect((await provider.lookUp(late, voidIfUnseen)).kind).toBe("rejected");
  expect(await bookOf(late)).toBeNull();
  const arrived = request();
  await provider.execute(arrived, always);
  expect((await provider.lookUp(arrived, voidIfUnseen)).kind).toBe("succeeded");
});

test("a request that must not be sent any more is not", async () => {
  const withheld = request();
  expect(await provider.execute(withheld, () => false)).toEqual({ kind: "withheld" });
  expect((await provider.lookUp(withheld)).kind).toBe("not_found");
});

test("without its database, the outcome is unknown, a look-up is unreachable, and neither throws", async () => {
  const broken = createSandboxProvider({
    books: openSandboxBooks({ query: () => Promise.reject(new Error("away")) }),
    timeoutMs: 5,
  });
  expect((await broken.execute(request(), always)).kind).toBe("unknown");
  expect((await broken.lookUp(request())).kind).toBe("unreachable");
});

/** A provider whose database does its next statements but loses their answers. */
function losingAnswers(count: number) {
  let left = count;
  return createSandboxProvider({
    books: openSandboxBooks({
      async query(statement, values) {
        const rows = await world.db.query(statement, values);
        if (left-- > 0) throw unavailable();
        return rows;
      },
    }),
    timeoutMs: 2_000,
  });
}

test("an outage of its database within the timeout delays the decision, and what was decided before it stays decided", async () => {
  const delayed = request();
  expect((await losingAnswers(2).execute(delayed, always)).kind).toBe("succeeded");
  expect(await bookOf(delayed)).not.toBeNull();
});

test("an outage of its database within the timeout delays a look-up", async () => {
  const known = request();
  await provider.execute(known, always);
  expect((await losingAnswers(2).lookUp(known)).kind).toBe("succeeded");
  expect(await losingAnswers(1).lookUp(request(), { voidIfUnseen: true })).toEqual({ kind: "not_found", isVoid: true });
});
