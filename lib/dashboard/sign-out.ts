import { cookies } from "next/headers";
import { getRuntime } from "#lib/runtime.ts";
import { signOut } from "#lib/services/user/sign-in.ts";
import { findUser } from "./session.ts";

/** As next-auth names it, over http and over https. */
const SESSION_COOKIES = ["next-auth.session-token", "__Secure-next-auth.session-token"];

/** Ends the visitor's session row, and takes the cookie away. */
export async function endSession(): Promise<void> {
  const user = await findUser();
  if (user) await signOut(getRuntime().db, user.sessionId, new Date());
  const jar = await cookies();
  for (const name of SESSION_COOKIES) if (jar.has(name)) jar.delete({ name, secure: name.startsWith("__Secure-") });
}
