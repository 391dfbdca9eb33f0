import { publicOrigin } from "./public-url.ts";

/** A cookie that only sign-in requests need. */
export function authCookie(name: "known-device" | "pending-sign-in") {
  const secure = publicOrigin().startsWith("https:");
  return {
    name: `${secure ? "__Secure-" : ""}license-desk.${name}`,
    httpOnly: true,
    sameSite: "lax",
    secure,
    path: "/api/auth",
  } as const;
}
