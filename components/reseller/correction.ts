import { moneyText } from "#components/ui/money-text.ts";
import type { ToastInput } from "#components/ui/toast-store.ts";

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
