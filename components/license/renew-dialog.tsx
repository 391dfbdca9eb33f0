"use client";
import { useState } from "react";
import type { renew } from "#app/(dashboard)/licenses/[id]/actions.ts";
import { ConfirmForm } from "#components/form/confirm-form.tsx";
import { useForm } from "#components/form/use-form.ts";
import { isAboutCharge } from "#components/form/use-submission.ts";
import { SelectField } from "#components/ui/field.tsx";
import { formatTime } from "#components/ui/format-time.ts";
import { Money } from "#components/ui/money.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import { useTimeZone } from "#components/ui/time-zone.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { shortfallOf, spendableLines } from "#components/wallet/charge.tsx";
import { ShortBalance } from "#components/wallet/short-balance.tsx";
import { useBalanceRefresh, type WalletBalance } from "#components/wallet/use-balance.ts";
import type { Bound } from "#lib/domain/action-result.ts";
import type { RenewalQuote } from "#lib/services/license/quote-renewal.ts";

export interface RenewDialogProps {
  /** The question. */
  readonly title: string;
  /** What is renewed, and what it is. */
  readonly description: string;
  readonly expiresAt: Date;
  /** At least one. */
  readonly quotes: readonly RenewalQuote[];
  readonly balance: WalletBalance;
  readonly action: Bound<typeof renew>;
  readonly onClose: () => void;
}

export function RenewDialog(props: RenewDialogProps) {
  const { title, description, expiresAt, quotes, balance, action, onClose } = props;
  const refreshBalance = useBalanceRefresh();
  const zone = useTimeZone();
  const [chosen, setChosen] = useState(String((quotes.find(({ current }) => current) ?? quotes[0])?.cycleId));
  // A cycle that is no longer offered is left empty, not replaced by one that the user did not choose.
  const quote = quotes.find(({ cycleId }) => String(cycleId) === chosen);
  const form = useForm(
    action,
    (renewed) => {
      refreshBalance();
      onClose();
      toast(
        renewed.pending
          ? {
              title: "Renewal not confirmed yet",
              description: "The provider has not answered. The price stays held until it does.",
            }
          : {
              title: `Renewed until ${formatTime(new Date(renewed.newExpiry), "date", zone)}`,
              description: `Available balance: ${moneyText(renewed.balanceAfter, renewed.currency)}.`,
              tone: "positive",
            },
      );
    },
    { "Current expiry": formatTime(expiresAt, "date", zone) },
  );
  if (quotes.length === 0) return null;
  const { currency } = balance;
  const charge = quote && { cost: quote.price, balance };
  const short = charge ? shortfallOf(charge) : null;

  return (
    <ConfirmForm
      confirmDisabled={!quote}
      confirmLabel={quote ? `Renew for ${moneyText(quote.price, currency)}` : "Renew"}
      cost={[
        { label: "Current expiry", value: <Timestamp format="date" value={expiresAt} /> },
        ...(quote && charge
          ? [
              { label: "New expiry", value: <Timestamp format="date" value={quote.term.expiresAt} /> },
              { label: "Charged now", value: <Money currency={currency} minor={quote.price} />, strong: true },
              ...spendableLines(charge),
            ]
          : []),
      ]}
      description={description}
      form={form}
      input={quote && { cycle_id: quote.cycleId, agreed_price: quote.price.toString() }}
      onClose={onClose}
      ownWallet
      refusalNote="Nothing was charged."
      title={title}
    >
      {(quotes.length > 1 || !quote) && (
        <SelectField
          disabled={form.pending}
          hint={!quote || quote.current ? undefined : "This becomes the billing cycle."}
          label="Billing cycle"
          name="cycle_id"
          onChange={({ target }) => {
            setChosen(target.value);
            if (isAboutCharge(form.failure)) form.reset();
          }}
          options={quotes.map(({ cycleId, name, price, current }) => ({
            value: String(cycleId),
            label: `${name}, ${moneyText(price, currency)}${current ? " (current)" : ""}`,
          }))}
          placeholder={quote ? undefined : "Choose a cycle"}
          value={quote ? chosen : ""}
        />
      )}
      {short !== null && form.failure === null && (
        <ShortBalance currency={currency} short={short}>
          Until then this renewal is refused.
        </ShortBalance>
      )}
    </ConfirmForm>
  );
}
