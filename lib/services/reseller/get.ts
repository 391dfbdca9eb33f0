import { findReseller } from "#lib/db/reseller/reseller.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import type { PriceRules } from "#lib/domain/renewal-price.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";

export interface ResellerDetails {
  readonly resellerId: ResellerId;
  readonly name: string;
  readonly email: string;
  readonly currency: Currency;
  readonly suspendedAt: Date | null;
  readonly createdAt: Date;
  /** Days before its end at which a license with auto-renew is renewed. */
  readonly renewAheadDays: number;
  /** Days before its end at which `license.expiring_soon` is emitted. */
  readonly expiringSoonDays: readonly number[];
  /** What automatic renewals may charge when prices rise. */
  readonly priceRules: PriceRules & { readonly version: string };
}

/** The actor's reseller, or the one that an admin is viewing. @throws DomainError `not_found`. */
export async function getReseller(ctx: ServiceContext): Promise<ResellerDetails> {
  const resellerId = requireReseller(ctx, "licenses:read", "wallet:read");
  const reseller = await findReseller(ctx.db, resellerId);
  if (!reseller) throw new DomainError("not_found", "There is no such reseller.");
  const { name, email, currency, suspendedAt, createdAt, renewAheadDays, expiringSoonDays } = reseller;
  const { priceNoticeDays: noticeDays, maxIncreasePercent, priceRulesVersion: version } = reseller;
  const priceRules = { noticeDays, maxIncreasePercent, version };
  return { resellerId, name, email, currency, suspendedAt, createdAt, renewAheadDays, expiringSoonDays, priceRules };
}
