import { getCoreBooks } from "#lib/db/core-lot/books.ts";
import type { LicenseRow } from "#lib/db/license/license.ts";
import {
  type CoreChange,
  type CoreChangePrice,
  findAgreedInstant,
  priceCoreChange,
  quotedInstant,
} from "#lib/domain/core-lots.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import type { ServiceContext } from "#lib/services/context.ts";

/** A change with everything that prices it. */
export interface CoreChangeFacts extends CoreChange {
  readonly currency: Currency;
  /** Of the license. */
  readonly expiresAt: Date;
}

/**
 * Reads what prices a change of a license's cores now.
 * @throws DomainError `not_core_metered`, `cycle_not_found` if cores are added to a term whose cycle has no price.
 */
export async function readCoreChange(
  ctx: ServiceContext,
  resellerId: ResellerId,
  license: LicenseRow,
  newCores: number,
): Promise<CoreChangeFacts> {
  const oldCores = requireCores(license);
  const books = await getCoreBooks(ctx.db, resellerId, license.id, ctx.now());
  if (newCores > oldCores && books.terms.some(({ pricePerCore }) => pricePerCore === null)) {
    throw new DomainError("cycle_not_found", "This product has no price for the license's billing cycle.");
  }
  return { ...books, oldCores, newCores, expiresAt: license.expiresAt };
}

/** The price to show: it can be agreed to for a minute. */
export function quotePrice(change: CoreChangeFacts, now: Date): bigint {
  return priceCoreChange(change, quotedInstant(change, now)).price;
}

/**
 * What the change charges or credits now. An agreed price is charged to the unit where it is still a price of this change;
 * where it is not, this is the price to agree to instead.
 */
export function settlePrice(change: CoreChangeFacts, now: Date, agreedPrice: bigint | undefined): CoreChangePrice {
  if (agreedPrice === undefined) return priceCoreChange(change, now);
  return priceCoreChange(change, findAgreedInstant(change, now, agreedPrice) ?? quotedInstant(change, now));
}

/** By how much the renewals to come cost more, by the cycle of the last term; negative: less. Minor units. */
export function renewalPriceChange({ oldCores, newCores, terms }: CoreChangeFacts): bigint {
  return BigInt(newCores - oldCores) * (terms.at(-1)?.pricePerCore ?? 0n);
}

/** @throws DomainError `not_core_metered` */
export function requireCores(license: LicenseRow): number {
  if (!license.coreMetered || license.cores === null) {
    throw new DomainError("not_core_metered", "The product of this license is not metered by cores.", {
      details: { license_id: "is of a product without cores" },
    });
  }
  return license.cores;
}
