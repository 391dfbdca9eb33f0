import { cookies } from "next/headers";
import { getRuntime } from "#lib/runtime.ts";
import { signOut } from "#lib/services/user/sign-in.ts";
import { authCookie } from "./auth-cookie.ts";
import { readSessionId } from "./session.ts";

/** Ends the session of the visitor's cookie, without any permission check, and deletes the cookie. */
export async function endSession(): Promise<void> {
  const sessionId = await readSessionId();
  if (sessionId !== null) await signOut(getRuntime().db, sessionId);
  (await cookies()).delete(authCookie("session-token"));
}
