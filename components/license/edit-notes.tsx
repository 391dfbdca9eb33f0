"use client";
import { type KeyboardEvent, useId, useState } from "react";
import { FormFrame } from "#components/form/form.tsx";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { toastWithUndo } from "#components/form/toast-with-undo.ts";
import { useForm } from "#components/form/use-form.ts";
import { Allowed } from "#components/shell/permissions.tsx";
import { Button } from "#components/ui/button.tsx";
import { FieldError } from "#components/ui/field.tsx";
import { Textarea } from "#components/ui/textarea.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";
import type { NotesInput } from "./license-changes.ts";

export interface EditNotesProps extends NotesInput {
  readonly action: OnceAction<NotesInput, NotesInput>;
}

/** The notes where they stand: read, then edited in place; saving can be undone. */
export function EditNotes({ notes, seenVersion, action }: EditNotesProps) {
  const [editing, setEditing] = useState(false);
  const [edited, setEdited] = useState(false);
  const errorId = useId();
  const form = useForm(action, (saved) => {
    setEditing(false);
    const input = { notes, seenVersion: saved.seenVersion };
    toastWithUndo("Notes saved", { action, input, title: "Notes are as they were" });
  });
  const problem = form.problems[0]?.message;
  const open = () => {
    setEdited(true);
    setEditing(true);
  };
  const close = () => {
    form.reset();
    setEditing(false);
  };

  if (!editing) {
    return (
      <div className="flex min-w-0 flex-1 items-baseline gap-1">
        <span className={notes === "" ? "py-1 text-text-muted" : "wrap-anywhere min-w-0 whitespace-pre-wrap py-1"}>
          {notes === "" ? "None" : notes}
        </span>
        <Allowed to="licenses:write">
          <Button aria-label="Edit notes" autoFocus={edited} onClick={open} size="sm" variant="link">
            Edit
          </Button>
        </Allowed>
      </div>
    );
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && !form.pending) close();
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) form.ref.current?.requestSubmit();
  };
  return (
    <FormFrame className="flex min-w-0 flex-1 flex-col gap-2 py-1" form={form} input={{ seenVersion }}>
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
      {form.refusal && <SubmissionError failure={form.refusal} refusalNote="Nothing was changed." />}
      <div className="flex gap-2">
        <Button loading={form.pending} size="sm" type="submit" variant="primary">
          Save notes
        </Button>
        <Button disabled={form.pending} onClick={close} size="sm">
          Cancel
        </Button>
      </div>
    </FormFrame>
  );
}
