import { randomUUID } from "node:crypto";
import { getRuntime } from "#lib/runtime.ts";
import { topUpWallet } from "#lib/services/wallet/top-up.ts";
import { sql } from "#tests/sql.ts";
import { expectBalancedBooks, readTraces } from "../support/books.ts";
import { type Answer, verdictOf } from "../support/http.ts";
import { undocumented } from "../support/openapi.ts";
import { expect, test } from "../support/test.ts";
import { type Reseller, reconcile, setLicense, systemContext, untilClaimed } from "../support/world.ts";

const replayed = ({ headers }: Answer) => headers["idempotent-replayed"];

async function newRequest(reseller: Reseller, ip_address = reseller.newAddress()) {
  const { product_id, cycle_id } = await reseller.newProduct();
  return { product_id, cycle_id, ip_address };
}

/** Both answers are one: the second told again, byte for byte, and marked. */
function expectReplay(first: Answer, second: Answer): void {
  expect(replayed(first)).toBeUndefined();
  expect(replayed(second)).toBe("true");
  expect([second.status, second.text]).toEqual([first.status, first.text]);
}

async function findRecord(reseller: Reseller, key: string) {
  return getRuntime().db.prisma.idempotencyRecord.findUnique({
    where: { resellerId_key: { resellerId: reseller.resellerId, key } },
  });
}

test("the same key and request replay the stored answer, and charge once (contract 1.11)", async ({ reseller }) => {
  const idempotencyKey = randomUUID();
  const request = await newRequest(reseller);
  const first = await reseller.dispatch.post("license.register", request, { idempotencyKey });
  expect(first.status).toBe(200);
  const after = await readTraces(reseller.resellerId);
  for (let again = 0; again < 3; again++) {
    expectReplay(first, await reseller.dispatch.post("license.register", request, { idempotencyKey }));
  }
  const { product_id, cycle_id, ip_address } = request;
  const reordered = { ip_address, cycle_id, product_id };
  expectReplay(first, await reseller.dispatch.post("license.register", reordered, { idempotencyKey }));
  expect(await readTraces(reseller.resellerId)).toEqual(after);
});

test("refusals are answers too: 400, 404 and 409 are replayed (contract 1.11)", async ({ reseller }) => {
  const request = await newRequest(reseller);
  const { license_id } = await reseller.newLicense();
  await setLicense(license_id, "terminated");
  for (const [endpoint, fields, verdict] of [
    ["license.register", { ...request, ip_address: "nowhere" }, "400 INVALID_IP_ADDRESS"],
    ["license.register", { ...request, product_id: undefined }, "400 MISSING_PRODUCT_ID"],
    ["license.renew", { license_id: 2_147_483_647 }, "404 LICENSE_NOT_FOUND"],
    ["license.renew", { license_id }, "409 INVALID_STATE"],
  ] as const) {
    const idempotencyKey = randomUUID();
    const first = await reseller.dispatch.post(endpoint, fields, { idempotencyKey });
    expect(verdictOf(first)).toBe(verdict);
    expectReplay(first, await reseller.dispatch.post(endpoint, fields, { idempotencyKey }));
  }
});

test("INSUFFICIENT_BALANCE is not stored: after a top-up the same key succeeds (contract 1.11)", async ({
  newReseller,
}) => {
  const reseller = await newReseller({ funds: "5.00" });
  const idempotencyKey = randomUUID();
  const request = await newRequest(reseller);
  for (let attempt = 1; attempt <= 2; attempt++) {
    const refused = await reseller.dispatch.post("license.register", request, { idempotencyKey });
    expect([verdictOf(refused), replayed(refused)]).toEqual(["400 INSUFFICIENT_BALANCE", undefined]);
  }
  await topUpWallet(systemContext(), { resellerId: reseller.resellerId, amount: "100", note: "" });
  const first = await reseller.dispatch.post("license.register", request, { idempotencyKey });
  expect([first.status, replayed(first)]).toEqual([200, undefined]);
  expectReplay(first, await reseller.dispatch.post("license.register", request, { idempotencyKey }));
});

test(
  "the same request is the same operation and parsed parameters, however they are written (contract 1.11)",
  undocumented,
  async ({ reseller }) => {
    const idempotencyKey = randomUUID();
    const { product_id, cycle_id, ip_address } = await newRequest(reseller);
    const first = await reseller.dispatch.post(
      "license.register",
      { product_id, cycle_id, ip_address },
      { idempotencyKey },
    );
    expect(first.status).toBe(200);
    const send = (type: string, body: string) =>
      reseller.dispatch.send(
        { method: "POST", target: "/api/v1?endpoint=license.register", headers: { "content-type": type }, body },
        { idempotencyKey },
      );
    const boundary = "limit";
    const parts = Object.entries({ cycle_id, ip_address: `\t${ip_address} `, product_id }).map(
      ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    for (const same of [
      await send("application/json", JSON.stringify({ ip_address, product_id, cycle_id, unknown: [1] })),
      await send(
        "application/json",
        JSON.stringify({ product_id: `${product_id}`, cycle_id, ip_address: ` ${ip_address} ` }),
      ),
      await send("application/json", JSON.stringify({ product_id, cycle_id, ip_address, notes: "" })),
      await send(
        "application/x-www-form-urlencoded",
        `cycle_id=${cycle_id}&notes=&product_id=${product_id}&ip_address=${ip_address}`,
      ),
      await send(`multipart/form-data; boundary=${boundary}`, `${parts.join("")}--${boundary}--\r\n`),
    ]) {
      expectReplay(first, same);
    }
  },
);

test("a verification is never replayed, and its key is not looked at (contract 1.11, 2.2)", async ({ reseller }) => {
  const { license_key, license_id } = await reseller.newLicense({ ip: reseller.source });
  const idempotencyKey = randomUUID();
  const verify = (key: string = idempotencyKey) =>
    reseller.path.post("/license/verify", { license_key }, { idempotencyKey: key });
  expect((await verify()).body).toMatchObject({ valid: true, code: "VALID" });
  await reseller.dispatch.post("license.suspend", { license_id });
  const after = await verify();
  expect([after.body.code, replayed(after)]).toEqual(["SUSPENDED", undefined]);
  expect((await verify("k".repeat(256))).status).toBe(200);
  expect(await findRecord(reseller, idempotencyKey)).toBeNull();
});

test("a 202 is replayed while the outcome is open, and then as the settled outcome (contract 1.11, 3.11)", async ({
  reseller,
}) => {
  const idempotencyKey = randomUUID();
  const request = await newRequest(reseller, "192.0.2.40");
  const first = await reseller.dispatch.post("license.register", request, { idempotencyKey });
  expect(first.status).toBe(202);
  const again = () => reseller.dispatch.post("license.register", request, { idempotencyKey });
  expectReplay(first, await again());
  await reconcile(first.body.data.operation_id);
  const settled = await again();
  expect([settled.status, replayed(settled)]).toEqual([200, "true"]);
  const { status: _, operation_id: __, ...known } = first.body.data;
  expect(settled.body.data).toEqual({ ...known, balance_after: 990 });
  const last = await again();
  expect([last.status, last.text, replayed(last)]).toEqual([200, settled.text, "true"]);
  expect((await reseller.dispatch.get("balance")).body.data.balance).toBe(990);
});

test("a 202 whose operation was rejected is replayed as the refusal, and nothing is begun again (contract 1.11)", async ({
  reseller,
}) => {
  const idempotencyKey = randomUUID();
  const request = await newRequest(reseller, "192.0.2.21");
  const again = () => reseller.dispatch.post("license.register", request, { idempotencyKey });
  const first = await again();
  expect(first.status).toBe(202);
  await reconcile(first.body.data.operation_id);
  for (let time = 1; time <= 2; time++) {
    const refused = await again();
    expect([verdictOf(refused), replayed(refused)]).toEqual(["400 REGISTRATION_FAILED", "true"]);
  }
  expect(await readTraces(reseller.resellerId)).toMatchObject({ operations: 1, entries: 1 });
});

test("the same key with another request is 422, and does nothing (contract 1.11)", async ({ reseller }) => {
  const idempotencyKey = randomUUID();
  const request = await newRequest(reseller);
  const first = await reseller.dispatch.post("license.register", request, { idempotencyKey });
  const before = await readTraces(reseller.resellerId);
  const others = [
    await reseller.dispatch.post("license.register", { ...request, ip_address: "10.0.0.9" }, { idempotencyKey }),
    await reseller.dispatch.post("license.register", { ...request, notes: "x" }, { idempotencyKey }),
    await reseller.dispatch.post("license.suspend", { license_id: first.body.data.license_id }, { idempotencyKey }),
    await reseller.path.post(
      "/license/update",
      { license_key: first.body.data.license_key, hostname: "a.example" },
      { idempotencyKey },
    ),
  ];
  expect(others.map(verdictOf)).toEqual(Array(4).fill("422 IDEMPOTENCY_KEY_REUSED"));
  expect(await readTraces(reseller.resellerId)).toEqual(before);
  expectReplay(first, await reseller.dispatch.post("license.register", request, { idempotencyKey }));
});

test("the writes of the path interface take a key as well (contract 1.11)", async ({ reseller }) => {
  const { license_key } = await reseller.newLicense({ ip: reseller.source });
  const report = { os: "x", kernel: "x", cpu_cores: 1, memory: "1GB", disk_free: "1GB", uptime: "1 days" };
  for (const [path, request] of [
    ["/license/update", { license_key, hostname: "a.example" }],
    ["/diagnostics", { license_key, hostname: "a.example", ...report }],
    ["/license/update", { license_key: "nonsense", hostname: "a.example" }],
  ] as const) {
    const idempotencyKey = randomUUID();
    const first = await reseller.path.post(path, request, { idempotencyKey });
    expectReplay(first, await reseller.path.post(path, request, { idempotencyKey }));
    expectReplay(first, await reseller.path.post(path, { unknown: 1, ...request }, { idempotencyKey }));
    const other = await reseller.path.post(path, { ...request, hostname: "b.example" }, { idempotencyKey });
    expect(verdictOf(other)).toBe("422 IDEMPOTENCY_KEY_REUSED");
  }
});

test("of many at once with one key, one is carried out; the others are told 409 or the answer (contract 1.11)", async ({
  reseller,
}) => {
  const idempotencyKey = randomUUID();
  const request = await newRequest(reseller);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => reseller.dispatch.post("license.register", request, { idempotencyKey })),
  );
  const done = answers.filter(({ status }) => status === 200);
  expect(done.filter((answer) => replayed(answer) === undefined)).toHaveLength(1);
  expect(new Set(done.map(({ text }) => text)).size).toBe(1);
  for (const answer of answers.filter(({ status }) => status !== 200)) {
    expect(verdictOf(answer)).toBe("409 IDEMPOTENCY_IN_PROGRESS");
    expect(answer.headers["retry-after"]).toMatch(/^[1-9]\d*$/);
  }
  expect(await readTraces(reseller.resellerId)).toMatchObject({ licenses: 1, operations: 1, entries: 2 });
  await expectBalancedBooks(reseller.resellerId);
});

test("while the first is still running: 409 IDEMPOTENCY_IN_PROGRESS and Retry-After (contract 1.11)", async ({
  reseller,
}) => {
  const idempotencyKey = randomUUID();
  const request = await newRequest(reseller, "192.0.2.21");
  const first = reseller.dispatch.post("license.register", request, { idempotencyKey });
  await untilClaimed(reseller, idempotencyKey);
  const second = await reseller.dispatch.post("license.register", request, { idempotencyKey });
  expect(verdictOf(second)).toBe("409 IDEMPOTENCY_IN_PROGRESS");
  expect(second.headers["retry-after"]).toMatch(/^[1-9]\d*$/);
  expectReplay(await first, await reseller.dispatch.post("license.register", request, { idempotencyKey }));
});

test("5xx is not stored: the same key is tried again at once (contract 1.11)", async ({ reseller }) => {
  const idempotencyKey = randomUUID();
  const request = await newRequest(reseller, "192.0.2.60");
  for (let attempt = 1; attempt <= 3; attempt++) {
    const answer = await reseller.dispatch.post("license.register", request, { idempotencyKey });
    expect(verdictOf(answer)).toBe("503 PROVIDER_UNAVAILABLE");
    expect(replayed(answer)).toBeUndefined();
  }
  const { operations } = await readTraces(reseller.resellerId);
  expect(operations).toBe(3);
  expect(await findRecord(reseller, idempotencyKey)).toBeNull();
});

test("401 and 429 are not stored (contract 1.11)", async ({ newReseller }) => {
  const reseller = await newReseller({ rateLimit: 1 });
  const idempotencyKey = randomUUID();
  const request = await newRequest(reseller);
  await reseller.dispatch.get("balance");
  const refused = await reseller.dispatch.post("license.register", request, { idempotencyKey });
  expect(verdictOf(refused)).toBe("429 RATE_LIMITED");
  const anonymous = await reseller.dispatch.post("license.register", request, { idempotencyKey, key: null });
  expect(verdictOf(anonymous)).toBe("401 MISSING_API_KEY");
  expect(await findRecord(reseller, idempotencyKey)).toBeNull();
  const { apiKey } = await reseller.newKey();
  const answer = await reseller.dispatch.post("license.register", request, { idempotencyKey, key: apiKey });
  expect([answer.status, replayed(answer)]).toEqual([200, undefined]);
});

test("a key belongs to the reseller: to each of its API keys, and to nobody else (contract 1.11, 1.12)", async ({
  reseller,
  newReseller,
}) => {
  const idempotencyKey = "order 7 — no".replace("—", "-").padEnd(255, "~");
  const { license_id } = await reseller.newLicense();
  const first = await reseller.dispatch.post("license.suspend", { license_id }, { idempotencyKey });
  const { apiKey } = await reseller.newKey();
  const options = { idempotencyKey, key: apiKey };
  expectReplay(first, await reseller.dispatch.post("license.suspend", { license_id }, options));
  const stranger = await newReseller();
  const theirs = await stranger.dispatch.post("license.suspend", { license_id }, { idempotencyKey });
  expect([verdictOf(theirs), replayed(theirs)]).toEqual(["404 LICENSE_NOT_FOUND", undefined]);
});

test("a key is kept for 24 hours (contract 1.11)", async ({ reseller }) => {
  const idempotencyKey = randomUUID();
  const { license_id } = await reseller.newLicense();
  const renew = () => reseller.dispatch.post("license.renew", { license_id }, { idempotencyKey });
  const age = (minutes: number) =>
    getRuntime().db.query(
      sql(`with record as (
             update idempotency_records set created_at = now() - make_interval(mins => $2) where key = $1 returning operation_id)
           update operations o set settled_at = now() - make_interval(mins => $2) from record r where o.id = r.operation_id`),
      [idempotencyKey, minutes],
    );
  const first = await renew();
  await age(24 * 60 - 1);
  expectReplay(first, await renew());
  await age(24 * 60 + 1);
  const anew = await renew();
  expect([anew.status, replayed(anew)]).toEqual([200, undefined]);
  expect(anew.body.data.new_expiry).not.toBe(first.body.data.new_expiry);
});

test("without a key every request is carried out (contract 1.11)", async ({ reseller }) => {
  const { license_id } = await reseller.newLicense();
  for (const balance of [980, 970]) {
    const { body } = await reseller.dispatch.post("license.renew", { license_id });
    expect(body.data.balance_after).toBe(balance);
  }
});
