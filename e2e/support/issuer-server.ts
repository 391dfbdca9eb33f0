import type { Page } from "@playwright/test";
import { type IssuerPerson, startTestIssuer, type TestIssuer } from "#tests/support/oidc-issuer.ts";
import { untilHydrated } from "./dashboard.ts";
import { startOwnServer } from "./own-server.ts";

/** A server whose users may sign in at an issuer. */
export interface IssuerServer {
  readonly url: string;
  readonly issuer: TestIssuer;
  stop(): Promise<void>;
}

/** The links to the issuer: on the page for signing in, and in the dialog that asks for a proof. */
export const LINK = "Continue with Acme";
export const PROOF_LINK = "Sign in with Acme";

/** Signing in there creates users of staff.example. */
export async function startIssuerServer(): Promise<IssuerServer> {
  const issuer = await startTestIssuer();
  const server = await startOwnServer("server", {
    LOG_LEVEL: "silent",
    OIDC_ISSUER: issuer.url,
    OIDC_CLIENT_ID: issuer.clientId,
    OIDC_CLIENT_SECRET: issuer.clientSecret,
    OIDC_NAME: "Acme",
    OIDC_ROLES: "staff.example=admin:support",
    OIDC_CREATE_USERS: "on",
  });
  issuer.register(`${server.url}/api/auth/oidc/callback`);
  return {
    url: server.url,
    issuer,
    async stop() {
      await server.stop();
      await issuer.close();
    },
  };
}

export const accountOf = (email: string): IssuerPerson => ({
  sub: email,
  email,
  email_verified: true,
  name: "Robin Example",
});

/** From the sign-in page until the page that it leads to is ready; null: the visitor cancels at the issuer. */
export async function enter(
  page: Page,
  { url, issuer }: IssuerServer,
  person: IssuerPerson | null,
  next = "/wallet",
): Promise<void> {
  issuer.signInAs(person);
  await page.goto(`${url}/sign-in?next=${encodeURIComponent(next)}`);
  // All between the two pages is redirects, which load nothing.
  await Promise.all([page.waitForEvent("load"), page.getByRole("link", { name: LINK }).click()]);
  await untilHydrated(page);
}
