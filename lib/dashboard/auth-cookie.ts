import { publicOrigin } from "./public-url.ts";

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
