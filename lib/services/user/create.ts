import { insertUser } from "#lib/db/user/user.ts";
import type { ResellerId, UserId } from "#lib/domain/ids.ts";
import { noSuchReseller } from "#lib/services/api-key/manager.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { type ServiceContext, writesOf } from "#lib/services/context.ts";
import { emailTaken } from "./email.ts";
import { readPerson } from "./fields.ts";
import { newInvitation } from "./invitation.ts";
import { requireUserManager } from "./manager.ts";

export interface CreateUserInput {
  readonly email: string;
  readonly name: string;
  /** Only an admin can choose another than its own; null: an admin. */
  readonly resellerId: ResellerId | null;
}

/**
 * Adds a user and invites them by a link, whether or not the email address has a user at another reseller
 * (docs/decisions/0030). Without a mail server, the link is returned once, to be handed over.
 * @throws DomainError `parameters_invalid`, `not_found`, `conflict` (the email address has a user here).
 */
export async function createUser(
  ctx: ServiceContext,
  input: CreateUserInput,
): Promise<{ readonly userId: UserId; readonly invitationUrl: string | null; readonly until: Date }> {
  const own = requireUserManager(ctx);
  if (own !== null && input.resellerId !== own) throw noSuchReseller();
  const person = readPerson(input);
  const { passwordHash, stored: invitation, url } = await newInvitation(ctx, person.email);
  const { until } = invitation;
  const user = { ...person, passwordHash, oneTimePasswordUntil: until, resellerId: input.resellerId, invitation };
  const userId = await insertUser(writesOf(ctx), user, changedBy(ctx)).catch(emailTaken);
  if (userId === null) throw noSuchReseller();
  return { userId, invitationUrl: url, until };
}
