import type { AuthOptions } from "next-auth";
import CredentialsProvider from "next-auth/providers/credentials";
import { readEnv } from "#lib/env.ts";
import { getRuntime } from "#lib/runtime.ts";
import { signIn } from "#lib/services/user/sign-in.ts";
import { keepKnownDevice, readKnownDevices } from "./known-device.ts";
import { findVisitor } from "./visitor.ts";

const SECONDS_PER_HOUR = 3_600;

/**
 * next-auth keeps the cookie; the session row is the truth: every request asks it (`session.ts`), so signing out
 * (`sign-out.ts`), or an admin's word, ends a session at once.
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
            await keepKnownDevice(result.email, result.deviceId);
            return { id: result.sessionId, email: result.email, name: result.name };
          case "refused":
            return null;
          case "busy":
            // The form reads it: next-auth passes on nothing but this text.
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
    // The form goes on by itself (`return-path.ts`): next-auth sends nobody anywhere.
    redirect: ({ baseUrl }) => baseUrl,
    jwt({ token, user }) {
      return user ? { ...token, sessionId: user.id } : token;
    },
    session({ session, token }) {
      return { ...session, sessionId: token.sessionId };
    },
  },
};
