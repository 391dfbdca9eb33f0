import { cookies } from "next/headers";
import { encode } from "next-auth/jwt";
import { readEnv } from "#lib/env.ts";
import type { SignedInUser } from "#lib/services/user/sign-in.ts";
import { authCookie } from "./auth-cookie.ts";

const SECONDS_PER_HOUR = 3_600;

/** After `proveIdentity`: this browser alone gets the session's new id. Works only in an action or a route handler. */
export async function renewSessionCookie({ email, name }: SignedInUser, sessionId: string): Promise<void> {
  const { NEXTAUTH_SECRET: secret = "", SESSION_MAX_HOURS } = readEnv();
  const maxAge = SESSION_MAX_HOURS * SECONDS_PER_HOUR;
  const value = await encode({ token: { sub: sessionId, sessionId, email, name }, secret, maxAge });
  (await cookies()).set({ ...authCookie("session-token"), value, maxAge });
}
