"use client";
import type { ReactNode } from "react";
import { Banner } from "#components/ui/banner.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import { useTopUpHref } from "./use-top-up-href.ts";

export interface ShortBalanceProps {
  /** What is missing, in minor units; above zero. */
  readonly short: bigint;
  readonly currency: string;
  /** Nothing else can be done here: the top-up is the way on. */
  readonly blocked?: boolean;
  /** What comes of it. */
  readonly children: ReactNode;
}

/** Says before the button is pressed how much money is missing, and leads to where it is asked for. */
export function ShortBalance({ short, currency, blocked = false, children }: ShortBalanceProps) {
  return (
    <Banner
      action={
        <ButtonLink href={useTopUpHref(short, currency)} size="sm" variant={blocked ? "primary" : "secondary"}>
          Top up
        </ButtonLink>
      }
      title={`Needs ${moneyText(short, currency)} more`}
      tone="caution"
    >
      {children}
    </Banner>
  );
}
