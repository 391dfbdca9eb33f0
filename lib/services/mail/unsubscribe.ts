import { addOptOut } from "#lib/db/mail/preference.ts";
import type { UserId } from "#lib/domain/ids.ts";
import { isOptionalKind, type MailKind, mailKinds } from "#lib/domain/mail/kinds.ts";
import { openSecret, sealSecret, UnsealingError } from "#lib/domain/sealed-secret.ts";
import type { ServiceContext, VisitorContext } from "#lib/services/context.ts";
import { mailSettingsOf } from "./settings.ts";

const SEAL_OWNER = "unsubscribe";
const subject = /^(\d{1,10}):(\w+)$/;

/** Where one POST switches a kind off for a user, without a session; null without ENCRYPTION_KEY. */
export function unsubscribeUrl(
  { settings, randomBytes }: Pick<ServiceContext, "settings" | "randomBytes">,
  userId: UserId,
  kind: MailKind,
): string | null {
  if (!settings.sealingKey) return null;
  const sealed = sealSecret(`${userId}:${kind}`, SEAL_OWNER, settings.sealingKey, randomBytes);
  return `${mailSettingsOf({ settings }).publicUrl}/unsubscribe?token=${Buffer.from(sealed).toString("base64url")}`;
}

/** The title of the kind that a token switches off; null if it is not one of ours. */
export function findUnsubscription(ctx: Pick<VisitorContext, "settings">, token: string): string | null {
  const found = readToken(ctx, token);
  return found && mailKinds[found.kind].title;
}

/** Switches a kind off. The token is the permission. False: it is not one of ours. */
export async function unsubscribe(ctx: VisitorContext, input: { readonly token: string }): Promise<boolean> {
  const found = readToken(ctx, input.token);
  if (!found) return false;
  await addOptOut(ctx.db, found.userId, found.kind);
  return true;
}

function readToken({ settings }: Pick<VisitorContext, "settings">, token: string) {
  if (!settings.sealingKey) return null;
  try {
    const [, userId, kind = ""] =
      subject.exec(openSecret(Buffer.from(token, "base64url"), SEAL_OWNER, settings.sealingKey)) ?? [];
    if (!isOptionalKind(kind)) return null;
    return { userId: Number(userId) as UserId, kind };
  } catch (error) {
    if (error instanceof UnsealingError) return null;
    throw error;
  }
}
