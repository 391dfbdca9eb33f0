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
  /** How many days before its end something renews by itself. */
  readonly renewAheadDays: number;
  /** What its automatic renewals may charge when prices rise. */
  readonly priceRules: PriceRules;
}

/**
 * The reseller that the actor works for: its own, or the one that an admin looks at.
 * @throws DomainError `permission_denied`, `not_found`.
 */
export async function getReseller(ctx: ServiceContext): Promise<ResellerDetails> {
  const resellerId = requireReseller(ctx, "wallet:read");
  const reseller = await findReseller(ctx.db, resellerId);
  if (!reseller) throw new DomainError("not_found", "There is no such reseller.");
  const { name, email, currency, suspendedAt, createdAt, renewAheadDays, priceNoticeDays, maxIncreasePercent } =
    reseller;
  const priceRules = { noticeDays: priceNoticeDays, maxIncreasePercent };
  return {
    resellerId,
    name,
    email,
    currency,
    suspendedAt,
    createdAt,
    renewAheadDays,
    priceRules,
  };
}
