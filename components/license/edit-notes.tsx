"use client";
import { useId } from "react";
import { InlineEdit } from "#components/form/inline-edit.tsx";
import { FieldError } from "#components/ui/field.tsx";
import { Textarea } from "#components/ui/textarea.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";
import type { NotesInput } from "./license-changes.ts";

export interface EditNotesProps extends NotesInput {
  readonly action: OnceAction<NotesInput, NotesInput>;
}

export function EditNotes({ notes, seenVersion, action }: EditNotesProps) {
  const errorId = useId();
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
      {({ problem, onKeyDown }) => (
        <>
          <Textarea
            aria-describedby={problem ? errorId : undefined}
            aria-invalid={problem ? true : undefined}
            aria-label="Notes"
            autoFocus
            data-field="notes"
            data-label="Notes"
            defaultValue={notes}
            name="notes"
            onKeyDown={onKeyDown}
            rows={2}
          />
          <FieldError id={errorId}>{problem}</FieldError>
        </>
      )}
    </InlineEdit>
  );
}
