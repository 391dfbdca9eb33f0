import { cookies } from "next/headers";
import { encode } from "next-auth/jwt";
import type { SignedInUser } from "#lib/services/user/sign-in.ts";
import { authCookie, requireSecret, sessionMaxSeconds } from "./auth-cookie.ts";

/**
 * Gives this browser a session, as next-auth does after a password: one that was opened at the issuer, or the new id of
 * its own after a proof. Works only in an action or a route handler.
 */
export async function storeSessionCookie(
  { email, name }: Pick<SignedInUser, "email" | "name">,
  sessionId: string,
): Promise<void> {
  const maxAge = sessionMaxSeconds();
  const value = await encode({ token: { sub: sessionId, sessionId, email, name }, secret: requireSecret(), maxAge });
  (await cookies()).set({ ...authCookie("session-token"), value, maxAge });
}
