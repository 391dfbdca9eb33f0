import { cookies } from "next/headers";
import { getRuntime } from "#lib/runtime.ts";
import { signOut } from "#lib/services/user/sign-in.ts";
import { readSessionId } from "./session.ts";

/** next-auth's names, over http and https. */
const SESSION_COOKIES = ["next-auth.session-token", "__Secure-next-auth.session-token"];

/** Ends the session of the visitor's cookie, without any permission check, and deletes the cookie. */
export async function endSession(): Promise<void> {
  const sessionId = await readSessionId();
  if (sessionId !== null) await signOut(getRuntime().db, sessionId);
  const jar = await cookies();
  for (const name of SESSION_COOKIES) if (jar.has(name)) jar.delete({ name, secure: name.startsWith("__Secure-") });
}
