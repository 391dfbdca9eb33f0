import { insertReseller } from "#lib/db/reseller/reseller.ts";
import { invalidParameters, malformedFields } from "#lib/domain/errors.ts";
import type { ResellerId, UserId } from "#lib/domain/ids.ts";
import { type Currency, minorDigits, parseCurrency } from "#lib/domain/money.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";
import { EMAIL_RULE, normalizeEmail } from "#lib/services/user/email.ts";
import { findNameProblem } from "#lib/services/user/fields.ts";
import { newInvitation } from "#lib/services/user/invitation.ts";
import { findPasswordProblem, hashPasswordFor } from "#lib/services/user/password.ts";
import { writeInSession } from "#lib/services/user/write-in-session.ts";
import { findNotesProblem } from "./settings.ts";

export interface CreateResellerInput {
  readonly name: string;
  readonly email: string;
  /** ISO 4217; never changes (contract 3.8). */
  readonly currency: string;
  /** For admins only. */
  readonly notes?: string | undefined;
  /** Creates a user with the email address and this password. */
  readonly password?: string | undefined;
  /** Creates and invites a user with this name. */
  readonly firstUser?: { readonly name: string } | undefined;
}

export interface CreatedReseller {
  readonly resellerId: ResellerId;
  readonly userId: UserId | null;
  readonly currency: Currency;
  /** To hand over, shown once; null without a first user, or if a mail server delivers it. */
  readonly invitationUrl: string | null;
}

/**
 * Creates a reseller with an empty wallet, optionally with its first user.
 * @throws DomainError `parameters_invalid`.
 */
export async function createReseller(ctx: ServiceContext, input: CreateResellerInput): Promise<CreatedReseller> {
  requireAdmin(ctx, "resellers:write");
  const { password, firstUser } = input;
  const [name, notes, person] = [input.name.trim(), (input.notes ?? "").trim(), (firstUser?.name ?? "").trim()];
  const email = normalizeEmail(input.email);
  const currency = parseCurrency(input.currency.toUpperCase());
  const problems = malformedFields({
    name: findNameProblem(name),
    person: person !== "" && findNameProblem(person),
    notes: findNotesProblem(notes),
    email: !email && EMAIL_RULE,
    currency: !currency && "must be a currency code of ISO 4217, such as EUR",
    password: password === undefined || !email ? null : await findPasswordProblem(password, email),
  });
  if (!email || !currency || problems.length > 0) throw invalidParameters(problems);

  const invitation = firstUser ? await newInvitation(ctx, email) : null;
  const passwordHash =
    invitation?.passwordHash ?? (password === undefined ? null : await hashPasswordFor(ctx.db, email, password));
  const user =
    passwordHash === null
      ? null
      : {
          name: person || name,
          email,
          passwordHash,
          oneTimePasswordUntil: invitation?.stored.until ?? null,
          invitation: invitation?.stored ?? null,
        };
  const reseller = { name, email, currency, minorDigits: minorDigits(currency), notes, user };
  const created = await writeInSession(ctx, (db) => insertReseller(db, reseller, changedBy(ctx)));
  return { ...created, currency, invitationUrl: invitation?.url ?? null };
}
