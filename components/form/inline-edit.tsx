"use client";
import {
  createContext,
  type Dispatch,
  type KeyboardEvent,
  type ReactNode,
  type SetStateAction,
  useContext,
  useId,
  useState,
} from "react";
import { Allowed } from "#components/shell/permissions.tsx";
import { Button } from "#components/ui/button.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";
import type { Permission } from "#lib/domain/roles.ts";
import { FormFrame } from "./form.tsx";
import { SubmissionError } from "./submission-error.tsx";
import { toastWithUndo } from "./toast-with-undo.ts";
import { useForm } from "./use-form.ts";

interface OpenEdit {
  readonly name: string;
  /** Something was typed, which another edit must not throw away. */
  readonly touched: boolean;
}

interface OpenEditState {
  readonly openEdit: OpenEdit | null;
  readonly setOpenEdit: Dispatch<SetStateAction<OpenEdit | null>>;
  /** Of the text that says why no other value can be edited now. */
  readonly reasonId: string;
}

const OpenEdits = createContext<OpenEditState | null>(null);

/**
 * Values of one record, each an `InlineEdit`: one is edited at a time, and only the last edit offers Undo, as each saving
 * makes a new version of the record.
 */
export function InlineEdits({ children }: { readonly children: ReactNode }) {
  const [openEdit, setOpenEdit] = useState<OpenEdit | null>(null);
  const reasonId = useId();
  return <OpenEdits value={{ openEdit, setOpenEdit, reasonId }}>{children}</OpenEdits>;
}

function useOpenEdit() {
  const edits = useContext(OpenEdits);
  if (edits === null) throw new Error("An InlineEdit stands within InlineEdits.");
  return edits;
}

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
  readonly children: ReactNode;
}

/** A value where it stands: read, then edited in place; saving can be undone. */
export function InlineEdit<Input extends { readonly seenVersion: string }>(props: InlineEditProps<Input>) {
  const { name, title, stored, action, permission, shown, children } = props;
  const { openEdit, setOpenEdit, reasonId } = useOpenEdit();
  const [left, setLeft] = useState(false);
  const close = () => {
    setLeft(true);
    setOpenEdit((current) => (current?.name === name ? null : current));
  };
  const { seenVersion, ...texts } = stored;
  const form = useForm(
    (input: Input, key?: string) => action({ ...input, seenVersion }, key),
    (saved) => {
      close();
      const input = { ...stored, seenVersion: saved.seenVersion };
      toastWithUndo(`${title} saved`, { subject: "values", action, input, title: `${title} restored`, exact: true });
    },
    texts as Record<string, string>,
  );
  const open = () => {
    form.reset();
    setLeft(false);
    setOpenEdit({ name, touched: false });
  };

  if (openEdit?.name !== name) {
    const blocked = openEdit?.touched === true;
    return (
      <div className="flex min-w-0 flex-1 items-baseline justify-between gap-2">
        {shown}
        <Allowed to={permission}>
          <Button
            aria-describedby={blocked ? reasonId : undefined}
            aria-disabled={blocked || undefined}
            aria-label={`Edit ${name}`}
            autoFocus={left}
            className="-mr-2.5"
            onClick={blocked ? undefined : open}
            size="sm"
            variant="link"
          >
            Edit
          </Button>
        </Allowed>
      </div>
    );
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLButtonElement) return;
    if (event.key === "Escape" && !form.pending) close();
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) form.ref.current?.requestSubmit();
  };
  return (
    <FormFrame
      className="flex min-w-0 flex-1 flex-col gap-2 py-1"
      form={form}
      onInput={() => setOpenEdit({ name, touched: true })}
      onKeyDown={onKeyDown}
    >
      {children}
      {form.refusal && (
        <SubmissionError failure={form.refusal} refusalNote="Nothing was changed." serverChanges={form.serverChanges} />
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button loading={form.pending} size="sm" type="submit" variant="primary">
          Save {name}
        </Button>
        <Button disabled={form.pending} onClick={close} size="sm">
          Cancel
        </Button>
        {openEdit.touched && (
          <p className="text-text-muted text-sm" id={reasonId}>
            Save or cancel it to edit anything else.
          </p>
        )}
      </div>
    </FormFrame>
  );
}
