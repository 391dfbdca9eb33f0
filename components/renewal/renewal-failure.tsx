"use client";
import { Banner } from "#components/ui/banner.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { useTopUpHref } from "#components/wallet/use-top-up-href.ts";
import type { AutoRenewal } from "./auto-renew.ts";

export interface RenewalFailureProps {
  readonly renewal: AutoRenewal;
  /** Minor units; null: not for the reader. */
  readonly balance: { readonly spendable: bigint } | null;
}

/** Why what should have renewed automatically has not, and what the reader can do about it. */
export function RenewalFailure({ renewal, balance }: RenewalFailureProps) {
  const { failures, retrying, expired, renewable, price, currency } = renewal;
  const isUnpaid = failures.some(({ unpaid }) => unpaid) && price !== null && balance !== null;
  const missing = isUnpaid ? price - balance.spendable : 0n;
  const topUpHref = useTopUpHref(missing, currency);
  if (failures.length === 0) return null;
  return (
    <Banner
      action={
        missing > 0n && (
          <ButtonLink href={topUpHref} size="sm">
            Top up {moneyText(missing, currency)}
          </ButtonLink>
        )
      }
      title="The automatic renewal failed"
      tone="critical"
    >
      <ul>
        {failures.map(({ reason, firstAt }) => (
          <li key={reason}>
            {reason}, first on <Timestamp value={firstAt} />.
          </li>
        ))}
      </ul>
      {retrying && "It is retried until the term ends. "}
      {!expired && renewable && `You can ${retrying ? "also " : ""}renew manually.`}
    </Banner>
  );
}
