import type { AuthOptions } from "next-auth";
import CredentialsProvider from "next-auth/providers/credentials";
import { getRuntime } from "#lib/runtime.ts";
import { SESSION_DAYS, signIn, signOut } from "#lib/services/user/sign-in.ts";
import { findVisitor } from "./visitor.ts";

const SECONDS_PER_DAY = 86_400;

/**
 * next-auth keeps the cookie; the session row is the truth: every request asks it (`session.ts`), so signing out, or
 * an admin's word, ends a session at once.
 */
export const authOptions: AuthOptions = {
  session: { strategy: "jwt", maxAge: SESSION_DAYS * SECONDS_PER_DAY },
  pages: { signIn: "/sign-in" },
  providers: [
    CredentialsProvider({
      credentials: { email: {}, password: {} },
      async authorize(credentials) {
        const { db } = getRuntime();
        const { email = "", password = "" } = credentials ?? {};
        const result = await signIn(db, { email, password, ...(await findVisitor()) }, new Date());
        switch (result.kind) {
          case "signed_in":
            return { id: result.sessionId, email: result.email, name: result.name };
          case "refused":
            return null;
          case "too_many":
            // The form reads it: next-auth passes on nothing but this text.
            throw new Error(`too_many:${result.waitSeconds}`);
          default:
            return result satisfies never;
        }
      },
    }),
  ],
  callbacks: {
    jwt({ token, user }) {
      return user ? { ...token, sessionId: user.id } : token;
    },
    session({ session, token }) {
      return { ...session, sessionId: token.sessionId };
    },
  },
  events: {
    async signOut({ token }) {
      if (typeof token?.sessionId === "string") await signOut(getRuntime().db, token.sessionId, new Date());
    },
  },
};
