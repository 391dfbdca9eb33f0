import type { ReactNode } from "react";
import { ChargeOfMany } from "#components/wallet/charge-of-many.tsx";
import type { WalletBalance } from "#components/wallet/use-balance.ts";
import type { Affordable } from "#lib/domain/affordable.ts";
import { countText } from "#lib/domain/count-text.ts";
import type { ImportPlanView } from "./import-plan.ts";

export interface ImportSummaryProps {
  readonly plan: ImportPlanView;
  readonly balance: WalletBalance;
  /** Which rows the balance pays for. */
  readonly affordable: Affordable;
  /** The buttons. */
  readonly children: ReactNode;
}

/** What all of it costs and what is left afterwards, right above the buttons. */
export function ImportSummary({ plan, balance, affordable, children }: ImportSummaryProps) {
  const { rows, readyCount, currency } = plan;
  const charge = { cost: plan.total, balance: { spendable: balance.spendable, currency } };
  const skippedCount = rows.length - readyCount;
  return (
    <section aria-label="Summary" className="rounded-lg border bg-surface p-4 shadow-raised lg:sticky lg:top-20">
      <h2 className="font-semibold text-base">Summary</h2>
      {skippedCount > 0 && (
        <p className="mt-1 text-sm text-text-muted">
          {readyCount === 0
            ? "No row can be registered as it is."
            : `${countText(skippedCount, "row has a problem and is", "rows have problems and are")} skipped.`}
        </p>
      )}
      <div className="mt-3 flex flex-col gap-3" role="status">
        {readyCount > 0 && <ChargeOfMany affordable={affordable} charge={charge} count={readyCount} />}
      </div>
      <div className="mt-4">{children}</div>
      {readyCount > 0 && (
        <p className="mt-2.5 text-text-muted text-xs">
          Each row is charged only when the provider confirms it. The import continues if you leave the page, and can be
          stopped.
        </p>
      )}
    </section>
  );
}
