"use client";
import { useEffect, useRef } from "react";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { ErrorState } from "#components/ui/error-state.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import { useBalanceRefresh } from "./use-balance.ts";
import { useTopUpHref } from "./use-top-up-href.ts";

export interface InsufficientBalanceProps {
  /** Says how much is needed and missing. */
  readonly title: string;
  /** What did not happen. */
  readonly note: string | undefined;
  /** Minor units of `currency`, as decimal text. */
  readonly missing: string;
  readonly currency: string;
}

/** A charge was refused for want of money: how much is missing, and where it is asked for. */
export function InsufficientBalance({ title, note, missing, currency }: InsufficientBalanceProps) {
  // What the page believed to be there may have been spent elsewhere.
  const refreshRef = useRef(useBalanceRefresh());
  useEffect(() => refreshRef.current(), []);
  return (
    <ErrorState
      action={
        <ButtonLink href={useTopUpHref(BigInt(missing), currency)} size="sm" variant="primary">
          Top up {moneyText(missing, currency)}
        </ButtonLink>
      }
      description={note}
      title={title}
    />
  );
}
