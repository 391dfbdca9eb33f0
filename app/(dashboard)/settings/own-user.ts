import { forbidOther, requireUser } from "#lib/dashboard/session.ts";
import type { SignedInUser } from "#lib/services/user/sign-in.ts";

/** For pages about oneself: an admin who acts as a reseller has to stop first. */
export async function requireSelf(): Promise<SignedInUser> {
  const user = await requireUser();
  if (user.actingAs !== null) forbidOther("person");
  return user;
}
