import { bulkhead } from "cockatiel";
import * as oidc from "openid-client";
import type { FailureWatch } from "#lib/domain/failure-watch.ts";
import { isStorable } from "#lib/domain/text.ts";
import type { ExpectedAnswer, IssuerAccount, SignInIssuer } from "#lib/ports/sign-in-issuer.ts";
import { readBoundedText } from "./bounded-text.ts";

const SCOPE = "openid email profile";
const TIMEOUT_SECONDS = 5;
/** Unpacked. A description, keys or a token have a few KB. */
const MAX_ANSWER_BYTES = 256 * 1024;
/** Of a subject (OpenID Connect Core 2). */
const MAX_SUBJECT_LENGTH = 255;
/** Until its endpoints are read again, which also shows whether it is there before a visitor is sent to it. */
const DISCOVERY_MS = 60_000;
/** How soon keys are read again for a token by an unknown one. The library waits 60 s, which `age` counts. */
const KEYS = { readAgainSeconds: 5, ofLibrarySeconds: 60 };
/** Codes exchanged at once, and waiting. Beyond that the issuer counts as unavailable. */
const EXCHANGES = { atOnce: 10, waiting: 50 };
/** Errors of the library that are no answer of the issuer. */
const NO_ANSWER = ["OAUTH_TIMEOUT", "OAUTH_ABORT", "OAUTH_RESPONSE_IS_NOT_CONFORM"];
/** Errors of the library about the visitor's address, unless they quote something else. */
const ADDRESS_ERRORS = ["OAUTH_INVALID_RESPONSE", "OAUTH_UNSUPPORTED_OPERATION"];
/** A year: any sign-in there will do. Asked for a limit, the issuer must return `auth_time` (OpenID Connect Core 3.1.2.1). */
const ANY_AGE = "31536000";
const ERROR_CODE = /^[a-z_]{1,40}$/i;

export interface OidcIssuerOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly name: string;
  readonly redirectUri: string;
  readonly watch: FailureWatch;
}

/** Contacts the issuer when somebody signs in there, and not before. */
export function createOidcIssuer(options: OidcIssuerOptions): SignInIssuer {
  const { name, redirectUri, clientId, watch } = options;
  const exchanges = bulkhead(EXCHANGES.atOnce, EXCHANGES.waiting);
  let known: { readonly config: Promise<oidc.Configuration>; readonly untilMs: number } | null = null;

  /** Reads the endpoints once, also for visitors who come meanwhile. */
  function findConfig(): Promise<oidc.Configuration> {
    if (known === null || known.untilMs < Date.now()) {
      const config = discover(options).catch((cause: unknown) => {
        throw new Error("the issuer's description cannot be used", { cause });
      });
      known = { config, untilMs: Date.now() + DISCOVERY_MS };
    }
    return known.config;
  }

  /**
   * So that an issuer can change its keys without an overlap: keys count as read so long ago that the library reads them
   * again for a token by an unknown one, once for all visitors.
   */
  async function findConfigForKeys(): Promise<oidc.Configuration> {
    const config = await findConfig();
    const keys = oidc.getJwksCache(config);
    const nowSeconds = Math.floor(Date.now() / 1_000);
    const ageSeconds = nowSeconds - (keys?.uat ?? nowSeconds);
    if (!keys || ageSeconds < KEYS.readAgainSeconds || ageSeconds >= KEYS.ofLibrarySeconds) return config;
    // The library keeps the age of the keys with the description.
    const copy = configure(
      options,
      new oidc.Configuration(config.serverMetadata(), clientId, undefined, clientAuth(options)),
    );
    oidc.setJwksCache(copy, { ...keys, uat: nowSeconds - KEYS.ofLibrarySeconds });
    if (known) known = { ...known, config: Promise.resolve(copy) };
    return copy;
  }

  /** After no answer, the endpoints are read again: they may have moved. */
  function explain(error: unknown): "unavailable" | "rejected" {
    if (!isOfVisitor(error)) watch.failed(kindOf(error));
    if (isAnswer(error)) return "rejected";
    known = null;
    return "unavailable";
  }

  async function begin(fresh: boolean) {
    const config = await findConfig();
    const [state, nonce, codeVerifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()];
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: SCOPE,
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: "S256",
      ...(fresh ? { prompt: "login", max_age: "0" } : { max_age: ANY_AGE }),
    });
    return { url: url.href, checks: { state, nonce, codeVerifier } };
  }

  async function finish(query: string, expected: ExpectedAnswer): Promise<IssuerAccount> {
    const config = await findConfigForKeys();
    const answer = Object.assign(new URL(redirectUri), { search: query });
    const tokens = await oidc.authorizationCodeGrant(config, answer, checksOf(expected));
    const claims = tokens.claims();
    if (!claims || (claims.azp !== undefined && claims.azp !== clientId)) throw new UnusableTokenError("other_party");
    const { userinfo_endpoint } = config.serverMetadata();
    const isElsewhere = claims.email === undefined && userinfo_endpoint !== undefined;
    const person = isElsewhere ? await oidc.fetchUserInfo(config, tokens.access_token, claims.sub) : claims;
    return accountOf(claims, person);
  }

  return {
    name,
    begin: ({ fresh }) =>
      begin(fresh).catch((error) => {
        explain(error);
        return null;
      }),
    async finish(query, expected) {
      try {
        const account = await exchanges.execute(() => finish(query, expected));
        watch.succeeded();
        return { kind: "account", account };
      } catch (error) {
        return { kind: explain(error) };
      }
    },
  };
}

/** What the library lets pass: a token issued to another client, claims that cannot be stored. */
class UnusableTokenError extends Error {
  override readonly name = "UnusableTokenError";
  readonly code: "other_party" | "unreadable_claims";

  constructor(code: UnusableTokenError["code"]) {
    super(code);
    this.code = code;
  }
}

async function discover(options: OidcIssuerOptions): Promise<oidc.Configuration> {
  const { clientId } = options;
  const url = new URL(options.issuer);
  const execute = url.protocol === "http:" ? [oidc.allowInsecureRequests] : [];
  const request = { timeout: TIMEOUT_SECONDS, execute, [oidc.customFetch]: fetchWhole };
  return configure(options, await oidc.discovery(url, clientId, undefined, clientAuth(options), request));
}

function configure({ issuer }: OidcIssuerOptions, config: oidc.Configuration): oidc.Configuration {
  // The signature is checked although the token comes straight from the issuer.
  oidc.enableNonRepudiationChecks(config);
  if (issuer.startsWith("http:")) oidc.allowInsecureRequests(config);
  config.timeout = TIMEOUT_SECONDS;
  config[oidc.customFetch] = fetchWhole;
  return config;
}

function clientAuth({ clientSecret }: OidcIssuerOptions): oidc.ClientAuth {
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const method = methods.includes("client_secret_basic") ? oidc.ClientSecretBasic : oidc.ClientSecretPost;
    return method(clientSecret)(server, ...request);
  };
}

/**
 * Reads an answer whole, within bounds and the timeout: the library takes one that breaks off for one that proves nobody.
 * @throws TypeError as `fetch` does, which the library passes on
 */
const fetchWhole: oidc.CustomFetch = async (url, options) => {
  const response = await fetch(url, options as RequestInit);
  const text = response.body && (await readBoundedText(response.body, MAX_ANSWER_BYTES));
  if (response.body && text === null) throw Object.assign(new TypeError("too long"), { code: "ANSWER_TOO_LONG" });
  return new Response(text, response);
};

function checksOf({ state, nonce, codeVerifier, maxAgeSeconds }: ExpectedAnswer): oidc.AuthorizationCodeGrantChecks {
  return {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: codeVerifier,
    idTokenExpected: true,
    ...(maxAgeSeconds === null ? {} : { maxAge: maxAgeSeconds }),
  };
}

function accountOf({ iss, sub, auth_time }: oidc.IDToken, person: oidc.IDToken | oidc.UserInfoResponse): IssuerAccount {
  const { email_verified } = person;
  const email = typeof person.email === "string" ? person.email : "";
  const name = typeof person.name === "string" ? person.name : "";
  const authenticatedAt = auth_time === undefined ? null : new Date(auth_time * 1_000);
  const isReadable = sub.length <= MAX_SUBJECT_LENGTH && !Number.isNaN(authenticatedAt?.getTime());
  if (!isReadable || ![sub, email, name].every(isStorable)) throw new UnusableTokenError("unreadable_claims");
  return { issuer: iss, subject: sub, email, emailVerified: email_verified === true, authenticatedAt, name };
}

/** Whether the issuer answered with what proves nobody. */
function isAnswer(error: unknown): boolean {
  if (error instanceof oidc.ClientError) return !NO_ANSWER.includes(String(error.code));
  return [oidc.ResponseBodyError, oidc.AuthorizationResponseError, UnusableTokenError].some(
    (kind) => error instanceof kind,
  );
}

/** A code, an error or other parameters that are refused, which anyone can write into an address. */
function isOfVisitor(error: unknown): boolean {
  if (error instanceof oidc.ResponseBodyError) return error.error === "invalid_grant";
  if (error instanceof oidc.AuthorizationResponseError) return true;
  const { code, cause } = Object(error);
  // Of what the issuer sends, the library quotes what it refuses.
  const { cause: quoted } = Object(cause);
  return quoted === undefined ? ADDRESS_ERRORS.includes(code) : quoted?.parameters !== undefined;
}

/** A code, never a message. */
function kindOf(error: unknown): string {
  if (error instanceof oidc.ResponseBodyError) return ERROR_CODE.test(error.error) ? error.error : "error";
  const { code, cause } = Object(error);
  if (code === undefined && cause !== undefined) return kindOf(cause);
  return typeof code === "string" && ERROR_CODE.test(code) ? code : "no_answer";
}
