"use client";
import { useState } from "react";
import type { addBundle } from "#app/(dashboard)/catalog/actions.ts";
import { PageForm, usePageForm } from "#components/form/page-form.tsx";
import { TextareaField, TextField } from "#components/ui/field.tsx";
import type { MemberChoice } from "./describe-cycle.ts";
import { MemberPicker } from "./member-picker.tsx";

export interface EditBundleProps {
  readonly initial: { readonly name: string; readonly description: string; readonly members: readonly number[] };
  readonly choices: readonly MemberChoice[];
  readonly isNew: boolean;
  readonly cancelHref: string;
  readonly action: typeof addBundle;
}

/** For a new bundle and for one that is changed. */
export function EditBundle({ initial, choices, isNew, cancelHref, action }: EditBundleProps) {
  const [members, setMembers] = useState(initial.members);
  const nameOf = (id: number) => choices.find((choice) => choice.id === id)?.name ?? String(id);
  const form = usePageForm(action, isNew ? "Bundle added" : "Bundle changed", {
    ...initial,
    members: initial.members.map(nameOf).join(", "),
  });
  return (
    <PageForm
      cancelHref={cancelHref}
      form={form}
      input={{ members }}
      refusalNote={isNew ? "No bundle was added." : "Nothing was changed."}
      submitLabel={isNew ? "Add bundle" : "Save changes"}
    >
      <TextField defaultValue={initial.name} label="Name" name="name" />
      <TextareaField
        defaultValue={initial.description}
        hint="Resellers see it when they choose."
        label="Description"
        name="description"
        optional
      />
      <MemberPicker choices={choices} onChange={setMembers} value={members} />
      {!isNew && <p className="text-sm text-text-muted">Applies to new sales. Sold bundles keep their licenses.</p>}
    </PageForm>
  );
}
