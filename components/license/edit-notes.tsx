"use client";
import { InlineEdit } from "#components/form/inline-edit.tsx";
import { TextareaField } from "#components/ui/field.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";
import type { NotesInput } from "./license-changes.ts";

export interface EditNotesProps extends NotesInput {
  readonly action: OnceAction<NotesInput, NotesInput>;
}

export function EditNotes({ notes, seenVersion, action }: EditNotesProps) {
  return (
    <InlineEdit
      action={action}
      name="notes"
      permission="licenses:write"
      shown={
        <span className={notes === "" ? "py-1 text-text-muted" : "wrap-anywhere min-w-0 whitespace-pre-wrap py-1"}>
          {notes === "" ? "None" : notes}
        </span>
      }
      stored={{ notes, seenVersion }}
      title="Notes"
    >
      <TextareaField autoFocus defaultValue={notes} label="Notes" labelHidden name="notes" required={false} rows={2} />
    </InlineEdit>
  );
}
