import type { UserId } from "#lib/domain/ids.ts";
import { mailContent } from "#lib/domain/mail/contents.ts";
import { hasSecretLink, isOptionalKind, type MailKind } from "#lib/domain/mail/kinds.ts";
import { renderMail } from "#lib/domain/mail/render.ts";
import { openSecret, UnsealingError } from "#lib/domain/sealed-secret.ts";
import type { OutgoingMail } from "#lib/ports/mail-sender.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { sealOwnerOf } from "./seal.ts";
import { mailSettingsOf } from "./settings.ts";
import { unsubscribeUrl } from "./unsubscribe.ts";

type FormatContext = Pick<ServiceContext, "randomBytes" | "settings">;

export interface FormattedMail {
  readonly messageId: string;
  readonly kind: MailKind;
  readonly userId: UserId;
  readonly recipient: string;
  readonly data: unknown;
  readonly secret: Uint8Array | null;
}

/** The message as it is sent; null if its link is a secret that cannot be read. */
export function formatMail(ctx: FormatContext, mail: FormattedMail): OutgoingMail | null {
  const token = openToken(ctx, mail);
  return token === null && hasSecretLink(mail.kind) ? null : formatWithToken(ctx, mail, token);
}

/** `token` null: the message says that its link is not shown. */
export function formatWithToken(
  ctx: FormatContext,
  { messageId, kind, userId, recipient, data }: FormattedMail,
  token: string | null,
): OutgoingMail {
  const { publicUrl } = mailSettingsOf(ctx);
  const isOptional = isOptionalKind(kind);
  const frame = { publicUrl, settingsUrl: isOptional ? `${publicUrl}/settings` : null };
  return {
    ...renderMail(mailContent(kind, data, { publicUrl, token }), frame),
    messageId: `${messageId}@${new URL(publicUrl).hostname}`,
    to: recipient,
    unsubscribeUrl: isOptional ? unsubscribeUrl(ctx, userId, kind) : null,
  };
}

/** Null: it has none, it is forgotten, or it cannot be read with this key. */
export function openToken({ settings }: Pick<ServiceContext, "settings">, mail: FormattedMail): string | null {
  if (mail.secret === null || !hasSecretLink(mail.kind) || !settings.sealingKey) return null;
  try {
    return openSecret(mail.secret, sealOwnerOf(mail.messageId), settings.sealingKey);
  } catch (error) {
    if (error instanceof UnsealingError) return null;
    throw error;
  }
}
