import { listOptOuts, replaceOptOuts } from "#lib/db/mail/preference.ts";
import { type MailKind, optionalMailKinds } from "#lib/domain/mail/kinds.ts";
import { type ServiceContext, writesOf } from "#lib/services/context.ts";
import { requireOwnUser } from "#lib/services/user/manager.ts";

export interface MailPreference {
  readonly kind: MailKind;
  readonly on: boolean;
}

/** The kinds of messages that the actor can switch off. */
export async function listMailPreferences(ctx: ServiceContext): Promise<readonly MailPreference[]> {
  const userId = requireOwnUser(ctx);
  const off = new Set(await listOptOuts(ctx.db, userId));
  return ownKinds(ctx).map((kind) => ({ kind, on: !off.has(kind) }));
}

/** Switches the given kinds on, and all others off. */
export async function setMailPreferences(
  ctx: ServiceContext,
  input: { readonly on: readonly string[] },
): Promise<void> {
  const userId = requireOwnUser(ctx);
  const off = ownKinds(ctx).filter((kind) => !input.on.includes(kind));
  await replaceOptOuts(writesOf(ctx), userId, off);
}

function ownKinds({ actor }: ServiceContext): MailKind[] {
  switch (actor.kind) {
    case "admin":
      return optionalMailKinds({ kind: "admin", role: actor.role });
    case "reseller_user":
      return optionalMailKinds({ kind: "reseller", role: actor.role });
    default:
      return [];
  }
}
