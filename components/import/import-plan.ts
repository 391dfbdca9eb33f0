import type { WalletBalance } from "#components/wallet/use-balance.ts";
import { type Affordable, computeAffordable } from "#lib/domain/affordable.ts";
import type { ImportPlanView } from "./plan-view.ts";

/** What the balance pays for: rows are registered from the top, and those that it does not reach are refused. */
export function affordableRows({ rows }: ImportPlanView, balance: Pick<WalletBalance, "spendable">): Affordable {
  const prices = rows.flatMap(({ price }) => (price === null ? [] : price));
  return computeAffordable(prices, (price) => price, balance.spendable);
}
