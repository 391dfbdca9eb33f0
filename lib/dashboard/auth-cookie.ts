import { readEnv } from "#lib/env.ts";
import { publicOrigin } from "./public-url.ts";

const SECONDS_PER_HOUR = 3_600;

/** The longest life of a session's cookie; its row may end sooner. */
export function sessionMaxSeconds(): number {
  return readEnv().SESSION_MAX_HOURS * SECONDS_PER_HOUR;
}

/** Encrypts the cookies of sessions and of requests to the issuer. */
export function requireSecret(): string {
  const secret = readEnv().NEXTAUTH_SECRET;
  if (secret === undefined) throw new Error("NEXTAUTH_SECRET is not set: start with `npm start`, or set it.");
  return secret;
}

/**
 * A cookie of the sign-in. Over https browsers accept it from this host alone, never over http or from a subdomain
 * (`__Host-`).
 */
export function authCookie(
  name: "known-device" | "pending-sign-in" | "session-token" | "callback-url" | "issuer-request",
) {
  const secure = publicOrigin().startsWith("https:");
  return {
    name: `${secure ? "__Host-" : ""}license-desk.${name}`,
    httpOnly: true,
    sameSite: "lax",
    secure,
    path: "/",
  } as const;
}
