"use client";
import { useContext, useState } from "react";
import { Disclosure } from "#components/ui/disclosure.tsx";
import { TextareaField, TextField } from "#components/ui/field.tsx";
import { FieldProblems } from "#components/ui/field-problems.ts";
import { type Customer, MAX_TAGS } from "#lib/domain/labels.ts";

interface LabelFieldProps<Stored> {
  readonly stored?: Stored;
  /** Edited where it is shown, beside the name of what it is. */
  readonly inPlace?: boolean;
}

/** Whom the reseller sells a license to. */
export function CustomerFields({ stored, inPlace }: LabelFieldProps<Customer>) {
  return (
    <>
      <TextField
        autoFocus={inPlace}
        defaultValue={stored?.customerName}
        label="Customer name"
        labelHidden={inPlace}
        name="customerName"
        optional
        placeholder={inPlace ? "Name" : undefined}
      />
      <TextField defaultValue={stored?.customerEmail} inputMode="email" label="Email" name="customerEmail" optional />
      <TextField
        defaultValue={stored?.customerReference}
        hint="Your number for this customer, such as C-1042."
        label="Reference"
        name="customerReference"
        optional
      />
    </>
  );
}

/** `stored`: separated by commas. As high as they need, and like one line: Enter submits. */
export function TagsField({ stored, inPlace }: LabelFieldProps<string>) {
  return (
    <TextareaField
      autoFocus={inPlace}
      defaultValue={stored}
      hint={`Up to ${MAX_TAGS}, separated by commas.`}
      label="Tags"
      labelHidden={inPlace}
      name="tags"
      onKeyDown={(event) => {
        if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
        event.preventDefault();
        event.currentTarget.form?.requestSubmit();
      }}
      optional
      placeholder="eu, reseller-plan, vip"
    />
  );
}

const fields = ["customerName", "customerEmail", "customerReference", "tags"];

/** Closed until they are wanted, or one is wrong. */
export function RegisterLabels() {
  const [open, setOpen] = useState(false);
  const isWrong = useContext(FieldProblems).some(({ field }) => fields.includes(field));
  return (
    <Disclosure onToggle={setOpen} open={open || isWrong} summary="Customer and tags">
      <div className="mt-3 grid gap-5 sm:grid-cols-2">
        <CustomerFields />
        <TagsField />
      </div>
    </Disclosure>
  );
}
