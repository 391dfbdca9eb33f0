import { createHash, randomUUID } from "node:crypto";
import { type MailKind, secretLinkUrl } from "#lib/domain/mail/kinds.ts";
import { sealSecret } from "#lib/domain/sealed-secret.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { sealOwnerOf } from "#lib/services/mail/seal.ts";
import { mailSettingsOf } from "#lib/services/mail/settings.ts";

const TOKEN_BYTES = 32;

/** A link as the database stores it. */
export interface AccessLink {
  readonly messageId: string;
  readonly tokenHash: string;
  /** Sealed for the message; null without ENCRYPTION_KEY: then there is no message. */
  readonly secret: string | null;
  readonly until: Date;
}

export interface NewAccessLink {
  readonly stored: AccessLink;
  /** To hand over; null if a mail server delivers it. */
  readonly url: string | null;
}

/** A new link that is a secret, for the statement that stores it with its message. */
export function newAccessLink(
  { randomBytes, settings, now }: Pick<ServiceContext, "randomBytes" | "settings" | "now">,
  kind: MailKind,
  lifetimeMs: number,
): NewAccessLink {
  const token = Buffer.from(randomBytes(TOKEN_BYTES)).toString("base64url");
  const messageId = randomUUID();
  const { sealingKey } = settings;
  const sealed = sealingKey ? sealSecret(token, sealOwnerOf(messageId), sealingKey, randomBytes) : null;
  const { publicUrl, hasServer } = mailSettingsOf({ settings });
  return {
    stored: {
      messageId,
      tokenHash: hashToken(token).toString("hex"),
      secret: sealed && Buffer.from(sealed).toString("hex"),
      until: new Date(now().getTime() + lifetimeMs),
    },
    url: hasServer && sealed ? null : secretLinkUrl(publicUrl, kind, token),
  };
}

export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
