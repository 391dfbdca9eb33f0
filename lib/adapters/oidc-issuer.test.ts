import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { SignInIssuer } from "#lib/ports/sign-in-issuer.ts";
import { type HostileIssuer, otherKey, startHostileIssuer, type Token } from "#tests/support/hostile-issuer.ts";
import { createOidcIssuer } from "./oidc-issuer.ts";

const CLIENT = "license-desk";
const AN_HOUR = 3_600;
let server: HostileIssuer;
let issuer: SignInIssuer;
let failures: string[];
beforeEach(async () => {
  server = await startHostileIssuer();
  failures = [];
  issuer = issuerOf(server.url);
});
afterEach(() => server.close());

const issuerOf = (url: string) =>
  createOidcIssuer({
    issuer: url,
    clientId: CLIENT,
    clientSecret: "secret",
    name: "Acme",
    redirectUri: "http://127.0.0.1:9/callback",
    watch: { failed: (kind) => failures.push(kind), succeeded() {} },
  });

const nowSeconds = () => Math.floor(Date.now() / 1_000);

type Change = (token: Token) => Partial<Token>;

/** What becomes of an answer whose token is right but for the change. */
async function finishWith(change: Change, maxAgeSeconds: number | null = null) {
  const { checks } = await begin(false);
  const claims = {
    iss: server.url,
    aud: CLIENT,
    sub: "7",
    nonce: checks.nonce,
    iat: nowSeconds(),
    exp: nowSeconds() + 60,
  };
  const person = { email: "ada@example.com", email_verified: true };
  const right: Token = { header: { alg: "RS256", kid: "1" }, claims: { ...claims, ...person }, by: server.key };
  server.answerWith({ ...right, ...change(right) });
  const reply = await issuer.finish(`?code=c&state=${checks.state}`, { ...checks, maxAgeSeconds });
  return reply.kind === "account" ? reply.account : reply.kind;
}

async function begin(fresh: boolean) {
  const begun = await issuer.begin({ fresh });
  if (!begun) throw new Error("the issuer is not available");
  return begun;
}

const claim =
  (changed: Record<string, unknown>): Change =>
  ({ claims }) => ({ claims: { ...claims, ...changed } });

test("a right token says who it is", async () => {
  expect(await finishWith(() => ({}))).toEqual({
    issuer: server.url,
    subject: "7",
    email: "ada@example.com",
    emailVerified: true,
    authenticatedAt: null,
    name: "",
  });
  const authenticatedAt = new Date(1_800_000_000_000);
  expect(await finishWith(claim({ auth_time: 1_800_000_000 }))).toMatchObject({ authenticatedAt });
});

test.each<[string, Change]>([
  ["signed by another key", () => ({ by: otherKey })],
  ["without a signature", () => ({ by: "none" })],
  ["that says it needs none", () => ({ by: "none", header: { alg: "none" } })],
  ["signed with the public key as a secret", () => ({ by: "hmac", header: { alg: "HS256", kid: "1" } })],
  [
    "that brings its own key",
    () => ({ by: otherKey, header: { alg: "RS256", jwk: otherKey.export({ format: "jwk" }) } }),
  ],
  ["of another issuer", claim({ iss: "https://evil.example" })],
  ["for another client", claim({ aud: "another" })],
  ["for several clients, of another party", claim({ aud: [CLIENT, "another"], azp: "another" })],
  ["for several clients, of no party", claim({ aud: [CLIENT, "another"] })],
  ["of another party", claim({ azp: "another" })],
  ["of another sign-in", claim({ nonce: "another" })],
  ["of no sign-in", claim({ nonce: undefined })],
  ["that has expired", claim({ exp: 1 })],
  ["that never expires", claim({ exp: undefined })],
  ["that begins in an hour", claim({ nbf: nowSeconds() + AN_HOUR })],
  ["of nobody", claim({ sub: undefined })],
  ["of a subject that cannot be stored", claim({ sub: "7\0" })],
  ["with a name that cannot be stored", claim({ name: "\ud83d" })],
  ["of a subject longer than any", claim({ sub: "7".repeat(256) })],
  ["of a sign-in at no time", claim({ auth_time: 1e300 })],
])("a token %s is rejected", async (_, change) => {
  expect(await finishWith(change)).toBe("rejected");
});

test.each([
  "code=c&code=d",
  "code=c&iss=https://evil.example",
  "code=c&response=r",
  "code=c&id_token=t",
  "error=access_denied",
])("%s in the visitor's address is rejected, and no failure of the issuer", async (query) => {
  const { checks } = await begin(false);
  const reply = await issuer.finish(`?${query}&state=${checks.state}`, { ...checks, maxAgeSeconds: null });
  expect([reply.kind, failures]).toEqual(["rejected", []]);
});

test.each([
  ["invalid_grant", []],
  ["invalid_client", ["invalid_client"]],
])("a code refused by %s is a failure only if the code is not what is wrong", async (error, logged) => {
  server.refuseWith(error);
  expect([await finishWith(() => ({})), failures]).toEqual(["rejected", logged]);
});

test("only the issuer's own word that an address is verified counts", async () => {
  for (const email_verified of ["true", 1, null, undefined]) {
    expect(await finishWith(claim({ email_verified }))).toMatchObject({ emailVerified: false });
  }
});

test("where the user must sign in again, an earlier sign-in is rejected, and so is one without a time", async () => {
  expect(await finishWith(claim({ auth_time: nowSeconds() }), 60)).toMatchObject({ subject: "7" });
  expect(await finishWith(claim({ auth_time: nowSeconds() - AN_HOUR }), 60)).toBe("rejected");
  expect(await finishWith(() => ({}), 60)).toBe("rejected");
});

describe("the request", () => {
  test("has PKCE, state and nonce, all new each time, and asks for credentials again where it must", async () => {
    const read = async (fresh: boolean) => Object.fromEntries(new URL((await begin(fresh)).url).searchParams);
    const [one, two] = [await read(false), await read(true)];
    expect(one).toMatchObject({ response_type: "code", code_challenge_method: "S256", client_id: CLIENT });
    expect(two).toMatchObject({ prompt: "login", max_age: "0" });
    expect(one).not.toHaveProperty("prompt");
    // Without a limit, the issuer need not say when it asked for credentials.
    expect(one).toMatchObject({ max_age: "31536000" });
    for (const name of ["state", "nonce", "code_challenge"]) {
      expect(one[name]).toMatch(/^[\w-]{43}$/);
      expect(two[name]).not.toBe(one[name]);
    }
  });

  test.each([
    ["names another issuer", { issuer: "https://evil.example" }],
    ["is nothing that can be used", { authorization_endpoint: undefined }],
  ])("is not possible while the issuer's description %s", async (_, metadata) => {
    server.describe(metadata);
    expect(await issuer.begin({ fresh: false })).toBeNull();
    expect(failures).toEqual([expect.stringMatching(/^(?:OAUTH_[A-Z_]+|no_answer)$/)]);
    server.describe({});
    expect(await issuer.begin({ fresh: false })).not.toBeNull();
  });
});

test.each(["/token", "/jwks"])("an answer without an end at %s is not read to the end", async (path) => {
  server.flood(path);
  expect(await finishWith(() => ({}))).toBe("unavailable");
  expect(failures).toEqual(["ANSWER_TOO_LONG"]);
});

test("a description without an end is not read to the end", async () => {
  server.flood("/.well-known/openid-configuration");
  expect(await issuer.begin({ fresh: false })).toBeNull();
  expect(failures).toEqual(["ANSWER_TOO_LONG"]);
});

describe("keys that the issuer changes without an overlap", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
  afterEach(() => void vi.useRealTimers());
  const byNewKey: Change = () => ({ by: otherKey, header: { alg: "RS256", kid: "2" } });

  test("sign in the next visitor, once the keys are 5 s old", async () => {
    expect(await finishWith(() => ({}))).toMatchObject({ subject: "7" });
    server.publish(otherKey, "2");
    vi.setSystemTime(Date.now() + 6_000);
    expect(await finishWith(byNewKey)).toMatchObject({ subject: "7" });
    expect(await finishWith(byNewKey)).toMatchObject({ subject: "7" });
    expect(server.keysRead()).toBe(2);
  });

  test("are read once in 5 s, however many tokens are by an unknown key", async () => {
    expect(await finishWith(() => ({}))).toMatchObject({ subject: "7" });
    vi.setSystemTime(Date.now() + 6_000);
    expect(await Promise.all(Array.from({ length: 8 }, () => finishWith(byNewKey)))).toEqual(
      Array.from({ length: 8 }, () => "rejected"),
    );
    for (let n = 0; n < 5; n++) expect(await finishWith(byNewKey)).toBe("rejected");
    expect(server.keysRead()).toBe(2);
  });
});

describe("an issuer that does not answer", { timeout: 20_000 }, () => {
  test("counts as unavailable within seconds, once for all who ask, and the log learns why", async () => {
    server.hang("/.well-known/openid-configuration");
    const startedAtMs = performance.now();
    expect(await Promise.all([issuer.begin({ fresh: false }), issuer.begin({ fresh: false })])).toEqual([null, null]);
    expect(performance.now() - startedAtMs).toBeLessThan(8_000);
    expect(failures).toEqual(["OAUTH_TIMEOUT", "OAUTH_TIMEOUT"]);
  });

  test.each(["/token", "/jwks"])("at %s counts as unavailable within seconds", async (path) => {
    server.hang(path);
    expect(await finishWith(() => ({}))).toBe("unavailable");
  });

  test("to the end counts as unavailable, not as a code that was rejected", async () => {
    server.hang("/token", "headers");
    expect(await finishWith(() => ({}))).toBe("unavailable");
    expect(failures).toEqual(["OAUTH_TIMEOUT"]);
  });

  test("is asked for its description once while it is known", async () => {
    await issuer.begin({ fresh: false });
    server.hang("/.well-known/openid-configuration");
    expect(await issuer.begin({ fresh: false })).not.toBeNull();
  });
});
