"use client";
import { type KeyboardEvent, type SyntheticEvent, useId, useState } from "react";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { toastWithUndo } from "#components/form/toast-with-undo.ts";
import { problemOf, useFieldProblems } from "#components/form/use-field-problems.ts";
import { useSubmission } from "#components/form/use-submission.ts";
import { Button } from "#components/ui/button.tsx";
import { Textarea } from "#components/ui/textarea.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";
import type { NotesInput } from "./license-changes.ts";

export interface EditNotesProps extends NotesInput {
  readonly action: OnceAction<NotesInput, NotesInput>;
}

const labels = { notes: "Notes" };

/** The notes where they stand: read, then edited in place; saving can be undone. */
export function EditNotes({ notes, seenVersion, action }: EditNotesProps) {
  const [text, setText] = useState<string | null>(null);
  const [edited, setEdited] = useState(false);
  const errorId = useId();
  const { pending, failure, send, reset } = useSubmission(action, (saved) => {
    setText(null);
    const input = { notes, seenVersion: saved.seenVersion };
    toastWithUndo("Notes saved", { action, input, title: "Notes are as they were" });
  });
  const { problems, refusal } = useFieldProblems(failure, labels);
  const problem = problemOf(problems, "notes");
  const open = () => {
    setEdited(true);
    setText(notes);
  };
  const close = () => {
    reset();
    setText(null);
  };

  if (text === null) {
    return (
      <div className="flex min-w-0 flex-1 items-baseline gap-1">
        <span className={notes === "" ? "py-1 text-text-muted" : "wrap-anywhere min-w-0 whitespace-pre-wrap py-1"}>
          {notes === "" ? "None" : notes}
        </span>
        <Button aria-label="Edit notes" autoFocus={edited} onClick={open} size="sm" variant="link">
          Edit
        </Button>
      </div>
    );
  }

  const save = (event: SyntheticEvent) => {
    event.preventDefault();
    void send({ notes: text, seenVersion });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && !pending) close();
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) save(event);
  };
  return (
    <form className="flex min-w-0 flex-1 flex-col gap-2 py-1" noValidate onSubmit={save}>
      <Textarea
        aria-describedby={problem ? errorId : undefined}
        aria-invalid={problem ? true : undefined}
        aria-label="Notes"
        autoFocus
        name="notes"
        onChange={({ target }) => setText(target.value)}
        onKeyDown={onKeyDown}
        rows={2}
        value={text}
      />
      {problem && (
        <p className="text-critical text-sm" id={errorId}>
          {problem}
        </p>
      )}
      {refusal && <SubmissionError failure={refusal} refusalNote="Nothing was changed." />}
      <div className="flex gap-2">
        <Button loading={pending} size="sm" type="submit" variant="primary">
          Save notes
        </Button>
        <Button disabled={pending} onClick={close} size="sm">
          Cancel
        </Button>
      </div>
    </form>
  );
}
