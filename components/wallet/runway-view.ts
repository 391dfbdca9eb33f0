import type { PriceObstacle } from "#components/renewal/auto-renew.ts";

/** How far the balance reaches. Money: minor units of `currency`, as decimal text; times: ISO 8601, UTC. */
export interface RunwayView {
  readonly currency: string;
  readonly horizonDays: number;
  readonly renewalCount: number;
  readonly renewalSum: string;
  /** Null: to the end of the horizon. */
  readonly coversUntil: string | null;
  readonly lapses: readonly LapseView[];
  readonly lapseCount: number;
  /** Whose price has risen; the blocked ones first. */
  readonly risen: readonly RisenView[];
  readonly risenCount: number;
  readonly blockedCount: number;
  readonly days: readonly RenewalDayView[];
  readonly topUps: readonly TopUpNeeded[];
  /** When that of a large account was computed; null: now. */
  readonly computedAt: string | null;
  /** Counts what does not renew by itself, too. */
  readonly all: boolean;
  /** Where the other count is. */
  readonly otherHref: string;
}

export interface LapseView {
  readonly id: string;
  readonly label: string;
  readonly href: string;
  readonly dueAt: string;
  /** Null: no longer sold, so that no top-up helps. */
  readonly price: string | null;
}

export interface RisenView {
  readonly id: string;
  readonly label: string;
  readonly href: string;
  readonly dueAt: string;
  readonly price: string;
  /** What was agreed to; null: nothing ever. */
  readonly from: string | null;
  /** Why it is not renewed before its term ends; null: it is. */
  readonly obstacle: PriceObstacle | null;
}

/** `day`: in UTC, as people write it. */
export interface RenewalDayView {
  readonly day: string;
  readonly count: number;
  readonly sum: string;
  readonly lapseCount: number;
  readonly labels: readonly string[];
}

/** `amount` "0": covered. */
export interface TopUpNeeded {
  readonly days: number;
  readonly amount: string;
  /** The same in major units, for the form. */
  readonly majorText: string;
}
