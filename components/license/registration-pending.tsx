"use client";
import { Hourglass } from "lucide-react";
import { useEffect, useRef } from "react";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { Money } from "#components/ui/money.tsx";
import type { RegisteredOne } from "./registration.ts";

export interface Unconfirmed extends RegisteredOne {
  readonly productName: string;
}

/** Neither done nor refused: what is known, what happens by itself, and where to look. */
export function RegistrationPending({ unconfirmed }: { readonly unconfirmed: Unconfirmed }) {
  const { licenseId, productName, missingLabels, ipAddress, price, balanceAfter, currency } = unconfirmed;
  const ref = useRef<HTMLHeadingElement>(null);
  useEffect(() => ref.current?.focus(), []);
  return (
    <Card className="max-w-2xl">
      <div className="flex max-w-prose flex-col items-start gap-3 py-2">
        <div className="grid size-10 place-items-center rounded-lg bg-accent-soft text-accent-text">
          <Hourglass className="size-5" />
        </div>
        <h2 className="font-semibold text-lg outline-none" ref={ref} tabIndex={-1}>
          Not confirmed yet
        </h2>
        <p>
          The provider has not confirmed yet that it registered {productName} on{" "}
          <span className="font-mono">{ipAddress}</span>. We ask again until the answer is clear; nothing is registered
          or charged twice.
        </p>
        <p className="text-text-muted">
          Until then the license is pending:{" "}
          <Money className="font-medium text-text" currency={currency} minor={price} /> stays held. Available balance:{" "}
          <Money className="font-medium text-text" currency={currency} minor={balanceAfter} />. If the provider refused,
          the money is released and the license disappears.
        </p>
        {missingLabels !== null && <p>Customer and tags were not saved. {missingLabels}</p>}
        <div className="mt-1 flex flex-wrap gap-2">
          <ButtonLink href={`/licenses/${licenseId}`} variant="primary">
            View license
          </ButtonLink>
          <ButtonLink href="/licenses">Back to all licenses</ButtonLink>
        </div>
      </div>
    </Card>
  );
}
