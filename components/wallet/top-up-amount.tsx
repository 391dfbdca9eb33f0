import { Money } from "#components/ui/money.tsx";
import type { TopUpRequestRow } from "#lib/services/wallet/list-top-up-requests.ts";

/** What was credited, or requested so far; both where they differ. */
export function TopUpAmount({ amount, creditedAmount, currency }: TopUpRequestRow) {
  return (
    <span>
      <Money className="font-medium" currency={currency} minor={creditedAmount ?? amount} />
      {creditedAmount !== null && creditedAmount !== amount && (
        <span className="block text-text-muted text-xs">
          of <Money currency={currency} minor={amount} /> requested
        </span>
      )}
    </span>
  );
}
