"use client";
import { useContext, useState } from "react";
import { Disclosure } from "#components/ui/disclosure.tsx";
import { FieldProblems } from "#components/ui/field-problems.ts";
import { CustomerFields, TagsField } from "./label-fields.tsx";

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
