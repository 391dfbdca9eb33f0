import { cookies } from "next/headers";
import { encode } from "next-auth/jwt";
import { readEnv } from "#lib/env.ts";
import type { SignedInUser } from "#lib/services/user/sign-in.ts";
import { authCookie } from "./auth-cookie.ts";

const SECONDS_PER_HOUR = 3_600;

/**
 * Gives this browser a session, as next-auth does after a password: one that was opened at the issuer, or the new id of
 * its own after a proof. Works only in an action or a route handler.
 */
export async function storeSessionCookie(
  { email, name }: Pick<SignedInUser, "email" | "name">,
  sessionId: string,
): Promise<void> {
  const { NEXTAUTH_SECRET: secret = "", SESSION_MAX_HOURS } = readEnv();
  const maxAge = SESSION_MAX_HOURS * SECONDS_PER_HOUR;
  const value = await encode({ token: { sub: sessionId, sessionId, email, name }, secret, maxAge });
  (await cookies()).set({ ...authCookie("session-token"), value, maxAge });
}
