import { insertUser } from "#lib/db/user/user.ts";
import { requireWellFormed } from "#lib/domain/errors.ts";
import type { UserId } from "#lib/domain/ids.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireAdmin, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { emailTaken } from "./email.ts";
import { readPerson } from "./fields.ts";
import { findPasswordProblem, hashPasswordFor } from "./password.ts";

/**
 * Creates an admin with a password of their own, such as the first one.
 * @throws DomainError `parameters_invalid`, `conflict`.
 */
export async function createAdmin(
  ctx: ServiceContext,
  input: { readonly email: string; readonly name: string; readonly password: string },
): Promise<{ readonly userId: UserId }> {
  requireAdmin(ctx, "admins:write");
  const person = readPerson(input);
  requireWellFormed({ password: await findPasswordProblem(input.password, person.email) });
  const passwordHash = await hashPasswordFor(ctx.db, person.email, input.password);
  const access = { oneTimePasswordUntil: null, resellerId: null, role: "owner", invitation: null } as const;
  const user = { ...person, ...access, passwordHash };
  const userId = await insertUser(writesOf(ctx), user, changedBy(ctx)).catch(emailTaken);
  if (userId === null) throw new Error("an admin was not added");
  return { userId };
}
