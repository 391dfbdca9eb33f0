"use client";
import { ConfirmChange } from "#components/form/confirm-form.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { TextField } from "#components/ui/field.tsx";
import type { ViewActions, ViewLine } from "./saved-view-menu.tsx";

interface ViewDialogProps<Action> {
  readonly action: Action;
  readonly readers: string;
  readonly onClose: () => void;
}

export function SaveViewDialog({ query, ...rest }: ViewDialogProps<ViewActions["save"]> & { readonly query: string }) {
  const { action, readers, onClose } = rest;
  return (
    <ConfirmChange
      action={action}
      confirmLabel="Save view"
      description="The filters and the order of this list, under a name."
      done="View saved"
      input={(textOf) => ({ query, shared: textOf("shared") !== "" })}
      onClose={onClose}
      title="Save as a view"
    >
      <ViewFields readers={readers} />
    </ConfirmChange>
  );
}

export function EditViewDialog({
  view,
  ...rest
}: ViewDialogProps<ViewActions["change"]> & { readonly view: ViewLine }) {
  const { action, readers, onClose } = rest;
  return (
    <ConfirmChange
      action={action}
      confirmLabel="Save view"
      done="View changed"
      input={(textOf) => ({ id: view.id, shared: textOf("shared") !== "" })}
      onClose={onClose}
      title="Rename or share the view"
    >
      <ViewFields name={view.name} readers={readers} shared={view.shared} />
    </ConfirmChange>
  );
}

export function DeleteViewDialog({
  view,
  ...rest
}: ViewDialogProps<ViewActions["remove"]> & { readonly view: ViewLine }) {
  const { action, readers, onClose } = rest;
  return (
    <ConfirmChange
      action={action}
      confirmLabel="Delete view"
      description={
        view.shared ? `It is deleted for ${readers}, too. The list stays as it is.` : "The list stays as it is."
      }
      done="View deleted"
      input={{ id: view.id }}
      onClose={onClose}
      title={`Delete “${view.name}”?`}
      tone="critical"
    />
  );
}

interface ViewFieldsProps {
  readonly name?: string;
  readonly shared?: boolean;
  readonly readers: string;
}

function ViewFields({ name = "", shared = false, readers }: ViewFieldsProps) {
  return (
    <>
      <TextField autoComplete="off" data-autofocus defaultValue={name} label="Name" maxLength={60} name="name" />
      <Checkbox
        defaultChecked={shared}
        hint="They see the same filters, applied to what their role lets them see."
        label={`Share with ${readers}`}
        name="shared"
      />
    </>
  );
}
