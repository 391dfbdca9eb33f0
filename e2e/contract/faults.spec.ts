import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { getRuntime } from "#lib/runtime.ts";
import { sql } from "#tests/sql.ts";
import { whileLocked, whileWalletIsLocked } from "#tests/support/locks.ts";
import { expectBalancedBooks, readTraces } from "../support/books.ts";
import { type Answer, verdictOf } from "../support/http.ts";
import { type OwnServer, startOwnServer } from "../support/own-server.ts";
import { expect, test } from "../support/test.ts";
import { newReseller, type Reseller, untilClaimed } from "../support/world.ts";

/** Longer than a server remembers a key that it has looked up. */
const KEY_FORGOTTEN_MS = 4_500;

test.describe.configure({ mode: "serial" });

let server: OwnServer;
let reseller: Reseller;

test.beforeAll(async () => {
  const kind = test.info().project.name === "api-next" ? "next" : "server";
  server = await startOwnServer(kind, {
    DATABASE_POOL_SIZE: "3",
    DIAGNOSTICS_LIVE: "off",
    LOG_LEVEL: "silent",
  });
  reseller = await newReseller(server.url);
});

test.afterAll(() => server.stop());

/** One call of each kind of work, on both interfaces. */
function everyKind(own: Reseller): Promise<Answer>[] {
  return [
    own.path.get("/license/status", { license_id: 1 }),
    own.path.post("/license/verify", { license_key: "LIC-00000-00000-00000-00000" }),
    own.path.post("/license/update", { license_key: "LIC-00000-00000-00000-00000", hostname: "a.example" }),
    own.path.get("/licenses"),
    own.path.get("/licenses", { limit: 1 }),
    own.path.get("/diagnostics", { license_id: 1 }),
    own.dispatch.get("balance"),
    own.dispatch.get("products"),
    own.dispatch.get("license.info", { license_id: 1 }),
    own.dispatch.post("license.renew", { license_id: 1 }),
    own.dispatch.post("license.renew", { license_id: 1 }, { idempotencyKey: randomUUID() }),
    own.dispatch.post("license.register", { product_id: 1, cycle_id: 1, ip_address: "10.0.0.1" }),
  ];
}

async function newRequest(owner: Reseller, ip_address: string) {
  const { product_id, cycle_id } = await owner.newProduct();
  return { product_id, cycle_id, ip_address };
}

test("an operator can switch live diagnostics off: then a selector is needed (contract 2.5)", async () => {
  expect(verdictOf(await reseller.path.get("/diagnostics"))).toBe("404 NOT_FOUND");
});

test("with the database away every call is 503 UNAVAILABLE with Retry-After, and headers like any answer (contract 2.7, 1.5)", async () => {
  const before = await readTraces(reseller.resellerId);
  expect((await reseller.dispatch.get("balance")).status).toBe(200);
  await server.takeDatabaseAway();
  try {
    const expectUnavailable = async () => {
      for (const answer of await Promise.all(everyKind(reseller))) {
        expect(verdictOf(answer)).toBe("503 UNAVAILABLE");
        expect(answer.headers["retry-after"]).toMatch(/^[1-9]\d*$/);
        expect(answer.text).not.toMatch(/postgres|connection|ECONN|allow_connections|\bat \S+:\d+/i);
      }
    };
    // First with a key that the server remembers, then with one that it cannot look up.
    await expectUnavailable();
    await sleep(KEY_FORGOTTEN_MS);
    await expectUnavailable();
    const mistyped = `${reseller.apiKey.slice(0, -1)}${reseller.apiKey.endsWith("a") ? "b" : "a"}`;
    const refused = await reseller.dispatch.get("balance", {}, { key: mistyped });
    expect(verdictOf(refused), "a mistyped key needs no database (contract 1.13)").toBe("401 INVALID_API_KEY");
  } finally {
    await server.bringDatabaseBack();
  }
  expect((await reseller.dispatch.get("balance")).status).toBe(200);
  expect((await reseller.path.get("/licenses")).status).toBe(200);
  expect(await readTraces(reseller.resellerId)).toEqual(before);
});

test("the database goes while the provider works: the same idempotency key ends in one charge (contract 1.11, 3.11)", async () => {
  const idempotencyKey = randomUUID();
  const request = await newRequest(reseller, "192.0.2.20");
  const before = await readTraces(reseller.resellerId);
  const running = reseller.dispatch.post("license.register", request, { idempotencyKey });
  await untilClaimed(reseller, idempotencyKey);
  await expect
    .poll(async () => {
      const { prisma } = getRuntime().db;
      return prisma.operation.count({ where: { resellerId: reseller.resellerId, state: "sent" } });
    })
    .toBe(1);
  await server.takeDatabaseAway();
  try {
    expect(verdictOf(await running)).toBe("503 UNAVAILABLE");
  } finally {
    await server.bringDatabaseBack();
  }
  expect(await readTraces(reseller.resellerId)).toMatchObject({ held: 1000n, posted: before.posted });
  // The server lets go of the key and settles as soon as it reaches the database again.
  const retry = () => reseller.dispatch.post("license.register", request, { idempotencyKey });
  await expect.poll(async () => (await retry()).status).toBe(200);
  expect((await retry()).body.data.balance_after).toBe(990);
  expect(await readTraces(reseller.resellerId)).toMatchObject({
    licenses: before.licenses + 1,
    operations: before.operations + 1,
    entries: before.entries + 1,
    held: 0n,
  });
  await expectBalancedBooks(reseller.resellerId);
});

test("a fault of ours is 500 SERVER_ERROR without internals; not stored, so the same key succeeds later (contract 1.11)", async () => {
  const idempotencyKey = randomUUID();
  const request = await newRequest(reseller, reseller.newAddress());
  const { license_key } = await reseller.newLicense();
  const verify = { license_key, ip_address: "10.0.0.1" };
  const before = await readTraces(reseller.resellerId);
  const rename = (from: string, to: string) => getRuntime().db.query(sql(`alter table ${from} rename to ${to}`), []);
  await rename("products", "products_away");
  try {
    const register = () => reseller.dispatch.post("license.register", request, { idempotencyKey });
    for (const answer of [await register(), await register(), await reseller.path.post("/license/verify", verify)]) {
      expect(verdictOf(answer)).toBe("500 SERVER_ERROR");
      expect(answer.headers["idempotent-replayed"]).toBeUndefined();
      expect(answer.text).not.toMatch(/products|relation|select|\bat \S+:\d+/i);
    }
    const listed = await reseller.path.get("/licenses");
    expect(verdictOf(listed), "a list that fails before its first line").toBe("500 SERVER_ERROR");
  } finally {
    await rename("products_away", "products");
  }
  expect(await readTraces(reseller.resellerId)).toEqual(before);
  const answer = await reseller.dispatch.post("license.register", request, { idempotencyKey });
  expect([answer.status, answer.headers["idempotent-replayed"]]).toEqual([200, undefined]);
  expect(await readTraces(reseller.resellerId)).toMatchObject({ entries: before.entries + 1 });
});

test("while somebody keeps a wallet locked, its calls are 503 UNAVAILABLE and charge nothing, and another reseller's succeed (contract 2.7)", async () => {
  const other = await newReseller(server.url);
  const [requests, othersRequests] = await Promise.all([
    Promise.all(Array.from({ length: 16 }, () => newRequest(reseller, reseller.newAddress()))),
    Promise.all(Array.from({ length: 16 }, () => newRequest(other, other.newAddress()))),
  ]);
  const before = await readTraces(reseller.resellerId);
  const [answers, others] = await whileWalletIsLocked(reseller, () =>
    Promise.all([
      Promise.all(requests.map((request) => reseller.dispatch.post("license.register", request))),
      Promise.all(othersRequests.map((request) => other.dispatch.post("license.register", request))),
    ]),
  );
  expect(answers.map(verdictOf)).toEqual(Array(16).fill("503 UNAVAILABLE"));
  expect(others.map(verdictOf)).toEqual(Array(16).fill("200"));
  expect(await readTraces(reseller.resellerId)).toEqual(before);
  expect((await reseller.dispatch.get("balance")).status).toBe(200);
});

test("with every connection in use, the calls that find none are 503 UNAVAILABLE, and nothing is charged (contract 2.7)", async () => {
  const requests = await Promise.all(Array.from({ length: 8 }, () => newRequest(reseller, reseller.newAddress())));
  const before = await readTraces(reseller.resellerId);
  const answers = await whileLocked("lock table licenses in access exclusive mode", () =>
    Promise.all([
      ...requests.map(() => reseller.path.get("/licenses")),
      ...requests.map((request) => reseller.dispatch.post("license.register", request)),
    ]),
  );
  expect(answers.map(verdictOf)).toEqual(Array(16).fill("503 UNAVAILABLE"));
  expect(await readTraces(reseller.resellerId)).toEqual(before);
  expect((await reseller.dispatch.get("balance")).status).toBe(200);
});
