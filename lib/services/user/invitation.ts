import type { ServiceContext } from "#lib/services/context.ts";
import { requireMailQuota } from "#lib/services/mail/quota.ts";
import { type NewAccessLink, newAccessLink } from "./access-link.ts";
import { hashPasswordFor } from "./password.ts";

const INVITATION_MS = 7 * 86_400_000;
const PASSWORD_BYTES = 32;

export interface Invitation extends NewAccessLink {
  /** Of a password that nobody knows. */
  readonly passwordHash: string;
}

/** For a new user, who sets a password by a link. @throws DomainError `rate_limited` (`requireMailQuota`) */
export async function newInvitation(ctx: ServiceContext, email: string): Promise<Invitation> {
  await requireMailQuota(ctx, email);
  const password = Buffer.from(ctx.randomBytes(PASSWORD_BYTES)).toString("base64url");
  return {
    ...newAccessLink(ctx, "invitation", INVITATION_MS),
    passwordHash: await hashPasswordFor(ctx.db, email, password),
  };
}
