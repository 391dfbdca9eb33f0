"use client";
import { type KeyboardEvent, type ReactNode, useState } from "react";
import { Allowed } from "#components/shell/permissions.tsx";
import { Button } from "#components/ui/button.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";
import type { Permission } from "#lib/domain/roles.ts";
import { FormFrame } from "./form.tsx";
import { SubmissionError } from "./submission-error.tsx";
import { toastWithUndo } from "./toast-with-undo.ts";
import { useForm } from "./use-form.ts";

interface InlineEditProps<Input extends { readonly seenVersion: string }> {
  /** What is edited, in lower case: "notes". */
  readonly name: string;
  readonly title: string;
  /** As stored now; undoing sends it again. */
  readonly stored: Input;
  readonly action: OnceAction<Input, Input>;
  readonly permission: Permission;
  /** The value as it is read. */
  readonly shown: ReactNode;
  /** Its fields; the first has the focus. */
  readonly children: (field: {
    readonly problem: string | undefined;
    readonly onKeyDown: (event: KeyboardEvent) => void;
  }) => ReactNode;
}

/** A value where it stands: read, then edited in place; saving can be undone. */
export function InlineEdit<Input extends { readonly seenVersion: string }>(props: InlineEditProps<Input>) {
  const { name, title, stored, action, permission, shown, children } = props;
  const [editing, setEditing] = useState(false);
  const [edited, setEdited] = useState(false);
  const form = useForm(action, (saved) => {
    setEditing(false);
    const input = { ...stored, seenVersion: saved.seenVersion };
    toastWithUndo(`${title} saved`, { action, input, title: `${title} restored` });
  });
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
      <div className="flex min-w-0 flex-1 items-baseline justify-between gap-2">
        {shown}
        <Allowed to={permission}>
          <Button aria-label={`Edit ${name}`} autoFocus={edited} onClick={open} size="sm" variant="link">
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
    <FormFrame
      className="flex min-w-0 flex-1 flex-col gap-2 py-1"
      form={form}
      input={{ seenVersion: stored.seenVersion } as Partial<Input>}
    >
      {children({ problem: form.problems[0]?.message, onKeyDown })}
      {form.refusal && <SubmissionError failure={form.refusal} refusalNote="Nothing was changed." />}
      <div className="flex gap-2">
        <Button loading={form.pending} size="sm" type="submit" variant="primary">
          Save {name}
        </Button>
        <Button disabled={form.pending} onClick={close} size="sm">
          Cancel
        </Button>
      </div>
    </FormFrame>
  );
}
