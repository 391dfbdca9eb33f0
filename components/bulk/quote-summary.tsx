import { Banner } from "#components/ui/banner.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { CostLines } from "#components/ui/cost-lines.tsx";
import { Money } from "#components/ui/money.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import { type Currency, toMajorText } from "#lib/domain/money.ts";
import { changeTexts } from "./change-text.ts";
import type { ChangeQuote, OfferedChange } from "./license-change.ts";

export interface QuoteSummaryProps {
  readonly offered: OfferedChange;
  readonly quote: ChangeQuote;
}

/** What will happen to how many, what is left out and why, what it costs, and whether the balance covers it. */
export function QuoteSummary({ offered, quote }: QuoteSummaryProps) {
  const { count, skipped, total, spendable, currency, affordableCount } = quote;
  const shortBy = BigInt(total) - BigInt(spendable);
  const charged = offered === "renew" && count > 0;
  return (
    <>
      <CostLines
        lines={[
          { label: changeTexts[offered].outcome, value: count.toLocaleString("en-US"), strong: true },
          ...skipped.map(({ reason, count: left }) => ({
            label: `Left out: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}`,
            value: left.toLocaleString("en-US"),
          })),
        ]}
      />
      {charged && (
        <CostLines
          lines={[
            { label: "Charged in all", value: <Money currency={currency} minor={total} />, strong: true },
            { label: "Balance now", value: <Money currency={currency} minor={spendable} /> },
            shortBy > 0n
              ? {
                  label: "Too little by",
                  value: <Money className="text-caution" currency={currency} minor={shortBy} />,
                }
              : { label: "Balance after", value: <Money currency={currency} minor={-shortBy} /> },
          ]}
        />
      )}
      {charged && shortBy > 0n && (
        <Banner
          action={
            <ButtonLink href={`/wallet?top-up=${toMajorText(shortBy, currency as Currency)}`} size="sm">
              Top up
            </ButtonLink>
          }
          title={`Needs ${moneyText(shortBy, currency)} more`}
          tone="caution"
        >
          {affordableCount === 0
            ? "The balance pays for none of them: all would fail, and nothing be charged."
            : `The balance pays for ${affordableCount.toLocaleString("en-US")}. The others fail, are not charged, and can be retried.`}
        </Banner>
      )}
    </>
  );
}
