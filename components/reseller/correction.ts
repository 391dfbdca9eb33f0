import { moneyText } from "#components/ui/money-text.ts";
import type { ToastInput } from "#components/ui/toast-store.ts";

export interface TopUpInput {
  /** As typed, in major units. */
  readonly amount: string;
  /** The same, if it is large and meant; empty until that was asked. */
  readonly meant_amount: string;
  readonly reference: string;
  readonly note: string;
}

export interface AdjustInput {
  /** Signed decimal text in major units; negative takes from the wallet. */
  readonly amount: string;
  /** The same, if it is large and meant; empty until that was asked. */
  readonly meant_amount: string;
  readonly reason: string;
  readonly reference: string;
}

export interface RefundInput {
  readonly operation_id: string;
  /** Decimal text in major units. */
  readonly amount: string;
  readonly reason: string;
}

/** Minor units, as decimal text. */
export interface WalletCorrected {
  readonly amount: string;
  readonly postedAfter: string;
  readonly currency: string;
}

/** Says what was done, and what the balance is now. */
export function correctedToast(title: string, { postedAfter, currency }: WalletCorrected): ToastInput {
  return { title, description: `The balance is now ${moneyText(postedAfter, currency)}.`, tone: "positive" };
}
