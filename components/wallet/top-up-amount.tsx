import { Money } from "#components/ui/money.tsx";
import type { TopUpRequest } from "./top-up-request.ts";

/** What was credited, or requested so far; both where they differ. */
export function TopUpAmount({ amount, creditedAmount, currency }: TopUpRequest) {
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
