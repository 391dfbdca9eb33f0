import { ChevronRight } from "lucide-react";
import { Badge } from "#components/ui/badge.tsx";
import { formatTime } from "#components/ui/format-time.ts";
import { Money } from "#components/ui/money.tsx";
import { numberText } from "#lib/domain/count-text.ts";
import type { WalletRunway } from "#lib/domain/runway.ts";

/** The coming renewals day by day, folded away: most days nobody needs it, and then at once. */
export function RenewalCalendar({ runway }: { readonly runway: WalletRunway }) {
  const { days, horizonDays, currency } = runway;
  return (
    <details className="group border-t">
      <summary className="flex min-h-10 list-none items-center gap-1.5 px-4 py-2 font-medium text-sm hover:bg-surface-hover [&::-webkit-details-marker]:hidden">
        <ChevronRight className="size-4 shrink-0 text-text-muted transition-transform group-open:rotate-90" />
        <span>
          Calendar of the next {horizonDays} days
          <span className="ml-1.5 font-normal text-text-muted">
            (by the day each term ends, UTC
            <span className="max-sm:hidden">; automatic renewal charges a few days before</span>)
          </span>
        </span>
      </summary>
      <ol className="max-h-96 divide-y overflow-y-auto border-t text-sm" tabIndex={-1}>
        {days.map(({ day, count, sum, lapseCount, labels }) => (
          <li
            className="grid grid-cols-[1fr_auto] items-baseline gap-x-3 px-4 py-2 sm:grid-cols-[6.5rem_1fr_auto]"
            key={day.getTime()}
          >
            <span className="tabular text-text-muted">{formatTime(day, "date", "UTC")}</span>
            <span className="min-w-0 max-sm:order-last max-sm:col-span-2">
              <span className="wrap-anywhere">{labels.join(", ")}</span>
              {count > labels.length && (
                <span className="text-text-muted"> and {numberText(count - labels.length)} more</span>
              )}
              {lapseCount > 0 && (
                <span className="ml-2 inline-flex align-middle">
                  <Badge tone="caution">{lapseText(lapseCount, count)}</Badge>
                </span>
              )}
            </span>
            <Money className="font-medium" currency={currency} minor={sum} />
          </li>
        ))}
      </ol>
    </details>
  );
}

function lapseText(lapseCount: number, count: number): string {
  if (count === 1) return "Lapses";
  const all = numberText(count);
  return lapseCount === count ? `All ${all} lapse` : `${numberText(lapseCount)} of ${all} lapse`;
}
