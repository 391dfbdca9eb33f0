import type { AuthOptions } from "next-auth";
import CredentialsProvider from "next-auth/providers/credentials";
import { readEnv } from "#lib/env.ts";
import { getRuntime } from "#lib/runtime.ts";
import { signIn } from "#lib/services/user/sign-in.ts";
import { readKnownDevices, storeKnownDevice } from "./known-device.ts";
import { findVisitor } from "./visitor.ts";

const SECONDS_PER_HOUR = 3_600;

/**
 * next-auth keeps only the cookie. Every request checks the session row (`session.ts`), so signing out (`sign-out.ts`)
 * or an admin ends a session immediately.
 */
export const authOptions: AuthOptions = {
  session: { strategy: "jwt", maxAge: readEnv().SESSION_MAX_HOURS * SECONDS_PER_HOUR },
  pages: { signIn: "/sign-in" },
  providers: [
    CredentialsProvider({
      credentials: { email: {}, password: {} },
      async authorize(credentials) {
        const { db, sessionLimits } = getRuntime();
        const { email = "", password = "" } = credentials ?? {};
        const visitor = { ...(await findVisitor()), findDevice: await readKnownDevices() };
        const result = await signIn(db, { email, password, ...visitor }, sessionLimits);
        switch (result.kind) {
          case "signed_in":
            await storeKnownDevice(result.email, result.deviceId);
            return { id: result.sessionId, email: result.email, name: result.name };
          case "refused":
            return null;
          case "busy":
            // The form reads this text, the only one that next-auth passes on.
            throw new Error(`busy:${result.waitSeconds}`);
          case "read_only":
            throw new Error("read_only");
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
