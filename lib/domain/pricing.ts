import { roundHalfUp } from "./money.ts";

/** The cycle's price includes this many cores (decisions 3.3). */
const INCLUDED_CORES = 1;
/** Of one license (dispatch document part 8). */
export const MAX_CORES = 32;

/** Both null unless the product is metered by cores; `pricePerCore` in minor units for one cycle. */
export interface CoreMetering {
  readonly pricePerCore: bigint | null;
  readonly cores: number | null;
}

export interface CoreChange {
  readonly oldCores: number;
  readonly newCores: number;
  /** Minor units for one cycle. */
  readonly pricePerCore: bigint;
  readonly now: Date;
  readonly cycleStartsAt: Date;
  readonly expiresAt: Date;
}

/** Minor units: the cycle's price and its setup fee, once (decisions 3.3). */
export function registrationPrice({ price, setupFee }: { readonly price: bigint; readonly setupFee: bigint }): bigint {
  return price + setupFee;
}

/** Minor units: today's price, and `pricePerCore` for each core beyond the first (decisions 3.4). */
export function renewalPrice({ price, ...metering }: { readonly price: bigint } & CoreMetering): bigint {
  return price + extraCoresPrice(metering);
}

/**
 * Minor units: the bundle's own price, and each metered member's cores beyond the first (decisions 3.10). The members'
 * `pricePerCore` is that of their product for the same number of months as the bundle's cycle.
 */
export function bundleRenewalPrice({
  price,
  members,
}: {
  readonly price: bigint;
  readonly members: readonly CoreMetering[];
}): bigint {
  return members.reduce((total, member) => total + extraCoresPrice(member), price);
}

/**
 * Minor units to charge, negative to credit (decisions 3.6): cores changed × `pricePerCore` × (time left ÷ length of
 * the cycle that ends at `expiresAt`), rounded half up; the way down gives back exactly what the way up took. Zero once
 * expired. Time left may exceed one cycle when renewed ahead. Throws RangeError for a cycle without length.
 */
export function coreChangePrice(change: CoreChange): bigint {
  const msLeft = Math.max(0, change.expiresAt.getTime() - change.now.getTime());
  const cycleMs = change.expiresAt.getTime() - change.cycleStartsAt.getTime();
  const fullPrice = BigInt(change.newCores - change.oldCores) * change.pricePerCore;
  return roundHalfUp(fullPrice * BigInt(msLeft), BigInt(cycleMs));
}

function extraCoresPrice({ pricePerCore, cores }: CoreMetering): bigint {
  if (pricePerCore === null || cores === null) return 0n;
  return pricePerCore * BigInt(Math.max(0, cores - INCLUDED_CORES));
}
