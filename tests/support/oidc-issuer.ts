/** An OpenID Connect issuer on 127.0.0.1, by `oidc-provider`, which signs in whoever the test says. */

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Provider, { type Configuration, type InteractionResults } from "oidc-provider";

export interface IssuerPerson {
  readonly sub: string;
  readonly email: string;
  readonly email_verified: boolean;
  readonly name: string;
}

export interface TestIssuer {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Begins to answer, for a License Desk at this address. */
  register(redirectUri: string): void;
  /** Who signs in from now on; null: the visitor cancels. */
  signInAs(person: IssuerPerson | null): void;
  /** Whether it drops every connection. */
  setAway(away: boolean): void;
  /** Requests to the token endpoint so far. */
  readonly exchanges: () => number;
  close(): Promise<void>;
}

const client = { clientId: "license-desk", clientSecret: "a secret between issuer and desk" };

/** `userinfoOnly`: its tokens have no email address. */
export async function startTestIssuer({ userinfoOnly = false } = {}): Promise<TestIssuer> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const people = new Map<string, IssuerPerson>();
  let person: IssuerPerson | null = null;
  let exchanges = 0;
  let isAway = false;
  return {
    url,
    ...client,
    register(redirectUri) {
      const provider = new Provider(url, configurationFor(redirectUri, userinfoOnly, people));
      const answer = provider.callback();
      server.on("request", async (request, response) => {
        if (isAway) return request.socket.destroy();
        if (request.url?.startsWith("/token")) exchanges += 1;
        if (!request.url?.startsWith("/interaction/")) return answer(request, response);
        if (person) people.set(person.sub, person);
        const result: InteractionResults = person ? { login: { accountId: person.sub } } : { error: "access_denied" };
        await provider.interactionFinished(request, response, result);
      });
    },
    signInAs(next) {
      person = next;
    },
    setAway(away) {
      isAway = away;
    },
    exchanges: () => exchanges,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function configurationFor(
  redirectUri: string,
  userinfoOnly: boolean,
  people: ReadonlyMap<string, IssuerPerson>,
): Configuration {
  return {
    clients: [{ client_id: client.clientId, client_secret: client.clientSecret, redirect_uris: [redirectUri] }],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    conformIdTokenClaims: userinfoOnly,
    cookies: { keys: ["the key of a test"] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    ttl: { AccessToken: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
    findAccount: (_context, accountId) => ({
      accountId,
      claims: async () => ({ ...people.get(accountId), sub: accountId }),
    }),
    async loadExistingGrant({ oidc }) {
      const { client, session, provider } = oidc;
      if (!client || !session?.accountId) return undefined;
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  };
}

/** Follows the issuer's redirects as a new browser. Returns the query that it sends the visitor back with. */
export async function walkIssuer(start: string, redirectUri: string): Promise<string> {
  const cookies = new Map<string, string>();
  let url = start;
  for (let steps = 0; steps < 10; steps += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, { redirect: "manual", headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get("location");
    if (location === null) throw new Error(`the issuer answers ${response.status}: ${await response.text()}`);
    url = new URL(location, url).href;
    if (url.startsWith(`${redirectUri}?`)) return new URL(url).search;
  }
  throw new Error("the issuer redirects without end");
}
