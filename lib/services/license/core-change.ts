import { getCoreBooks } from "#lib/db/core-lot/books.ts";
import type { LicenseRow } from "#lib/db/license/license.ts";
import {
  CORE_QUOTE_LIFETIME_MS,
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
import { invalidState } from "./state-rules.ts";

/** A change of cores with all that determines its price. */
export interface CoreChangeFacts extends CoreChange {
  readonly currency: Currency;
  /** Of the license. */
  readonly expiresAt: Date;
}

/**
 * Reads what determines the price of a change of cores.
 * @throws DomainError `not_core_metered`, `state_invalid` (expired), `cycle_not_found` if cores are added to a term whose cycle has no price
 */
export async function readCoreChange(
  ctx: ServiceContext,
  resellerId: ResellerId,
  license: LicenseRow,
  { newCores, now }: { readonly newCores: number; readonly now: Date },
): Promise<CoreChangeFacts> {
  const oldCores = requireCores(license);
  // The price of an addition can have been quoted while a term that is over by now still ran.
  const since = new Date(now.getTime() - (newCores > oldCores ? CORE_QUOTE_LIFETIME_MS : 0));
  const books = await getCoreBooks(ctx.db, resellerId, license.id, since);
  if (!books?.terms.some(({ endsAt }) => endsAt > now)) throw invalidState("expired");
  const terms = books.terms.filter(({ endsAt, pricePerCore }) => endsAt > now || pricePerCore !== null);
  if (newCores > oldCores && terms.some(({ pricePerCore }) => pricePerCore === null)) {
    throw new DomainError("cycle_not_found", "This product has no price for the license's billing cycle.");
  }
  return { ...books, terms, oldCores, newCores, expiresAt: license.expiresAt };
}

/** Price to show; valid for a minute. */
export function quoteCoreChangePrice(change: CoreChangeFacts, now: Date): bigint {
  return priceCoreChange(change, quotedInstant(change, now)).price;
}

/**
 * Price to charge now: exactly the agreed price while it is valid, otherwise the new price to agree to. A preview returns
 * a price to agree to.
 */
export function computeCoreChangePrice(
  { isPreview }: Pick<ServiceContext, "isPreview">,
  change: CoreChangeFacts,
  { now, agreedPrice }: { readonly now: Date; readonly agreedPrice: bigint | undefined },
): CoreChangePrice {
  if (agreedPrice === undefined && !isPreview) return priceCoreChange(change, now);
  const agreedAt = agreedPrice === undefined ? null : findAgreedInstant(change, now, agreedPrice);
  return priceCoreChange(change, agreedAt ?? quotedInstant(change, now));
}

/** Increase of future renewal prices by the last term's cycle, in minor units; negative for a decrease. */
export function renewalPriceChange({ oldCores, newCores, terms }: CoreChangeFacts): bigint {
  return BigInt(newCores - oldCores) * (terms.at(-1)?.pricePerCore ?? 0n);
}

/** @throws DomainError `not_core_metered` */
export function requireCores(license: LicenseRow): number {
  if (!license.coreMetered || license.cores === null) {
    throw new DomainError("not_core_metered", "This license's product is not metered by cores.", {
      details: { license_id: "belongs to a product without cores" },
    });
  }
  return license.cores;
}
