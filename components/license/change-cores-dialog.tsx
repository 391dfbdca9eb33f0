"use client";
import { useState } from "react";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { problemOf, useFieldProblems } from "#components/form/use-field-problems.ts";
import { isAboutCharge, useSubmission } from "#components/form/use-submission.ts";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import { toast } from "#components/ui/toast-store.ts";
import { shortfallOf } from "#components/wallet/charge.tsx";
import { ShortBalance } from "#components/wallet/short-balance.tsx";
import { useBalanceRefresh, type WalletBalance } from "#components/wallet/use-balance.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";
import { parsePositiveInteger } from "#lib/domain/integer.ts";
import { MAX_CORES } from "#lib/domain/pricing.ts";
import { coreCostLines } from "./core-cost-lines.tsx";
import { type CoreQuote, type CoresChanged, type CoresInput, unconfirmed } from "./license-changes.ts";
import type { LicenseDetails } from "./license-details.ts";
import { type ReadCoreQuote, useCoreQuote } from "./use-core-quote.ts";

export interface ChangeCoresDialogProps {
  readonly license: LicenseDetails;
  readonly balance: WalletBalance;
  /** Changes to this many. */
  readonly action: OnceAction<CoresInput, CoresChanged>;
  /** A server action. */
  readonly readQuote: ReadCoreQuote;
  readonly onClose: () => void;
}

const labels = { cores: "Cores" };
/** Nothing changes at this price but what changes nothing: the server says why there is none. */
const UNPRICED = "0";

/** Asks for the number of cores, and says as it is typed what it costs now and at each renewal. */
export function ChangeCoresDialog({ license, balance, action, readQuote, onClose }: ChangeCoresDialogProps) {
  const present = license.cores ?? 1;
  const refreshBalance = useBalanceRefresh();
  const [typed, setTyped] = useState(String(present));
  const cores = coresOf(typed);
  const wanted = cores === present ? null : cores;
  const { quote, waiting, unavailable, refresh } = useCoreQuote(readQuote, license.licenseId, present, wanted);
  const { pending, failure, send, reset } = useSubmission(action, (changed) => {
    refreshBalance();
    onClose();
    toast(
      changed.pending
        ? unconfirmed
        : {
            title: `Now ${coresText(changed.cores)}`,
            description: `You can spend ${moneyText(changed.balanceAfter, changed.currency)}.`,
            tone: "positive",
          },
    );
  });
  const { problems, refusal } = useFieldProblems(failure, labels);
  const charge = quote === null ? undefined : { cost: BigInt(quote.price), balance };
  const short = charge === undefined ? null : shortfallOf(charge);
  return (
    <ConfirmDialog
      confirmDisabled={waiting}
      confirmLabel={confirmLabelOf(cores, quote)}
      cost={coreCostLines({ license, balance, quote, unchanged: cores === present })}
      description={`${license.id}, ${license.product}. Added cores are charged for the time left, removed ones credited from what they were charged.`}
      onClose={onClose}
      onConfirm={() => void send({ cores: typed, agreed_price: quote?.price ?? UNPRICED }).then(() => refresh())}
      open
      pending={pending}
      title="Change the cores?"
    >
      <Field
        error={problemOf(problems, "cores") ?? (unavailable ? "The price could not be read. Try again." : undefined)}
        hint={`From 1 to ${MAX_CORES}; at present ${coresText(present)}.`}
        label="Cores"
        name="cores"
      >
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            className="max-w-28 tabular"
            data-autofocus
            inputMode="numeric"
            max={MAX_CORES}
            min={1}
            onChange={(event) => {
              setTyped(event.target.value);
              if (isAboutCharge(failure)) reset();
            }}
            type="number"
            value={typed}
          />
        )}
      </Field>
      {short !== null && refusal === null && (
        <ShortBalance currency={balance.currency} short={short}>
          Until then this change is refused.
        </ShortBalance>
      )}
      {refusal && <SubmissionError failure={refusal} ownWallet refusalNote="Nothing was charged." />}
    </ConfirmDialog>
  );
}

function coresOf(typed: string): number | null {
  const cores = parsePositiveInteger(typed);
  return cores !== null && cores <= MAX_CORES ? cores : null;
}

function coresText(cores: number): string {
  return cores === 1 ? "1 core" : `${cores} cores`;
}

function confirmLabelOf(cores: number | null, quote: CoreQuote | null): string {
  if (quote === null || cores === null) return "Change cores";
  const price = BigInt(quote.price);
  if (price === 0n) return `Change to ${coresText(cores)}`;
  return price > 0n
    ? `Change for ${moneyText(price, quote.currency)}`
    : `Change and get ${moneyText(-price, quote.currency)}`;
}
