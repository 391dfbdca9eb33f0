import { type CyclePrice, findCyclePrice } from "#lib/db/catalog.ts";
import type { LicenseRow } from "#lib/db/license.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import { coreChangePrice, renewalPrice } from "#lib/domain/pricing.ts";
import { cycleStart } from "#lib/domain/term.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";
import { getOwnLicense } from "./get.ts";
import { requireRunning } from "./moves.ts";

/** Minor units of `currency`. */
export interface CoreChangeQuote {
  readonly oldCores: number;
  readonly newCores: number;
  /** Charged now; negative for a credit. */
  readonly price: bigint;
  readonly currency: Currency;
  /** By how much each renewal then costs more; negative: less. */
  readonly renewalChange: bigint;
  /** What the license then renews for; null for a member of a bundle, which renews with it. */
  readonly renewalPrice: bigint | null;
}

/**
 * What a change of cores would cost now (decisions 3.6), and what the license would then renew for.
 * @throws DomainError `license_not_found`, `not_core_metered`, `state_invalid`, `cycle_not_found`.
 */
export async function quoteCoreChange(
  ctx: ServiceContext,
  input: { readonly licenseId: number; readonly cores: number },
): Promise<CoreChangeQuote> {
  const resellerId = requireReseller(ctx, "licenses:read");
  const license = await getOwnLicense(ctx, resellerId, input.licenseId);
  requireCores(license);
  requireRunning(license, ctx.now());
  return quoteOwnCoreChange(ctx, resellerId, license, input.cores);
}

/** For services that have checked their own permission, and the license's state. */
export async function quoteOwnCoreChange(
  ctx: ServiceContext,
  resellerId: ResellerId,
  license: LicenseRow,
  newCores: number,
): Promise<CoreChangeQuote> {
  const cycle = license.cycleId === null ? { months: license.cycleMonths } : { cycleId: license.cycleId };
  const today = await findCyclePrice(ctx.db, resellerId, { productId: license.productId }, cycle);
  if (!today) throw new DomainError("cycle_not_found", "This product has no price for the license's billing cycle.");
  const oldCores = requireCores(license);
  const pricePerCore = today.pricePerCore ?? 0n;
  const renewal = (cores: number) => renewalPriceFor(today, cores);
  return {
    oldCores,
    newCores,
    price: coreChangePrice({
      oldCores,
      newCores,
      pricePerCore,
      now: ctx.now(),
      cycleStartsAt: cycleStart(license, license.cycleMonths),
      expiresAt: license.expiresAt,
    }),
    currency: today.currency,
    renewalChange: renewal(newCores) - renewal(oldCores),
    renewalPrice: license.bundleInstanceId === null ? renewal(newCores) : null,
  };
}

/** @throws DomainError `not_core_metered` */
export function requireCores(license: LicenseRow): number {
  if (!license.coreMetered || license.cores === null) {
    throw new DomainError("not_core_metered", "This license is not metered by cores.");
  }
  return license.cores;
}

function renewalPriceFor({ price, pricePerCore }: CyclePrice, cores: number): bigint {
  return renewalPrice({ price, pricePerCore, cores });
}
