import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { CostLines } from "#components/ui/cost-lines.tsx";
import { Money } from "#components/ui/money.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import type { WalletBalance } from "#components/wallet/use-balance.ts";
import { countText, type ImportPlanView } from "./import-plan.ts";

export interface ImportSummaryProps {
  readonly plan: ImportPlanView;
  readonly balance: WalletBalance;
  /** The buttons. */
  readonly children: ReactNode;
}

/** What all of it costs and what is left afterwards, right above the buttons. */
export function ImportSummary({ plan, balance, children }: ImportSummaryProps) {
  const { rows, readyCount, currency } = plan;
  const total = BigInt(plan.total);
  const now = BigInt(balance.minor);
  const short = total > now ? total - now : null;
  const leftOut = rows.length - readyCount;
  return (
    <section aria-label="Summary" className="rounded-lg border bg-surface p-4 shadow-raised lg:sticky lg:top-20">
      <h2 className="font-semibold text-base">Summary</h2>
      {leftOut > 0 && (
        <p className="mt-1 text-sm text-text-muted">
          {readyCount === 0
            ? "No row can be registered as it is."
            : `${countText(leftOut, "row has a problem and is", "rows have problems and are")} left out.`}
        </p>
      )}
      <div className="mt-3" role="status">
        <CostLines
          lines={[
            { label: "Licenses", value: readyCount.toLocaleString("en-US") },
            { label: "Total", value: <Money currency={currency} minor={total} />, strong: true },
            { label: "Balance now", value: <Money currency={currency} minor={now} /> },
            ...(short === null
              ? [{ label: "Balance after", value: <Money currency={currency} minor={now - total} />, strong: true }]
              : []),
          ]}
        />
        {short !== null && (
          <p className="mt-3 flex items-start gap-2 rounded-md bg-caution-soft p-2.5 text-sm">
            <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-caution" />
            <span>
              The balance is <Money className="font-medium" currency={currency} minor={short} /> too low. Rows are
              registered from the top; those that the balance does not reach are refused, and can be tried again after a{" "}
              <TextLink href="/wallet">top-up</TextLink>.
            </span>
          </p>
        )}
      </div>
      <div className="mt-4">{children}</div>
      {readyCount > 0 && (
        <p className="mt-2.5 text-text-muted text-xs">
          Each row is charged only when the provider confirms it. It goes on when you leave the page, and can be
          stopped.
        </p>
      )}
    </section>
  );
}
