"use client";
import { useState } from "react";
import type { setAutoRenew } from "#app/(dashboard)/licenses/[id]/actions.ts";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { toastWithUndo } from "#components/form/toast-with-undo.ts";
import { useSubmission } from "#components/form/use-submission.ts";
import { termText } from "#components/license/registration.ts";
import { ResellersLink } from "#components/reseller/act-as.tsx";
import { usePermission } from "#components/shell/permissions.tsx";
import { Card } from "#components/ui/card.tsx";
import { Money } from "#components/ui/money.tsx";
import { Switch } from "#components/ui/switch.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import type { Bound } from "#lib/domain/action-result.ts";
import type { AutoRenewal } from "./auto-renew.ts";

export interface AutoRenewCardProps {
  readonly renewal: AutoRenewal;
  readonly action: Bound<typeof setAutoRenew>;
}

/** Whether it renews by itself, and before that is switched what it will cost and when. */
export function AutoRenewCard({ renewal, action }: AutoRenewCardProps) {
  const disabled = !usePermission("wallet:spend");
  const [choice, setChoice] = useState<{ readonly on: boolean; readonly since: AutoRenewal } | null>(null);
  const { pending, failure, send } = useSubmission(action, (chosen) => {
    toastWithUndo(chosen.on ? "Auto-renew is on" : "Auto-renew is off", {
      subject: "auto-renew",
      action,
      // No price: the agreement stays as it is.
      input: { on: !chosen.on, agreed_price: null },
      title: chosen.on ? "Auto-renew is off, as before" : "Auto-renew is on, as before",
      exact: !(chosen.on && renewal.changesAgreement),
    });
  });
  // The switch moves at once, and back when the server refuses; a refreshed page shows what is stored.
  const isChosen = choice !== null && (pending || (failure === null && choice.since === renewal));
  const shown = isChosen ? choice.on : renewal.on;

  async function choose(on: boolean) {
    if (pending) return;
    setChoice({ on, since: renewal });
    // Switched on, it was said to cost so much.
    await send({ on, agreed_price: on ? (renewal.price?.toString() ?? null) : null });
  }

  return (
    <Card title="Automatic renewal">
      <div className="flex flex-col gap-3">
        <Switch
          aria-busy={pending || undefined}
          checked={shown}
          disabled={disabled}
          hint={<Consequence on={shown} renewal={renewal} />}
          label={<span className="font-medium">Renew before it expires</span>}
          onChange={({ target }) => void choose(target.checked)}
        />
        {failure && <SubmissionError failure={failure} refusalNote="Nothing was changed." />}
      </div>
    </Card>
  );
}

function Consequence({ on, renewal }: { readonly on: boolean; readonly renewal: AutoRenewal }) {
  const { expired, expiresAt, renewsAt, price, currency, months, risenFrom, obstacle, retrying } = renewal;
  if (expired) {
    return on
      ? "The term has ended, so auto-renew cannot start now. Once you renew it manually, the next term renews automatically."
      : "The term has ended. This is for the terms that follow once you have renewed manually.";
  }
  if (price === null) {
    return "Its billing cycle is no longer sold: choose another when you renew manually, then this works again.";
  }
  const cost = (
    <>
      <Money className="font-medium text-text" currency={currency} minor={price} /> per {termText(months)}
      {on && risenFrom !== null && (
        <>
          , up from <Money currency={currency} minor={risenFrom} />
        </>
      )}
    </>
  );
  if (on && obstacle !== null) {
    return (
      <span className="text-caution">
        Blocked: it now costs {cost}.{" "}
        {obstacle === "above_limit" ? "That is above your limit." : "The term ends before your notice period is over."}{" "}
        Renew manually to accept the price, or{" "}
        <ResellersLink href="/wallet#price-rules">change your limits</ResellersLink>.
      </span>
    );
  }
  return on ? (
    <>
      {retrying ? "Retried until" : "Renews on"} <Timestamp format="date" value={retrying ? expiresAt : renewsAt} /> at
      the price of that day, today {cost}, if the balance covers it.
    </>
  ) : (
    <>
      Expires on <Timestamp format="date" value={expiresAt} />. With auto-renew, it renews on{" "}
      <Timestamp format="date" value={renewsAt} /> for {cost}. Turning it on is free.
    </>
  );
}
