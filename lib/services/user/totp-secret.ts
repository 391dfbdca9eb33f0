import { findTotpRow } from "#lib/db/user/second-factor.ts";
import type { UserId } from "#lib/domain/ids.ts";
import { openSecret, sealSecret } from "#lib/domain/sealed-secret.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { requireSealingKey } from "#lib/services/provider/credentials.ts";

export interface OpenTotp {
  readonly secret: string;
  /** As stored. */
  readonly sealed: Buffer;
  readonly isConfirmed: boolean;
}

/** @throws DomainError `unavailable`, without `ENCRYPTION_KEY` */
export function sealTotp(
  { settings, randomBytes }: Pick<ServiceContext, "settings" | "randomBytes">,
  userId: UserId,
  secret: string,
): Uint8Array {
  return sealSecret(secret, ownerOf(userId), requireSealingKey(settings.sealingKey), randomBytes);
}

/** Null: the user has none. @throws UnsealingError, DomainError `unavailable` */
export async function openTotp(
  { db, settings }: Pick<ServiceContext, "db" | "settings">,
  userId: UserId,
): Promise<OpenTotp | null> {
  const stored = await findTotpRow(db, userId);
  if (stored === null) return null;
  const secret = openSecret(stored.secret, ownerOf(userId), requireSealingKey(settings.sealingKey));
  return { secret, sealed: stored.secret, isConfirmed: stored.confirmedAt !== null };
}

function ownerOf(userId: UserId): string {
  return `totp:${userId}`;
}
