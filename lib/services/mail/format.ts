import { mailContent } from "#lib/domain/mail/contents.ts";
import { hasSecretLink, type MailKind } from "#lib/domain/mail/kinds.ts";
import { renderMail } from "#lib/domain/mail/render.ts";
import { openSecret, UnsealingError } from "#lib/domain/sealed-secret.ts";
import type { OutgoingMail } from "#lib/ports/mail-sender.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { sealOwnerOf } from "./seal.ts";
import { mailSettingsOf } from "./settings.ts";

export interface FormattedMail {
  readonly messageId: string;
  readonly kind: MailKind;
  readonly recipient: string;
  readonly data: unknown;
  readonly secret: Uint8Array | null;
}

/** The message as it is sent; null if its link is a secret that cannot be read. */
export function formatMail(ctx: Pick<ServiceContext, "settings">, mail: FormattedMail): OutgoingMail | null {
  const token = openToken(ctx, mail);
  return token === null && hasSecretLink(mail.kind) ? null : formatWithToken(ctx, mail, token);
}

/** `token` null: the message says that its link is not shown. */
export function formatWithToken(
  ctx: Pick<ServiceContext, "settings">,
  { messageId, kind, recipient, data }: FormattedMail,
  token: string | null,
): OutgoingMail {
  const { publicUrl } = mailSettingsOf(ctx);
  const bodies = renderMail(mailContent(kind, data, { publicUrl, token }), { publicUrl, settingsUrl: null });
  return { ...bodies, messageId: `${messageId}@${new URL(publicUrl).hostname}`, to: recipient, unsubscribeUrl: null };
}

/** Null: it has none, it is forgotten, or it cannot be read with this key. */
export function openToken({ settings }: Pick<ServiceContext, "settings">, mail: FormattedMail): string | null {
  if (mail.secret === null || !settings.sealingKey) return null;
  try {
    return openSecret(mail.secret, sealOwnerOf(mail.messageId), settings.sealingKey);
  } catch (error) {
    if (error instanceof UnsealingError) return null;
    throw error;
  }
}
