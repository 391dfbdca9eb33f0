import type { SelectedLicense } from "#lib/db/bulk/selection.ts";
import type { ProductOffer } from "#lib/db/catalog/offer.ts";
import type { CycleId } from "#lib/domain/ids.ts";
import { renewalPrice } from "#lib/domain/pricing.ts";

/** What a license would renew by. */
export interface CycleChoice {
  /** Absent: the current cycle. */
  readonly cycleId?: CycleId | undefined;
  /** Minor units; null: not for sale. */
  readonly price: bigint | null;
}

/** A length that some of the selected licenses could renew by. */
export interface CycleLength {
  readonly months: number;
  /** How many of them. */
  readonly count: number;
}

type Priced = Pick<SelectedLicense, "productId" | "months" | "cores" | "price">;

/** The cycle of this length: the license's own, else the cheapest that its product sells. @param months absent: its own */
export function chooseCycle(license: Priced, months: number | undefined, offers: readonly ProductOffer[]): CycleChoice {
  if (months === undefined || months === license.months) return { price: license.price };
  const { cores } = license;
  const prices = cyclesOf(license, offers)
    .filter((cycle) => cycle.months === months)
    .map(({ cycleId, price, pricePerCore }) => ({ cycleId, price: renewalPrice({ price, pricePerCore, cores }) }));
  const [first, ...others] = prices;
  if (first === undefined) return { price: null };
  return others.reduce((least, other) => (other.price < least.price ? other : least), first);
}

/** Lengths that would change the cycle of at least one of these licenses, shortest first. */
export function listCycleLengths(licenses: readonly Priced[], offers: readonly ProductOffer[]): readonly CycleLength[] {
  const counts = new Map<number, number>();
  const changing = new Set<number>();
  for (const license of licenses) {
    const lengths = new Set(cyclesOf(license, offers).map(({ months }) => months));
    for (const months of lengths) if (months !== license.months) changing.add(months);
    if (license.months !== null && license.price !== null) lengths.add(license.months);
    for (const months of lengths) counts.set(months, (counts.get(months) ?? 0) + 1);
  }
  return [...changing].sort((a, b) => a - b).map((months) => ({ months, count: counts.get(months) ?? 0 }));
}

function cyclesOf({ productId }: Pick<Priced, "productId">, offers: readonly ProductOffer[]) {
  return offers.find((offer) => offer.productId === productId)?.cycles ?? [];
}
