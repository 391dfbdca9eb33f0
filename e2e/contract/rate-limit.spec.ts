import type { Answer } from "../support/http.ts";
import { verdictOf } from "../support/http.ts";
import { expect, test } from "../support/test.ts";
import { type Reseller, setLicense } from "../support/world.ts";

const LIMIT = 5;
const ANONYMOUS_LIMIT = 60;
const WINDOW_SECONDS = 60;

const numbers = ({ headers }: Answer) => ({
  limit: Number(headers["x-ratelimit-limit"]),
  remaining: Number(headers["x-ratelimit-remaining"]),
  reset: Number(headers["x-ratelimit-reset"]),
});

/** A loopback address that is no trusted proxy, and that no other test calls from. */
const untrustedPeer = ({ resellerId }: Reseller) => `127.1.${resellerId >> 8}.${resellerId & 255}`;

test("the headers count down within one window, over both interfaces together, errors included (contract 1.5)", async ({
  newReseller,
}) => {
  const reseller = await newReseller({ rateLimit: LIMIT });
  const sentAt = Date.now() / 1000;
  const answers = [
    await reseller.path.get("/licenses"),
    await reseller.dispatch.get("balance"),
    await reseller.path.post("/license/verify", {}),
    await reseller.dispatch.get("no.such"),
    await reseller.dispatch.post("balance"),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 400, 404, 405]);
  expect(answers.map((answer) => numbers(answer).remaining)).toEqual([4, 3, 2, 1, 0]);
  expect(new Set(answers.map((answer) => numbers(answer).limit))).toEqual(new Set([LIMIT]));
  const resets = new Set(answers.map((answer) => numbers(answer).reset));
  expect(resets.size).toBe(1);
  for (const reset of resets) {
    expect(reset).toBeGreaterThanOrEqual(sentAt);
    expect(reset).toBeLessThanOrEqual(Math.ceil(sentAt + WINDOW_SECONDS + 5));
  }
});

test("every answer has a request id of its own (contract 1.5)", async ({ reseller }) => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => reseller.dispatch.get(index % 2 === 0 ? "balance" : "no.such")),
  );
  expect(new Set(answers.map(({ headers }) => headers["x-request-id"])).size).toBe(20);
});

test("over quota: 429 RATE_LIMITED with Retry-After on both interfaces, and nothing has happened (contract 1.5, 1.3)", async ({
  newReseller,
}) => {
  const reseller = await newReseller({ rateLimit: LIMIT });
  const { license_id } = await reseller.newLicense();
  for (let used = 1; used < LIMIT; used++) await reseller.dispatch.get("balance");
  const answers = [
    await reseller.dispatch.post("license.suspend", { license_id }),
    await reseller.path.get("/licenses"),
    await reseller.path.get("/no/such/path"),
  ];
  for (const answer of answers) {
    expect(verdictOf(answer)).toBe("429 RATE_LIMITED");
    const retryAfter = Number(answer.headers["retry-after"]);
    expect(retryAfter).toBeGreaterThanOrEqual(1);
    expect(retryAfter).toBeLessThanOrEqual(WINDOW_SECONDS);
    expect(numbers(answer)).toMatchObject({ limit: LIMIT, remaining: 0 });
  }
  expect(answers[0]?.body).toMatchObject({ success: false, error: true });
  const key = (await reseller.newKey()).apiKey;
  const info = await reseller.dispatch.get("license.info", { license_id }, { key });
  expect(info.body.data.status).toBe("active");
});

test("each key has a quota of its own, 600 a minute unless set (contract 1.5)", async ({ newReseller }) => {
  const reseller = await newReseller({ rateLimit: 600 });
  const other = await reseller.newKey({ rateLimit: 42 });
  expect(numbers(await reseller.dispatch.get("balance"))).toMatchObject({ limit: 600, remaining: 599 });
  expect(numbers(await reseller.dispatch.get("balance", {}, { key: other.apiKey }))).toMatchObject({
    limit: 42,
    remaining: 41,
  });
});

test("a burst at once is let through exactly to the limit (contract 1.5)", async ({ newReseller }) => {
  const reseller = await newReseller({ rateLimit: 20 });
  const answers = await Promise.all(Array.from({ length: 50 }, () => reseller.dispatch.get("balance")));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(30);
});

test("without a valid key: 60 a minute for each source address, over both interfaces (contract 1.5)", async ({
  reseller,
}) => {
  const source = reseller.newAddress();
  for (let used = 1; used <= ANONYMOUS_LIMIT; used++) {
    const options = { key: used % 2 === 0 ? null : "wrong", source };
    const answer =
      used % 3 === 0
        ? await reseller.dispatch.get("balance", {}, options)
        : await reseller.path.get("/licenses", {}, options);
    expect(answer.status).toBe(401);
    expect(numbers(answer)).toMatchObject({ limit: ANONYMOUS_LIMIT, remaining: ANONYMOUS_LIMIT - used });
  }
  expect(verdictOf(await reseller.path.get("/licenses", {}, { key: null, source }))).toBe("429 RATE_LIMITED");
  const elsewhere = await reseller.path.get("/licenses", {}, { key: null, source: reseller.newAddress() });
  expect(verdictOf(elsewhere)).toBe("401 UNAUTHORIZED");
});

test("a forged X-Forwarded-For from an untrusted peer neither changes the source nor buys a new quota (contract 1.6)", async ({
  reseller,
}) => {
  const localAddress = untrustedPeer(reseller);
  const { license_key, license_id } = await reseller.newLicense();
  await setLicense(license_id, { movedTo: localAddress });
  const victim = reseller.newAddress();
  const seen = await reseller.path.post("/license/verify", { license_key }, { source: victim, localAddress });
  expect(seen.body.code).toBe("VALID");
  const answers = await Promise.all(
    Array.from({ length: ANONYMOUS_LIMIT + 5 }, (_, index) =>
      reseller.path.get("/licenses", {}, { key: null, source: `203.0.113.${index}`, localAddress }),
    ),
  );
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(5);
});

test("no header of a caller stands for the peer (contract 1.6)", async ({ reseller }) => {
  const localAddress = untrustedPeer(reseller);
  const { license_key, license_id } = await reseller.newLicense();
  await setLicense(license_id, { movedTo: localAddress });
  const forged = reseller.newAddress();
  for (const name of ["x-license-desk-peer", "x-real-ip", "forwarded", "cf-connecting-ip", "x-client-ip"]) {
    const headers = { [name]: name === "forwarded" ? `for=${forged}` : forged };
    const { body } = await reseller.path.post("/license/verify", { license_key }, { headers, localAddress });
    expect(`${name} ${body.code}`).toBe(`${name} VALID`);
  }
});

test("from a trusted proxy: the right-most address that is no trusted proxy (contract 1.6)", async ({ reseller }) => {
  const { license_key } = await reseller.newLicense({ ip: reseller.source });
  const seen = async (source: string) =>
    (await reseller.path.post("/license/verify", { license_key }, { source })).body.code;
  const own = reseller.source;
  expect(await seen(own)).toBe("VALID");
  expect(await seen(`198.51.100.1, ${own}`)).toBe("VALID");
  expect(await seen(`198.51.100.1,${own}, 127.0.0.1`)).toBe("VALID");
  expect(await seen(`${own}:4711`)).toBe("VALID");
  expect(await seen(`::ffff:${own}`)).toBe("VALID");
  expect(await seen(`${own}, 198.51.100.1`)).toBe("IP_MISMATCH");
  expect(await seen(`${own}, unknown`)).toBe("IP_MISMATCH");
});

test("a trusted proxy that tells nobody is the source itself (contract 1.6)", async ({ reseller }) => {
  const { license_key, license_id } = await reseller.newLicense();
  await setLicense(license_id, { movedTo: "127.0.0.1" });
  const { body } = await reseller.path.post("/license/verify", { license_key }, { source: "" });
  expect(body.code).toBe("VALID");
});
