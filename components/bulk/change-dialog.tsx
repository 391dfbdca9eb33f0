"use client";
import { useState } from "react";
import { ConfirmForm } from "#components/form/confirm-form.tsx";
import { usePermission } from "#components/shell/permissions.tsx";
import { ViewedResellerProvider } from "#components/shell/viewed-reseller.tsx";
import { SelectField, TextareaField, TextField } from "#components/ui/field.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";
import { countText, numberText } from "#lib/domain/count-text.ts";
import { type ChangeText, changeTexts } from "./change-text.ts";
import {
  type ChangeQuote,
  type ChangeRequest,
  type OfferedChange,
  offeredChanges,
  type StartRequest,
  sentSelection,
} from "./license-change.ts";
import { QuoteFailure, QuoteSkeleton } from "./quote-state.tsx";
import { QuoteSummary } from "./quote-summary.tsx";
import { type Selection, type SelectionNoun, selectedCount } from "./selection-store.ts";
import { useJobStart } from "./use-job-start.ts";

export interface ChangeActions {
  readonly quote: OnceAction<ChangeRequest, ChangeQuote>;
  readonly start: OnceAction<StartRequest, { readonly href: string }>;
}

export interface ChangeDialogProps extends ChangeActions {
  readonly noun: SelectionNoun;
  readonly offered: OfferedChange;
  readonly selection: Selection;
  readonly onClose: () => void;
}

/** Says what a change of many would do and cost before it is started. */
export default function ChangeDialog({ noun, offered, selection, quote, start, onClose }: ChangeDialogProps) {
  const [months, setMonths] = useState("");
  const asAdmin = usePermission("admin:read");
  // Also undefined: the control's empty text is no number.
  const cycle = offered === "renew" && noun === "license" ? { months: months === "" ? undefined : Number(months) } : {};
  const request = { selection: sentSelection(selection), ...offeredChanges[offered].change, ...cycle };
  const { form, quote: numbers, pending, failure } = useJobStart({ noun, name: offered, request }, quote, start);
  const texts = changeTexts[offered];
  const { fields = [] } = texts;
  const selected = selectedCount(selection);
  const changed = numbers?.count ?? 0;
  const leaves = changed > 0 && changed < selected;
  const what = `${leaves ? `${numberText(changed)} of ` : ""}${countText(selected, noun)}`;
  const named = numbers?.only ? `${numbers.only.name} (${numbers.only.id}). ` : "";
  const nothingPaid = numbers?.funds?.affordable.count === 0;

  return (
    <ViewedResellerProvider reseller={numbers?.reseller ?? null}>
      <ConfirmForm
        confirmDisabled={pending || numbers === null || numbers.count === 0 || nothingPaid}
        confirmLabel={numbers === null ? offeredChanges[offered].label : texts.confirm(numbers)}
        description={named + texts.description(selected === 1, asAdmin)}
        form={form}
        input={(textOf) => ({
          ...request,
          ...Object.fromEntries(fields.map(({ name }) => [name, textOf(name)])),
          ...(numbers && { agreed: { count: numbers.count, total: numbers.total } }),
        })}
        onClose={onClose}
        refusalNote="Nothing was started."
        size="md"
        title={texts.title(what)}
        tone={offered === "suspend" || offered === "terminate" ? "critical" : "default"}
      >
        {failure !== null && <QuoteFailure failure={failure} />}
        {numbers !== null && numbers.cycleLengths.length > 0 && (
          <SelectField
            disabled={form.pending}
            hint={months === "" ? undefined : "This becomes their billing cycle: later renewals use it, too."}
            label="Billing cycle"
            name="months"
            onChange={({ target }) => {
              setMonths(target.value);
              form.reset();
            }}
            options={[
              { value: "", label: selected === 1 ? "Its own" : "Each its own" },
              ...numbers.cycleLengths.map(({ months: length, count }) => ({
                value: String(length),
                label:
                  count === selected
                    ? countText(length, "month")
                    : `${countText(length, "month")} (${numberText(count)} of ${numberText(selected)})`,
              })),
            ]}
            value={months}
          />
        )}
        {fields.map((field, index) => (
          <ChangeField count={numbers?.count ?? null} field={field} key={field.name} first={index === 0} />
        ))}
        {numbers !== null && <QuoteSummary offered={offered} quote={numbers} />}
        {pending && numbers === null && failure === null && <QuoteSkeleton />}
      </ConfirmForm>
    </ViewedResellerProvider>
  );
}

interface ChangeFieldProps {
  readonly field: NonNullable<ChangeText["fields"]>[number];
  readonly first: boolean;
  /** Null until it is known. */
  readonly count: number | null;
}

function ChangeField({ field: { name, ...field }, first, count }: ChangeFieldProps) {
  if (name === "typed_count") {
    return (
      count !== null && (
        <TextField autoComplete="off" inputMode="numeric" label={`Type ${count} to confirm`} name={name} ref={focus} />
      )
    );
  }
  const focused = first ? { "data-autofocus": true } : {};
  if (name === "notes" || name === "reason") return <TextareaField {...field} {...focused} name={name} />;
  return <TextField {...field} {...focused} name={name} />;
}

/** Comes with the quote, after the dialog. */
function focus(input: HTMLInputElement | null): void {
  input?.focus();
}
