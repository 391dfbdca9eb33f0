import type { AuthOptions } from "next-auth";
import CredentialsProvider from "next-auth/providers/credentials";
import type { SignInMethod } from "#lib/domain/observation.ts";
import { getRuntime } from "#lib/runtime.ts";
import { finishSignIn } from "#lib/services/user/finish-sign-in.ts";
import { type SignInResult, signIn } from "#lib/services/user/sign-in.ts";
import { signInWithPasskey } from "#lib/services/user/sign-in-with-passkey.ts";
import { authCookie, sessionMaxSeconds } from "./auth-cookie.ts";
import { visitorContext } from "./define-visitor-action.ts";
import { readKnownDevices, storeKnownDevice } from "./known-device.ts";
import { findPasskeySite } from "./passkey-site.ts";
import { formatMethods, readPendingSignIn, storePendingSignIn } from "./pending-sign-in.ts";
import { findVisitor } from "./visitor.ts";

/**
 * next-auth keeps only the cookie. Every request checks the session row (`session.ts`), so signing out (`sign-out.ts`)
 * or an admin ends a session immediately.
 */
export const authOptions: AuthOptions = {
  session: { strategy: "jwt", maxAge: sessionMaxSeconds() },
  pages: { signIn: "/sign-in" },
  // All that fails here is reading a session's cookie, and anyone can send one that cannot be read.
  logger: { error() {} },
  cookies: { sessionToken: nextAuthCookie("session-token"), callbackUrl: nextAuthCookie("callback-url") },
  providers: [
    CredentialsProvider({
      credentials: { email: {}, password: {}, method: {}, code: {}, second: {} },
      async authorize(credentials) {
        const result = await trySignIn(credentials ?? {});
        getRuntime().metrics.signInTried(methodOf(credentials ?? {}), result.kind);
        switch (result.kind) {
          case "signed_in":
            await storeKnownDevice(result.device);
            return { id: result.sessionId, email: result.email, name: result.name };
          case "refused":
            return null;
          // The form reads this text, the only one that next-auth passes on.
          case "busy":
            throw new Error(`busy:${result.waitSeconds}`);
          case "second_factor":
            await storePendingSignIn(result.token);
            throw new Error(`second_factor:${formatMethods(result)}`);
          case "limited":
          case "expired":
          case "read_only":
            throw new Error(result.kind);
          default:
            return result satisfies never;
        }
      },
    }),
  ],
  callbacks: {
    // The form navigates itself (`return-path.ts`), so next-auth never redirects.
    redirect: ({ baseUrl }) => baseUrl,
    jwt({ token, user }) {
      return user ? { ...token, sessionId: user.id } : token;
    },
    session({ session, token }) {
      return { ...session, sessionId: token.sessionId };
    },
  },
};

function nextAuthCookie(cookie: "session-token" | "callback-url") {
  const { name, ...options } = authCookie(cookie);
  return { name, options };
}

type Credentials = Partial<Record<"email" | "password" | "method" | "code" | "second", string>>;

function methodOf({ method, code }: Credentials): SignInMethod {
  if (code === undefined) return "password";
  return method === "passkey" ? "passkey" : "second_factor";
}

/** The password, the second factor of a browser that has given it, or a passkey. */
async function trySignIn({ email = "", password = "", method, code, second }: Credentials): Promise<SignInResult> {
  const { db, sessionLimits } = getRuntime();
  const visitor = { ...(await findVisitor()), findDevices: await readKnownDevices() };
  if (code === undefined) return signIn(db, { email, password, ...visitor }, sessionLimits);
  const ctx = visitorContext("");
  const token = second === undefined ? null : await readPendingSignIn();
  if (second !== undefined && token === null) return { kind: "expired" };
  if (method === "passkey") {
    const site = findPasskeySite();
    if (site === null) return { kind: "refused" };
    return signInWithPasskey(ctx, { site, assertion: code, token, ...visitor }, sessionLimits);
  }
  if (token === null) return { kind: "expired" };
  const given = { method: method === "recovery" ? "recovery" : "totp", code } as const;
  return finishSignIn(ctx, { token, ...given, ...visitor }, sessionLimits);
}
