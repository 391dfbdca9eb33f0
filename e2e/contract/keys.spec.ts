import { createHmac, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { createApiKey, hashApiKey } from "#lib/domain/api-key.ts";
import { type Scope, scopes } from "#lib/domain/scopes.ts";
import { getRuntime } from "#lib/runtime.ts";
import { revokeApiKey } from "#lib/services/api-key/revoke.ts";
import { rotateApiKey } from "#lib/services/api-key/rotate.ts";
import { type Answer, verdictOf } from "../support/http.ts";
import { expect, test } from "../support/test.ts";
import { type Reseller, systemContext } from "../support/world.ts";

const WITHIN_MS = 1_000;

/** A page, not the streamed list, which revocation cuts off. */
const withKey = (reseller: Reseller, key: string | null) =>
  Promise.all([reseller.path.get("/licenses", { limit: 1 }, { key }), reseller.dispatch.get("balance", {}, { key })]);

const verdicts = (answers: readonly Answer[]) => answers.map(verdictOf).join(" / ");

/** Uses a key until it is refused; how long after `since` the last request was sent that it was still good for. */
async function msAccepted(reseller: Reseller, key: string, since: number): Promise<number> {
  for (let acceptedMs = 0; ; await sleep(50)) {
    const sentMs = Date.now() - since;
    const answers = await withKey(reseller, key);
    if (answers.every(({ status }) => status === 401)) return acceptedMs;
    acceptedMs = sentMs;
    if (sentMs > 2 * WITHIN_MS) throw new Error("the key is still accepted");
  }
}

test("one key works on both interfaces, each of which reads its own header alone (contract 1.2)", async ({
  reseller,
}) => {
  expect(verdicts(await withKey(reseller, reseller.apiKey))).toBe("200 / 200");
  const none = { key: null };
  const crossed = [
    await reseller.path.get("/licenses", {}, { ...none, headers: { "x-api-key": reseller.apiKey } }),
    await reseller.dispatch.get("balance", {}, { ...none, headers: { authorization: `Bearer ${reseller.apiKey}` } }),
    await reseller.path.get("/licenses", {}, { ...none, headers: { cookie: `api_key=${reseller.apiKey}` } }),
    await reseller.dispatch.get("balance", { api_key: reseller.apiKey }, none),
  ];
  expect(crossed.map(verdictOf)).toEqual([
    "401 UNAUTHORIZED",
    "401 MISSING_API_KEY",
    "401 UNAUTHORIZED",
    "401 MISSING_API_KEY",
  ]);
});

test("a missing key, and one that is not ours, are told apart where the document does (contract 1.2)", async ({
  reseller,
}) => {
  expect(verdicts(await withKey(reseller, null))).toBe("401 UNAUTHORIZED / 401 MISSING_API_KEY");
  const { apiKey } = reseller;
  const mistyped = `${apiKey.slice(0, 20)}${apiKey[20] === "a" ? "b" : "a"}${apiKey.slice(21)}`;
  for (const key of [
    "x",
    mistyped,
    apiKey.slice(0, -1),
    `${apiKey}0`,
    apiKey.toUpperCase(),
    `lk_live_${"0".repeat(38)}`,
  ]) {
    expect(verdicts(await withKey(reseller, key))).toBe("401 UNAUTHORIZED / 401 INVALID_API_KEY");
  }
});

test("the Bearer scheme is read in any case; other schemes are refused (contract 1.2)", async ({ reseller }) => {
  const call = (authorization: string) => reseller.path.get("/licenses", {}, { key: null, headers: { authorization } });
  expect((await call(`bearer ${reseller.apiKey}`)).status).toBe(200);
  for (const authorization of [reseller.apiKey, `Basic ${reseller.apiKey}`, "Bearer", `Bearer ${reseller.apiKey} x`]) {
    expect(verdictOf(await call(authorization))).toBe("401 UNAUTHORIZED");
  }
});

test("a key has the form of 1.13 and is stored as its HMAC under the pepper alone", async ({ reseller }) => {
  const { apiKey, apiKeyId } = reseller;
  expect(apiKey).toMatch(/^lk_live_[0-9A-Za-z]{38}$/);
  const row = await getRuntime().db.prisma.apiKey.findUniqueOrThrow({ where: { id: apiKeyId } });
  const hmac = createHmac("sha256", process.env.API_KEY_PEPPER ?? "")
    .update(apiKey)
    .digest("hex");
  expect(Buffer.from(row.secretHash).toString("hex")).toBe(hmac);
  expect(JSON.stringify(row, (_, value) => (typeof value === "bigint" ? "" : value))).not.toContain(
    apiKey.slice(10, 40),
  );
});

test("a test key is a key like any other; one with a wrong checksum is none (contract 1.13)", async ({ reseller }) => {
  const apiKey = createApiKey("test", (count) => randomBytes(count));
  await getRuntime().db.prisma.apiKey.create({
    data: {
      resellerId: reseller.resellerId,
      name: "test",
      secretHash: new Uint8Array(hashApiKey(apiKey, process.env.API_KEY_PEPPER ?? "")),
      hint: "",
      scopes: [...scopes],
    },
  });
  expect(apiKey).toMatch(/^lk_test_[0-9A-Za-z]{38}$/);
  expect(verdicts(await withKey(reseller, apiKey))).toBe("200 / 200");
  const asLive = apiKey.replace("lk_test_", "lk_live_");
  expect(verdicts(await withKey(reseller, asLive))).toBe("401 UNAUTHORIZED / 401 INVALID_API_KEY");
});

test("an expired key is refused (contract 1.13)", async ({ reseller }) => {
  const expiresAt = new Date(Date.now() + 3_000);
  const { apiKey } = await reseller.newKey({ expiresAt });
  expect(verdicts(await withKey(reseller, apiKey))).toBe("200 / 200");
  await sleep(expiresAt.getTime() - Date.now() + 50);
  expect(verdicts(await withKey(reseller, apiKey))).toBe("401 UNAUTHORIZED / 401 INVALID_API_KEY");
});

test("a revoked key is refused within a second, also while in use (contract 1.13)", async ({ reseller }) => {
  const { apiKey, apiKeyId } = await reseller.newKey();
  expect(verdicts(await withKey(reseller, apiKey))).toBe("200 / 200");
  await revokeApiKey(systemContext(), { apiKeyId });
  const since = Date.now();
  expect(await msAccepted(reseller, apiKey, since)).toBeLessThan(WITHIN_MS);
});

test("rotation makes a key that inherits all; the old one lives for the grace period, and no longer (contract 1.13)", async ({
  reseller,
}) => {
  const old = await reseller.newKey({ scopes: ["wallet:read", "licenses:read"], rateLimit: 77 });
  const kept = await rotateApiKey(systemContext(), { apiKeyId: old.apiKeyId });
  expect(Math.abs(kept.oldExpiresAt.getTime() - Date.now() - 24 * 3_600_000)).toBeLessThan(60_000);
  for (const key of [old.apiKey, kept.apiKey]) {
    const answers = await withKey(reseller, key);
    expect(verdicts(answers)).toBe("200 / 200");
    expect(answers[0]?.headers["x-ratelimit-limit"]).toBe("77");
    expect(verdictOf(await reseller.dispatch.get("products", {}, { key }))).toBe("403 NO_PERMISSION");
  }
  await rotateApiKey(systemContext(), { apiKeyId: kept.apiKeyId, graceHours: 0 });
  const since = Date.now();
  expect(await msAccepted(reseller, kept.apiKey, since)).toBeLessThan(WITHIN_MS);
});

test("a key with source ranges is refused from elsewhere: FORBIDDEN / NO_PERMISSION (contract 1.13)", async ({
  reseller,
}) => {
  const { apiKey } = await reseller.newKey({ cidrs: ["203.0.113.0/24", "10.255.0.1/32"] });
  const from = (source: string) =>
    Promise.all([
      reseller.path.get("/licenses", {}, { key: apiKey, source }),
      reseller.dispatch.get("balance", {}, { key: apiKey, source }),
    ]);
  expect(verdicts(await from("203.0.113.77"))).toBe("200 / 200");
  expect(verdicts(await from("10.255.0.1"))).toBe("200 / 200");
  expect(verdicts(await from("203.0.114.1"))).toBe("403 FORBIDDEN / 403 NO_PERMISSION");
  expect(verdicts(await from("10.255.0.2"))).toBe("403 FORBIDDEN / 403 NO_PERMISSION");
});

test("the key of a suspended reseller is refused within a second (contract 1.13)", async ({ newReseller }) => {
  const reseller = await newReseller();
  expect(verdicts(await withKey(reseller, reseller.apiKey))).toBe("200 / 200");
  await getRuntime().db.prisma.reseller.update({
    where: { id: reseller.resellerId },
    data: { suspendedAt: new Date() },
  });
  const since = Date.now();
  expect(await msAccepted(reseller, reseller.apiKey, since)).toBeLessThan(WITHIN_MS);
});

test("the use of a key is recorded (contract 1.13)", async ({ reseller }) => {
  await withKey(reseller, reseller.apiKey);
  await expect
    .poll(async () => {
      const row = await getRuntime().db.prisma.apiKey.findUniqueOrThrow({ where: { id: reseller.apiKeyId } });
      return [row.lastUsedAt !== null && Math.abs(Date.now() - row.lastUsedAt.getTime()) < 60_000, row.lastUsedFrom];
    })
    .toEqual([true, reseller.source]);
});

interface Need {
  readonly name: string;
  readonly scope: Scope;
  readonly call: (reseller: Reseller) => Promise<Answer>;
}

const get = (path: string, scope: Scope): Need => ({ name: path, scope, call: (own) => own.path.get(path) });
const post = (path: string, scope: Scope): Need => ({ name: path, scope, call: (own) => own.path.post(path, {}) });
const read = (name: string, scope: Scope): Need => ({ name, scope, call: (own) => own.dispatch.get(name) });
const write = (name: string, scope: Scope): Need => ({ name, scope, call: (own) => own.dispatch.post(name) });

/** What each call needs: contract 1.14. */
const needs: readonly Need[] = [
  get("/license/status", "licenses:verify"),
  post("/license/verify", "licenses:verify"),
  post("/license/update", "licenses:write"),
  get("/licenses", "licenses:read"),
  get("/diagnostics", "diagnostics:read"),
  post("/diagnostics", "diagnostics:write"),
  write("license.register", "licenses:write"),
  write("license.renew", "licenses:write"),
  write("license.change_ip", "licenses:write"),
  write("license.change_core", "licenses:write"),
  write("license.suspend", "licenses:write"),
  write("license.unsuspend", "licenses:write"),
  write("license.terminate", "licenses:terminate"),
  write("license.set_auto_renew", "licenses:write"),
  write("license.set_labels", "licenses:write"),
  post("/license/terminate", "licenses:terminate"),
  post("/license/auto-renew", "licenses:write"),
  read("license.list", "licenses:read"),
  read("license.info", "licenses:read"),
  write("bundle.register", "bundles:write"),
  write("bundle.renew", "bundles:write"),
  write("bundle.change_ip", "bundles:write"),
  read("bundle.info", "bundles:read"),
  read("balance", "wallet:read"),
  read("products", "catalog:read"),
  read("bundles", "catalog:read"),
];

for (const scope of scopes) {
  test(`a key with ${scope} alone may do what needs it, and nothing else (contract 1.14)`, async ({ newReseller }) => {
    const reseller = await newReseller({ scopes: [scope] });
    for (const need of needs) {
      const { status, body } = await need.call(reseller);
      const granted = scope === need.scope || (scope === "licenses:read" && need.scope === "licenses:verify");
      expect(`${need.name} ${status === 403 ? "refused" : "granted"}`).toBe(
        `${need.name} ${granted ? "granted" : "refused"}`,
      );
      if (!granted) expect(body.code).toBe(need.name.startsWith("/") ? "FORBIDDEN" : "NO_PERMISSION");
    }
  });
}
