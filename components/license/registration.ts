import type { register } from "#app/(dashboard)/licenses/new/actions.ts";
import type { WalletBalance } from "#components/wallet/use-balance.ts";
import type { ValueOf } from "#lib/domain/action-result.ts";
import { type Affordable, computeAffordable } from "#lib/domain/affordable.ts";
import { extraCoresPrice, registrationPrice } from "#lib/domain/pricing.ts";
import type { CycleOffer } from "#lib/services/catalog/list-products.ts";

/** The cycle that is bought. */
export interface CycleInput {
  readonly cycle_id: string | number;
  /** Minor units, as decimal text. */
  readonly agreed_price: string;
}

export type RegisteredOne = Exclude<ValueOf<typeof register>, { readonly jobId: number }>;

/** What a registered license still lacks, and why; null: nothing. */
export function shortfallOf({ missingCores, missingLabels }: RegisteredOne) {
  const parts = [
    ...(missingCores === null ? [] : [{ lacks: "with one core", reason: missingCores }]),
    ...(missingLabels === null ? [] : [{ lacks: "without customer and tags", reason: missingLabels }]),
  ];
  if (parts.length === 0) return null;
  return {
    title: `Registered ${parts.map(({ lacks }) => lacks).join(", ")}`,
    reason: parts.map(({ reason }) => reason).join(" "),
  };
}

/** What an offer begins with; empty without an offer. */
export function firstCycleId(offer: { readonly cycles: readonly CycleOffer[] } | null): string {
  return String(offer?.cycles[0]?.cycleId ?? "");
}

/** What is bought of a cycle. */
export interface Amount {
  /** One for each address. */
  readonly licenses: number;
  /** Of each. */
  readonly cores: number;
}

export const ONE: Amount = { licenses: 1, cores: 1 };

/** What is charged at once. */
export function totalOf(cycle: CycleOffer, { licenses, cores }: Amount = ONE): bigint {
  return BigInt(licenses) * (registrationPrice(cycle) + coresPriceOf(cycle, cores));
}

/** What the balance pays for. */
export function affordableLicenses(
  cycle: CycleOffer,
  { licenses, cores }: Amount,
  { spendable }: Pick<WalletBalance, "spendable">,
): Affordable {
  const price = totalOf(cycle, { licenses: 1, cores });
  return computeAffordable(Array(licenses).fill(price), (each: bigint) => each, spendable);
}

export function coresPriceOf({ pricePerCore }: CycleOffer, cores: number): bigint {
  return extraCoresPrice({ pricePerCore, cores });
}

export function addressesIn(text: string): readonly string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((part) => part !== ""))];
}

export function termText(months: number): string {
  if (months === 1) return "month";
  if (months === 12) return "year";
  return months % 12 === 0 ? `${months / 12} years` : `${months} months`;
}
