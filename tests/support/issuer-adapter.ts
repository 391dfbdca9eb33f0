import { createOidcIssuer } from "#lib/adapters/oidc-issuer.ts";
import type { SignInIssuer } from "#lib/ports/sign-in-issuer.ts";
import type { TestIssuer } from "./oidc-issuer.ts";

/** Where the tests' issuers send visitors back to; nobody listens there. */
export const REDIRECT = "http://127.0.0.1:9/api/auth/oidc/callback";

/** The adapter for an issuer of a test. */
export function issuerOf({
  url,
  clientId,
  clientSecret,
}: Pick<TestIssuer, "url" | "clientId" | "clientSecret">): SignInIssuer {
  const watch = { failed() {}, succeeded() {} };
  return createOidcIssuer({ issuer: url, clientId, clientSecret, name: "Acme", redirectUri: REDIRECT, watch });
}
