/** What is known of a term's automatic renewal. Times: ISO 8601, UTC; `price`: minor units, as decimal text. */
export interface AutoRenewal {
  readonly on: boolean;
  readonly expiresAt: string;
  /** When it is renewed at the latest: so many days before its end, or at once when they are fewer. */
  readonly renewsAt: string;
  /** Null: its cycle is not sold any more, so it cannot renew by itself. */
  readonly price: string | null;
  readonly currency: string;
  readonly months: number;
  /** Has ended: that is past what renews by itself. */
  readonly expired: boolean;
  /** What was agreed to, where the price has risen above it since; null otherwise. */
  readonly risenFrom: string | null;
  /** Why the risen price is not charged before the term ends; null: it is. */
  readonly obstacle: PriceObstacle | null;
}

export type PriceObstacle = "above_limit" | "short_notice";

export interface AutoRenewInput {
  readonly on: boolean;
  /** What the switch said that it costs; null: nothing. Minor units, as decimal text. */
  readonly agreed_price: string | null;
}

export interface AutoRenewChosen {
  readonly on: boolean;
}

const MS_PER_DAY = 24 * 60 * 60 * 1000;

/** When the worker renews what ends at `expiresAt`: `aheadDays` before, or now when that has passed. */
export function renewalDate(expiresAt: Date, aheadDays: number, now: Date): Date {
  return new Date(Math.max(expiresAt.getTime() - aheadDays * MS_PER_DAY, now.getTime()));
}
