import { addFractions, type Fraction, floorFraction, integer, minFraction, zero } from "./fraction.ts";
import { roundHalfUp } from "./money.ts";
import { addMonths } from "./term.ts";

/** How long a quoted price stays valid. */
export const CORE_QUOTE_LIFETIME_MS = 60_000;

/** A charge for cores of one paid term. Credits are shares of lots. */
export interface CoreLot {
  readonly id: number;
  /** Null if there was no charge. */
  readonly operationId: string | null;
  readonly startsAt: Date;
  readonly endsAt: Date;
  /** As charged; the amount in minor units. */
  readonly cores: number;
  readonly amount: bigint;
  /** Of `cores`, those still in use. */
  readonly liveCores: number;
  /** Of `amount`, in minor units. */
  readonly creditedAmount: bigint;
}

/** A stretch of time, not yet over, that a registration or renewal paid for. */
export interface PaidTerm {
  readonly id: number;
  readonly months: number;
  readonly startsAt: Date;
  /** The paid end; `endsAt` is earlier if the term was cut. */
  readonly paidUntil: Date;
  readonly endsAt: Date;
  /** Current price of a core for a cycle of as many months, in minor units; null if the cycle has no price. */
  readonly pricePerCore: bigint | null;
  readonly lots: readonly CoreLot[];
}

export interface CoreLotDraft {
  readonly paidTermId: number;
  readonly cores: number;
  readonly startsAt: Date;
  readonly endsAt: Date;
  /** Minor units. */
  readonly amount: bigint;
}

export interface CoreCreditDraft {
  readonly lotId: number;
  readonly cores: number;
  /** Start of the credited time, which runs to the end of the lot. */
  readonly creditedFrom: Date;
  /** Minor units. */
  readonly amount: bigint;
}

export interface CoreChange {
  readonly oldCores: number;
  readonly newCores: number;
  /** All paid terms that are not over, or were not at the start of a valid quote, earliest first. */
  readonly terms: readonly PaidTerm[];
  /** By operation, what is left of its charge after refunds and credits, in minor units. */
  readonly chargesLeft: ReadonlyMap<string, bigint>;
}

export interface CoreChangePrice {
  /** Minor units; negative for a credit. */
  readonly price: bigint;
  /** What an addition charges; the amounts add up to `price`. */
  readonly lots: readonly CoreLotDraft[];
  /** What a removal credits; the amounts add up to `-price`. */
  readonly credits: readonly CoreCreditDraft[];
}

/**
 * Price of a change at an instant (contract 3.6). Adding cores charges each paid term for its remaining time at the
 * current price. Removing cores credits the newest lots first, from the amount charged.
 * @throws RangeError if a term has no price for added cores
 */
export function priceCoreChange({ oldCores, newCores, terms, chargesLeft }: CoreChange, at: Date): CoreChangePrice {
  if (newCores > oldCores) return addCores(terms, newCores - oldCores, at);
  return removeCores(terms, oldCores - newCores, chargesLeft, at);
}

/**
 * The instant at which the change costs the agreed price, or null. Candidates move from `now` against the buyer: up to
 * a minute back for an addition, when more time was left, and up to a minute ahead for a removal, when less is. So an
 * agreed price never favors the buyer over the price now.
 */
export function findAgreedInstant(change: CoreChange, now: Date, agreedPrice: bigint): Date | null {
  const priceAfter = (ms: number) => priceCoreChange(change, pricingInstant(change, now, ms)).price;
  let low = 0;
  let high = CORE_QUOTE_LIFETIME_MS;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (priceAfter(middle) >= agreedPrice) high = middle;
    else low = middle + 1;
  }
  return priceAfter(low) === agreedPrice ? pricingInstant(change, now, low) : null;
}

/** An instant whose price can be agreed to during the minute after `now`. */
export function quotedInstant(change: CoreChange, now: Date): Date {
  return pricingInstant(change, now, change.newCores < change.oldCores ? CORE_QUOTE_LIFETIME_MS : 0);
}

function pricingInstant({ oldCores, newCores }: CoreChange, now: Date, ms: number): Date {
  return new Date(now.getTime() + (newCores > oldCores ? -ms : ms));
}

function addCores(terms: readonly PaidTerm[], cores: number, at: Date): CoreChangePrice {
  const running = terms.filter(({ endsAt }) => endsAt > at);
  const parts = running.map(({ id, months, startsAt, paidUntil, endsAt, pricePerCore }) => {
    if (pricePerCore === null) throw new RangeError("A paid term has no price for its cores.");
    const from = latest(at, startsAt);
    const cycleEndsAt = latest(paidUntil, addMonths(startsAt, months));
    const exact = share(BigInt(cores) * pricePerCore, { from, to: endsAt }, { from: startsAt, to: cycleEndsAt });
    return { exact, draft: { paidTermId: id, cores, startsAt: from, endsAt } };
  });
  let exactSum = zero;
  let price = 0n;
  const lots = parts.map(({ exact, draft }) => {
    exactSum = addFractions(exactSum, exact);
    const amount = roundHalfUp(exactSum.numerator, exactSum.denominator) - price;
    price += amount;
    return { ...draft, amount };
  });
  return { price, lots, credits: [] };
}

function removeCores(
  terms: readonly PaidTerm[],
  cores: number,
  chargesLeft: CoreChange["chargesLeft"],
  at: Date,
): CoreChangePrice {
  const taken = terms.flatMap((term) => takeNewest(term, cores)).toSorted((a, b) => b.lot.id - a.lot.id);
  const left = new Map(chargesLeft);
  let exactSum = zero;
  let credited = 0n;
  const credits = taken.map(({ lot, endsAt, cores }) => {
    const { id, operationId, startsAt, amount: charged, creditedAmount } = lot;
    const from = latest(at, startsAt);
    const chargeLeft = operationId === null ? 0n : (left.get(operationId) ?? 0n);
    const most = smaller(charged - creditedAmount, chargeLeft);
    const ofThese = share(charged * BigInt(cores), { from, to: endsAt }, { from: startsAt, to: lot.endsAt });
    const exact = { ...ofThese, denominator: ofThese.denominator * BigInt(lot.cores) };
    exactSum = addFractions(exactSum, minFraction(exact, integer(most)));
    const amount = smaller(floorFraction(exactSum) - credited, most);
    credited += amount;
    if (operationId !== null) left.set(operationId, chargeLeft - amount);
    return { lotId: id, cores, creditedFrom: from, amount };
  });
  return { price: -credited, lots: [], credits };
}

interface TakenCores {
  readonly lot: CoreLot;
  readonly cores: number;
  /** Of the paid term. */
  readonly endsAt: Date;
}

function takeNewest({ lots, endsAt }: PaidTerm, cores: number): TakenCores[] {
  let missing = cores;
  return lots
    .toSorted((a, b) => b.id - a.id)
    .map((lot) => {
      const taken = Math.min(missing, lot.liveCores);
      missing -= taken;
      return { lot, cores: taken, endsAt };
    })
    .filter(({ cores }) => cores > 0);
}

interface Period {
  readonly from: Date;
  readonly to: Date;
}

/** `amount` × length of the part ÷ length of the whole. A part in the past has no length. */
function share(amount: bigint, part: Period, whole: Period): Fraction {
  const partMs = Math.max(0, part.to.getTime() - part.from.getTime());
  return { numerator: amount * BigInt(partMs), denominator: BigInt(whole.to.getTime() - whole.from.getTime()) };
}

function latest(a: Date, b: Date): Date {
  return a < b ? b : a;
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
