import { cookies } from "next/headers";
import { getRuntime } from "#lib/runtime.ts";
import { signOut } from "#lib/services/user/sign-in.ts";
import { authCookie } from "./auth-cookie.ts";
import { readSessionId } from "./session.ts";

/**
 * Ends the session of the visitor's cookie, without any permission check, and deletes the cookie: also when the database
 * does not answer, so that the next one at this computer is not signed in.
 */
export async function endSession(): Promise<void> {
  try {
    const sessionId = await readSessionId();
    if (sessionId !== null) await signOut(getRuntime().db, sessionId);
  } finally {
    (await cookies()).delete(authCookie("session-token"));
  }
}
