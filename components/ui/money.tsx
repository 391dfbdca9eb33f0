import { cx } from "./cx.ts";
import { moneyText } from "./money-text.ts";

export interface MoneyProps {
  /** Minor units; a string where it comes from JSON. */
  readonly minor: bigint | string;
  readonly currency: string;
  /** A plus before what is not negative, for changes of a balance. */
  readonly signed?: boolean;
  readonly className?: string;
}

/** Throws RangeError when `currency` is not an ISO 4217 code. */
export function Money({ minor, currency, signed = false, className }: MoneyProps) {
  return <span className={cx("tabular whitespace-nowrap", className)}>{moneyText(minor, currency, signed)}</span>;
}
