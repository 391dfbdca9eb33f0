/** Cores included in the cycle's price (contract 3.3). */
const INCLUDED_CORES = 1;
/** Per license (contract 3.2). */
export const MAX_CORES = 32;

/** Both null unless the product is metered by cores; `pricePerCore` in minor units for one cycle. */
export interface CoreMetering {
  readonly pricePerCore: bigint | null;
  readonly cores: number | null;
}

/** Price of the cycle plus its setup fee, in minor units (contract 3.3). */
export function registrationPrice({ price, setupFee }: { readonly price: bigint; readonly setupFee: bigint }): bigint {
  return price + setupFee;
}

/** Current price plus `pricePerCore` for each core beyond the first, in minor units (contract 3.4). */
export function renewalPrice({ price, ...metering }: { readonly price: bigint } & CoreMetering): bigint {
  return price + extraCoresPrice(metering);
}

/**
 * Price of the bundle plus each metered member's extra cores, in minor units (contract 3.10). A member's `pricePerCore`
 * is that of its product's cycle with as many months as the bundle's.
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

/** `pricePerCore` for each core beyond the first, per cycle in minor units. */
export function extraCoresPrice({ pricePerCore, cores }: CoreMetering): bigint {
  if (pricePerCore === null || cores === null) return 0n;
  return pricePerCore * BigInt(extraCores(cores));
}

/** Cores that the cycle's price does not include. */
export function extraCores(cores: number): number {
  return Math.max(0, cores - INCLUDED_CORES);
}
