import { insertUser } from "#lib/db/user/user.ts";
import type { ResellerId, UserId } from "#lib/domain/ids.ts";
import { noSuchReseller } from "#lib/services/api-key/manager.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";
import { emailTaken } from "./email.ts";
import { readPerson } from "./fields.ts";
import { newInvitation } from "./invitation.ts";
import { requireUserManager } from "./manager.ts";
import { readRole } from "./set-role.ts";
import { writeInSession } from "./write-in-session.ts";

export interface CreateUserInput {
  readonly email: string;
  readonly name: string;
  /** Only an admin can choose another than its own; null: an admin. */
  readonly resellerId: ResellerId | null;
  /** The first user of a reseller, and the first admin, is an owner whatever is asked. */
  readonly role: string;
}

/**
 * Adds a user and invites them by a link, whether or not the email address has a user at another reseller
 * (docs/decisions/0030). Without a mail server, the link is returned once, to be handed over.
 * @throws DomainError `parameters_invalid`, `not_found`, `conflict` (the email address has a user here), `rate_limited`.
 */
export async function createUser(
  ctx: ServiceContext,
  input: CreateUserInput,
): Promise<{ readonly userId: UserId; readonly invitationUrl: string | null; readonly until: Date }> {
  const own = requireUserManager(ctx, "write");
  if (own !== null && input.resellerId !== own) throw noSuchReseller();
  if (input.resellerId === null) requireAdmin(ctx, "admins:write");
  const role = readRole(input.role, input.resellerId === null ? "admin" : "reseller");
  const person = readPerson(input);
  const { passwordHash, stored: invitation, url } = await newInvitation(ctx, person.email);
  const access = { oneTimePasswordUntil: invitation.until, resellerId: input.resellerId, role, invitation };
  const user = { ...person, ...access, passwordHash };
  const userId = await writeInSession(ctx, (db) => insertUser(db, user, changedBy(ctx))).catch(emailTaken);
  if (userId === null) throw noSuchReseller();
  return { userId, invitationUrl: url, until: invitation.until };
}
