"use client";
import { useEffect, useRef } from "react";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { ErrorState } from "#components/ui/error-state.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import { type Charge, shortfallOf } from "./charge.tsx";
import { topUpHref } from "./top-up-href.ts";
import { useBalanceRefresh } from "./use-balance.ts";

export interface InsufficientBalanceProps {
  readonly title: string;
  /** What did not happen. */
  readonly note: string | undefined;
  /** What was refused. */
  readonly charge: Charge;
}

/** A charge was refused for want of money: how much is missing, and where it is asked for. */
export function InsufficientBalance({ title, note, charge }: InsufficientBalanceProps) {
  // What the page believed to be there may have been spent elsewhere.
  const refreshRef = useRef(useBalanceRefresh());
  useEffect(() => refreshRef.current(), []);
  const short = shortfallOf(charge);
  const { currency } = charge.balance;
  return (
    <ErrorState
      action={
        <ButtonLink href={short === null ? "/wallet" : topUpHref(short, currency)} size="sm">
          Top up
        </ButtonLink>
      }
      description={
        <>
          {note} {short !== null && `It needs ${moneyText(short, currency)} more.`}
        </>
      }
      title={title}
    />
  );
}
