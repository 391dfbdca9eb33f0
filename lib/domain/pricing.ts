/** The cycle's price includes this many cores (contract 3.3). */
const INCLUDED_CORES = 1;
/** Of one license (contract 3.2). */
export const MAX_CORES = 32;

/** Both null unless the product is metered by cores; `pricePerCore` in minor units for one cycle. */
export interface CoreMetering {
  readonly pricePerCore: bigint | null;
  readonly cores: number | null;
}

/** Minor units: the cycle's price and its setup fee, once (contract 3.3). */
export function registrationPrice({ price, setupFee }: { readonly price: bigint; readonly setupFee: bigint }): bigint {
  return price + setupFee;
}

/** Minor units: today's price, and `pricePerCore` for each core beyond the first (contract 3.4). */
export function renewalPrice({ price, ...metering }: { readonly price: bigint } & CoreMetering): bigint {
  return price + extraCoresPrice(metering);
}

/**
 * Minor units: the bundle's own price, and each metered member's cores beyond the first (contract 3.10). The members'
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

/** Minor units for one cycle: `pricePerCore` for each core beyond the first. */
export function extraCoresPrice({ pricePerCore, cores }: CoreMetering): bigint {
  if (pricePerCore === null || cores === null) return 0n;
  return pricePerCore * BigInt(extraCores(cores));
}

/** How many of a license's cores the cycle's price does not include. */
export function extraCores(cores: number): number {
  return Math.max(0, cores - INCLUDED_CORES);
}
