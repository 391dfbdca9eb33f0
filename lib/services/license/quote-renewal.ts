import { type CyclePrice, listCyclePrices } from "#lib/db/catalog/cycle-price.ts";
import type { LicenseRow } from "#lib/db/license/license.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { CycleId, ResellerId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import { renewalPrice } from "#lib/domain/pricing.ts";
import { extendTerm, isExtendable, type Term } from "#lib/domain/term.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";
import { getOwnLicense } from "./get.ts";
import { requireProvisioned } from "./state-rules.ts";

/** Minor units of `currency`. */
export interface RenewalQuote {
  readonly cycleId: CycleId;
  readonly name: string;
  readonly months: number;
  readonly price: bigint;
  readonly currency: Currency;
  readonly term: Term;
  /** The license's current cycle, which renews unless another is chosen. */
  readonly current: boolean;
}

/** Price and term of a renewal (contract 3.4); quotes and renewals both use it. */
export function quoteCycle(license: LicenseRow, cycle: CyclePrice, now: Date): RenewalQuote {
  return {
    cycleId: cycle.cycleId,
    name: cycle.name,
    months: cycle.months,
    price: renewalPrice({ price: cycle.price, pricePerCore: cycle.pricePerCore, cores: license.cores }),
    currency: cycle.currency,
    term: extendTerm(license, cycle.months, now),
    current: cycle.cycleId === license.cycleId,
  };
}

/** @throws DomainError `state_invalid` if terminated, pending or in a bundle */
export function requireRenewable(license: LicenseRow): void {
  requireProvisioned(license);
  if (license.bundleInstanceId !== null) {
    const { bundleInstanceId } = license;
    throw new DomainError("state_invalid", `This license belongs to bundle ${bundleInstanceId} and renews with it.`, {
      details: { license_id: `renews with bundle ${bundleInstanceId}` },
    });
  }
}

/**
 * Price and term of a renewal by each cycle, shortest first; none if the license ends more than 25 years ahead.
 * @throws DomainError `license_not_found`, `state_invalid`.
 */
export async function quoteRenewals(
  ctx: ServiceContext,
  input: { readonly licenseId: number },
): Promise<readonly RenewalQuote[]> {
  const resellerId = requireReseller(ctx, "licenses:read");
  const license = await getOwnLicense(ctx, resellerId, input.licenseId);
  const now = ctx.now();
  const quotes = await quoteOwnRenewals(ctx, resellerId, license, now);
  return isExtendable(license, now) ? quotes : [];
}

/** However far ahead the license ends. The caller checks permissions. */
export async function quoteOwnRenewals(
  ctx: ServiceContext,
  resellerId: ResellerId,
  license: LicenseRow,
  now: Date,
): Promise<readonly RenewalQuote[]> {
  requireRenewable(license);
  const cycles = await listCyclePrices(ctx.db, resellerId, { productId: license.productId }, license.cycleId);
  return cycles.map((cycle) => quoteCycle(license, cycle, now));
}
