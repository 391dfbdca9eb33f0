import { type CostLine, CostLines } from "#components/ui/cost-lines.tsx";
import { formatTime } from "#components/ui/format-time.ts";
import { useTimeZone } from "#components/ui/time-zone.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { ChargeOfMany } from "#components/wallet/charge-of-many.tsx";
import { numberText } from "#lib/domain/count-text.ts";
import { changeTexts } from "./change-text.ts";
import type { ChangeQuote, OfferedChange, SkippedCount } from "./license-change.ts";

export interface QuoteSummaryProps {
  readonly offered: OfferedChange;
  readonly quote: ChangeQuote;
}

/** What will happen to how many, what is left out and why, until when it lasts, what it costs, and what the balance covers. */
export function QuoteSummary({ offered, quote }: QuoteSummaryProps) {
  const { count, skipped, total, funds, newExpiry, currency } = quote;
  const covered = funds?.affordable.count ?? count;
  return (
    <>
      {/* Otherwise the dialog's title has said it. */}
      {skipped.length > 0 && (
        <CostLines
          lines={[
            covered === count && {
              label: changeTexts[offered].outcome,
              value: numberText(count),
              strong: true,
            },
            ...skippedLines(skipped),
          ]}
        />
      )}
      {funds !== null && count > 0 && (
        <ChargeOfMany
          affordable={{ count: funds.affordable.count, total: BigInt(funds.affordable.total) }}
          charge={{ cost: BigInt(total), balance: { spendable: BigInt(funds.spendable), currency } }}
          count={count}
          lines={
            newExpiry === null
              ? []
              : [
                  {
                    label: covered === count ? "New expiry" : "New expiry of those covered",
                    value: <Expiries {...newExpiry} />,
                  },
                ]
          }
        />
      )}
    </>
  );
}

/** One day if all of them end on it, in the reader's zone. */
function Expiries({ first, last }: NonNullable<ChangeQuote["newExpiry"]>) {
  const zone = useTimeZone();
  const [from, to] = [first, last].map((at) => formatTime(new Date(at), "date", zone));
  if (from === to) return <Timestamp format="date" value={first} />;
  return (
    <>
      <Timestamp format="date" value={first} /> to <Timestamp format="date" value={last} />
    </>
  );
}

export function skippedLines(skipped: readonly SkippedCount[]): CostLine[] {
  return skipped.map(({ reason, count }) => ({
    label: `Skipped: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}`,
    value: numberText(count),
  }));
}
