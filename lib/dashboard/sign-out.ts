import { cookies } from "next/headers";
import { getRuntime } from "#lib/runtime.ts";
import { signOut } from "#lib/services/user/sign-in.ts";
import { readSessionId } from "./session.ts";

/** As next-auth names it, over http and over https. */
const SESSION_COOKIES = ["next-auth.session-token", "__Secure-next-auth.session-token"];

/** Ends the session that the visitor's cookie names, whoever's it is and whatever they may do, and deletes the cookie. */
export async function endSession(): Promise<void> {
  const sessionId = await readSessionId();
  if (sessionId !== null) await signOut(getRuntime().db, sessionId);
  const jar = await cookies();
  for (const name of SESSION_COOKIES) if (jar.has(name)) jar.delete({ name, secure: name.startsWith("__Secure-") });
}
