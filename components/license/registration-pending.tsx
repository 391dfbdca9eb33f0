"use client";
import { Hourglass } from "lucide-react";
import { useEffect, useRef } from "react";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { Money } from "#components/ui/money.tsx";
import type { Registered } from "./registration.ts";

/** Neither done nor refused: what is known, what happens by itself, and where to look. */
export function RegistrationPending({ registered }: { readonly registered: Registered }) {
  const ref = useRef<HTMLHeadingElement>(null);
  useEffect(() => ref.current?.focus(), []);
  return (
    <Card className="max-w-2xl">
      <div className="flex max-w-prose flex-col items-start gap-3 py-2">
        <div className="grid size-10 place-items-center rounded-lg bg-accent-soft text-accent-text">
          <Hourglass aria-hidden className="size-5" />
        </div>
        <h2 className="font-semibold text-lg outline-none" ref={ref} tabIndex={-1}>
          Not confirmed yet
        </h2>
        <p>
          The provider has not answered, so nobody knows yet whether it has registered the license. It is asked again
          until the answer is clear; nothing is registered or charged twice.
        </p>
        <p className="text-text-muted">
          Until then the license is pending and its price stays held: you can spend{" "}
          <Money className="font-medium text-text" currency={registered.currency} minor={registered.balanceAfter} />. If
          the provider turns out to have refused, the money is released and the license disappears.
        </p>
        <div className="mt-1 flex flex-wrap gap-2">
          <ButtonLink href={`/licenses/${registered.licenseId}`} variant="primary">
            Look at the license
          </ButtonLink>
          <ButtonLink href="/licenses">Back to all licenses</ButtonLink>
        </div>
      </div>
    </Card>
  );
}
