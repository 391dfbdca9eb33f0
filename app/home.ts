import { may } from "#lib/dashboard/session.ts";
import type { SignedInUser } from "#lib/services/user/sign-in.ts";

/** The page that a signed-in user begins at. */
export function homeOf(user: SignedInUser): "/overview" | "/licenses" {
  return may(user, "wallet:read") ? "/overview" : "/licenses";
}
