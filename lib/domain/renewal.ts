import { extendTerm, type Term } from "./term.ts";
import { toTimestamp } from "./times.ts";

/** What renews as one: a license by itself, or a bundle instance with its members. */
export interface Renewable {
  readonly kind: "license" | "bundle";
  readonly id: number;
}

/** A renewal that is due when the term ends. `price` in minor units at today's prices; null: no longer sold. */
export interface Renewal extends Renewable {
  /** The end of the term that it follows. */
  readonly dueAt: Date;
  readonly price: bigint | null;
}

/**
 * The stated priority (docs/money.md): the earliest end first, then the cheaper; what has no price comes last, and the
 * rest is decided by kind and id, so that the order is the same wherever it is computed.
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

/** Where a renewal stands in the stated priority, so that a run can go on behind it. */
export type RenewalPlace = Pick<Renewal, "kind" | "id" | "dueAt" | "price">;

/** A running term, and what comes after it: each renewal extends it by `months` (contract 3.4). */
export interface RenewableTerm extends Renewable, Term {
  readonly months: number;
  readonly price: bigint | null;
}

/** Every renewal that falls due until and including `until`, if each of them happens; in the stated priority. */
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
 * Why a term could not be renewed by itself. `price_limit`: it costs more than the reseller lets be charged, or was told of
 * in time. `provider_failed`: refused, or not reached.
 */
export type RenewalFailureReason = "insufficient_balance" | "no_price" | "price_limit" | "provider_failed";

/** `license.renewal_failed` is told once for each license, term and reason. */
export function renewalFailureKey(licenseId: number, termEndsAt: Date, reason: RenewalFailureReason): string {
  return `license.renewal_failed:${licenseId}:${toTimestamp(termEndsAt)}:${reason}`;
}

/** A term is renewed by itself once: no two operations that have not been refused share this name. */
export function termName({ kind, id }: Renewable, termEndsAt: Date): string {
  return `${kind}:${id}:${toTimestamp(termEndsAt)}`;
}
