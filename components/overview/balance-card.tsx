import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { Money } from "#components/ui/money.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import { TextLink } from "#components/ui/text-link.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";

export interface BalanceCardProps {
  readonly currency: string;
  /** Minor units, as decimal text. */
  readonly spendable: string;
  readonly held: string;
  readonly renewalCount: number;
  readonly renewalSum: string;
  readonly horizonDays: number;
  /** Until then the balance pays every renewal; ISO 8601, null: to the end of the horizon. */
  readonly coversUntil: string | null;
}

/** What can be spent, and how long it lasts. */
export function BalanceCard(props: BalanceCardProps) {
  const { currency, spendable, held } = props;
  return (
    <Card
      actions={
        <TextLink className="text-sm" href="/wallet">
          Ledger and runway
        </TextLink>
      }
      title="Wallet"
    >
      <p className="font-semibold text-2xl tracking-tight">
        <Money currency={currency} minor={spendable} />
      </p>
      <p className="text-sm text-text-muted">
        can be spent{held !== "0" && `, ${moneyText(held, currency)} more is held`}
      </p>
      <p className="mt-3 text-pretty text-sm">
        <Runway {...props} />
      </p>
      <ButtonLink className="mt-3" href="/wallet" prefetch={false} size="sm">
        Top up
      </ButtonLink>
    </Card>
  );
}

function Runway({ renewalCount, renewalSum, horizonDays, coversUntil, currency }: BalanceCardProps) {
  if (renewalCount === 0) return `No automatic renewals in the next ${horizonDays} days.`;
  const renewals = `${renewalCount === 1 ? "one renewal" : `${renewalCount.toLocaleString("en-US")} renewals`} for ${moneyText(renewalSum, currency)}`;
  if (coversUntil === null) return `Covers ${renewals} in the next ${horizonDays} days.`;
  return (
    <>
      Covers you until <Timestamp format="date" value={coversUntil} />. In the next {horizonDays} days there{" "}
      {renewalCount === 1 ? "is" : "are"} {renewals}.
    </>
  );
}
