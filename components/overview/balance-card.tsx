import { Allowed } from "#components/shell/permissions.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { Money } from "#components/ui/money.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import { CardLink } from "#components/ui/text-link.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { numberText } from "#lib/domain/count-text.ts";
import type { WalletRunway } from "#lib/domain/runway.ts";

export interface BalanceCardProps {
  /** Money: minor units of `currency`. */
  readonly balance: { readonly currency: string; readonly spendable: bigint; readonly held: bigint };
  readonly runway: Pick<WalletRunway, "renewalCount" | "renewalSum" | "horizonDays" | "coversUntil" | "currency">;
  /** Where its ledger is. */
  readonly href?: string;
}

/** What can be spent, and how long it lasts. */
export function BalanceCard({ balance: { currency, spendable, held }, runway, href = "/wallet" }: BalanceCardProps) {
  return (
    <Card actions={<CardLink href={href}>Ledger and runway</CardLink>} title="Wallet">
      <p className="font-semibold text-2xl tracking-tight">
        <Money currency={currency} minor={spendable} />
      </p>
      <p className="text-sm text-text-muted">available{held > 0n && `, ${moneyText(held, currency)} more is held`}</p>
      <p className="mt-3 text-pretty text-sm">
        <Runway {...runway} />
      </p>
      <Allowed to="wallet:write">
        <ButtonLink className="mt-3" href={href} size="sm">
          Top up
        </ButtonLink>
      </Allowed>
    </Card>
  );
}

function Runway({ renewalCount, renewalSum, horizonDays, coversUntil, currency }: BalanceCardProps["runway"]) {
  if (renewalCount === 0) return `No automatic renewals in the next ${horizonDays} days.`;
  const renewals = `${renewalCount === 1 ? "one renewal" : `${numberText(renewalCount)} renewals`} for ${moneyText(renewalSum, currency)}`;
  if (coversUntil === null) return `Covers ${renewals} in the next ${horizonDays} days.`;
  return (
    <>
      Covers everything until <Timestamp format="date" value={coversUntil} /> (
      <Timestamp format="relative" value={coversUntil} />
      ). In the next {horizonDays} days there {renewalCount === 1 ? "is" : "are"} {renewals}.
    </>
  );
}
