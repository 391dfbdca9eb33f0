import { extendTerm, type Term } from "./term.ts";
import { toTimestamp } from "./times.ts";

/** Renews as one: a single license, or a bundle with its members. */
export interface Renewable {
  readonly kind: "license" | "bundle";
  readonly id: number;
}

/** A renewal that is due when the term ends. `price` in minor units at current prices; null if no longer sold. */
export interface Renewal extends Renewable {
  /** End of the preceding term. */
  readonly dueAt: Date;
  readonly price: bigint | null;
}

/**
 * Documented priority (docs/money.md): earliest end first, then the cheapest, without a price last. Kind and id make
 * the order total.
 */
export function compareRenewals(a: Renewal, b: Renewal): number {
  return (
    a.dueAt.getTime() - b.dueAt.getTime() ||
    comparePrices(a.price, b.price) ||
    (a.kind === b.kind ? a.id - b.id : a.kind < b.kind ? -1 : 1)
  );
}

function comparePrices(a: bigint | null, b: bigint | null): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a < b ? -1 : 1;
}

/** Position in the documented priority, from which a run continues. */
export type RenewalCursor = Pick<Renewal, "kind" | "id" | "dueAt" | "price">;

/** A running term; each renewal extends it by `months` (contract 3.4). */
export interface RenewableTerm extends Renewable, Term {
  readonly months: number;
  readonly price: bigint | null;
}

/** All renewals due up to and including `until`, in the documented priority, assuming each succeeds. */
export function renewalCalendar<T extends RenewableTerm>(
  terms: readonly T[],
  now: Date,
  until: Date,
): (Renewal & { readonly of: T })[] {
  const calendar = terms.flatMap((of) => {
    const { kind, id, price } = of;
    const renewals: (Renewal & { readonly of: T })[] = [];
    for (let term: Term = of; term.expiresAt <= until; term = extendTerm(term, of.months, now)) {
      if (term.expiresAt <= now) break;
      renewals.push({ kind, id, dueAt: term.expiresAt, price, of });
    }
    return renewals;
  });
  return calendar.sort(compareRenewals);
}

/**
 * Why an automatic renewal failed. `price_limit`: the price exceeds the reseller's limit, or was not announced in time.
 * `provider_failed`: rejected or unreachable.
 */
export const renewalFailureReasons = ["insufficient_balance", "no_price", "price_limit", "provider_failed"] as const;
export type RenewalFailureReason = (typeof renewalFailureReasons)[number];

/** `license.renewal_failed` is emitted once per license, term and reason. */
export function renewalFailureKey(licenseId: number, termEndsAt: Date, reason: RenewalFailureReason): string {
  return `license.renewal_failed:${licenseId}:${toTimestamp(termEndsAt)}:${reason}`;
}

/** Each term is renewed automatically at most once: two operations that were not rejected never share this key. */
export function termKey({ kind, id }: Renewable, termEndsAt: Date): string {
  return `${kind}:${id}:${toTimestamp(termEndsAt)}`;
}
