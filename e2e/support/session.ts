import type { ResellerId } from "#lib/domain/ids.ts";
import type { Role } from "#lib/domain/roles.ts";
import { getRuntime } from "#lib/runtime.ts";
import { createSessionCookie } from "#tests/support/session-cookie.ts";
import { newUser } from "./dashboard.ts";

/** The `Cookie` header of somebody who is signed in: a reseller's user, or an admin for null. */
export async function newSession(resellerId: ResellerId | null, role: Role = "owner"): Promise<string> {
  const { name, value } = await createSessionCookie(getRuntime().db, await newUser(resellerId, "Robin Example", role));
  return `${name}=${value}`;
}
