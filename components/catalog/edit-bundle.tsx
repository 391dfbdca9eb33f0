"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Form } from "#components/form/form.tsx";
import { useForm } from "#components/form/use-form.ts";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { TextareaField, TextField } from "#components/ui/field.tsx";
import { toast } from "#components/ui/toast-store.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";
import type { BundleInput, Created } from "./catalog.ts";
import { type MemberChoice, MemberPicker } from "./member-picker.tsx";

export interface EditBundleProps {
  readonly initial: BundleInput;
  readonly choices: readonly MemberChoice[];
  readonly isNew: boolean;
  readonly cancelHref: string;
  readonly action: OnceAction<BundleInput, Created>;
}

/** For a new bundle and for one that is changed. */
export function EditBundle({ initial, choices, isNew, cancelHref, action }: EditBundleProps) {
  const router = useRouter();
  const [members, setMembers] = useState(initial.members);
  const nameOf = (id: number) => choices.find((choice) => choice.id === id)?.name ?? String(id);
  const form = useForm(
    action,
    ({ href }) => {
      toast({ title: isNew ? "Bundle added" : "Bundle changed", tone: "positive" });
      router.push(href);
      return true;
    },
    { ...initial, members: initial.members.map(nameOf).join(", ") },
  );
  return (
    <Card className="max-w-2xl">
      <Form
        buttons={<ButtonLink href={cancelHref}>Cancel</ButtonLink>}
        className="flex flex-col gap-5"
        form={form}
        input={{ members }}
        primary
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
          rows={2}
        />
        <MemberPicker choices={choices} onChange={setMembers} value={members} />
        {!isNew && (
          <p className="text-sm text-text-muted">
            Members count for what is sold from now on: bundles that were bought keep the licenses they have.
          </p>
        )}
      </Form>
    </Card>
  );
}
