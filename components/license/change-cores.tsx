"use client";
import { useState } from "react";
import type { changeCores } from "#app/(dashboard)/licenses/[id]/change-actions.ts";
import { ConfirmForm } from "#components/form/confirm-form.tsx";
import { useForm } from "#components/form/use-form.ts";
import { isAboutCharge } from "#components/form/use-submission.ts";
import { DialogButton } from "#components/ui/dialog-button.tsx";
import { TextField } from "#components/ui/field.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import { toast } from "#components/ui/toast-store.ts";
import { shortfallOf } from "#components/wallet/charge.tsx";
import { ShortBalance } from "#components/wallet/short-balance.tsx";
import { useBalanceRefresh, type WalletBalance } from "#components/wallet/use-balance.ts";
import type { Bound, InputOf } from "#lib/domain/action-result.ts";
import { countText } from "#lib/domain/count-text.ts";
import { parsePositiveInteger } from "#lib/domain/integer.ts";
import { MAX_CORES } from "#lib/domain/pricing.ts";
import { coreCostLines } from "./core-cost-lines.tsx";
import { unconfirmed } from "./license-changes.ts";
import type { LicenseDetails } from "./license-details.ts";
import { type CoreQuote, type ReadCoreQuote, useCoreQuote } from "./use-core-quote.ts";

/** Beside the number of cores. */
export function ChangeCores(props: Omit<ChangeCoresDialogProps, "onClose">) {
  return (
    <DialogButton
      aria-label="Change cores"
      className="-mr-2.5"
      label="Change"
      offered={props.license.changeable}
      size="sm"
      variant="link"
    >
      {(onClose) => <ChangeCoresDialog {...props} onClose={onClose} />}
    </DialogButton>
  );
}

interface ChangeCoresDialogProps {
  readonly license: LicenseDetails;
  readonly balance: WalletBalance;
  /** Changes to this many. */
  readonly action: Bound<typeof changeCores>;
  /** A server action. */
  readonly readQuote: ReadCoreQuote;
  readonly onClose: () => void;
}

/** Nothing changes at this price but what changes nothing: the server says why there is none. */
const UNPRICED = "0";

/** Asks for the number of cores, and says as it is typed what it costs now and at each renewal. */
function ChangeCoresDialog({ license, balance, action, readQuote, onClose }: ChangeCoresDialogProps) {
  const present = license.cores ?? 1;
  const refreshBalance = useBalanceRefresh();
  const [typed, setTyped] = useState(String(present));
  const cores = coresOf(typed);
  const wanted = cores === present ? null : cores;
  const { quote, waiting, unavailable, refresh } = useCoreQuote(readQuote, license.licenseId, present, wanted);
  const actAndRequote = (input: InputOf<typeof action>, key?: string) =>
    action(input, key).finally(() => void refresh());
  const form = useForm(
    actAndRequote,
    (changed) => {
      refreshBalance();
      onClose();
      toast(
        changed.pending
          ? unconfirmed
          : {
              title: `Now ${countText(changed.cores, "core")}`,
              description: `Available balance: ${moneyText(changed.balanceAfter, changed.currency)}.`,
              tone: "positive",
            },
      );
    },
    { cores: String(present) },
  );
  const charge = quote === null ? undefined : { cost: BigInt(quote.price), balance };
  const short = charge === undefined ? null : shortfallOf(charge);
  return (
    <ConfirmForm
      confirmDisabled={waiting || cores === present}
      confirmLabel={confirmLabelOf(cores, quote)}
      cost={coreCostLines({ license, balance, quote, unchanged: cores === present })}
      description={`${license.id}, ${license.product}. Added cores are charged for the time left, removed ones credited from what they were charged.`}
      form={form}
      input={{ agreed_price: quote?.price ?? UNPRICED }}
      onClose={onClose}
      ownWallet
      refusalNote="Nothing was charged."
      title="Change the cores?"
    >
      <TextField
        className="max-w-28 tabular"
        data-autofocus
        error={unavailable && form.problems.length === 0 ? "The price could not be read. Try again." : undefined}
        hint={`From 1 to ${MAX_CORES}; currently ${countText(present, "core")}.`}
        inputMode="numeric"
        label="Cores"
        max={MAX_CORES}
        min={1}
        name="cores"
        onChange={(event) => {
          setTyped(event.target.value);
          if (isAboutCharge(form.failure)) form.reset();
        }}
        type="number"
        value={typed}
      />
      {short !== null && form.refusal === null && (
        <ShortBalance currency={balance.currency} short={short}>
          Until then this change is refused.
        </ShortBalance>
      )}
    </ConfirmForm>
  );
}

function coresOf(typed: string): number | null {
  const cores = parsePositiveInteger(typed);
  return cores !== null && cores <= MAX_CORES ? cores : null;
}

function confirmLabelOf(cores: number | null, quote: CoreQuote | null): string {
  if (quote === null || cores === null) return "Change cores";
  const price = BigInt(quote.price);
  if (price === 0n) return `Change to ${countText(cores, "core")}`;
  return price > 0n
    ? `Change for ${moneyText(price, quote.currency)}`
    : `Change and get ${moneyText(-price, quote.currency)}`;
}
