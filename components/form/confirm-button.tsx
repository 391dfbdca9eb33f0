"use client";
import { DialogButton, type DialogButtonProps } from "#components/ui/dialog-button.tsx";
import { ConfirmChange, type ConfirmChangeProps } from "./confirm-form.tsx";

export interface ConfirmButtonProps<Input, Value> extends Omit<ConfirmChangeProps<Input, Value>, "onClose" | "size"> {
  readonly label: DialogButtonProps["label"];
  /** Its look. */
  readonly button?: Omit<DialogButtonProps, "label" | "children">;
}

/** A button, and what is asked before it does anything. */
export function ConfirmButton<Input, Value>({ label, button, ...question }: ConfirmButtonProps<Input, Value>) {
  return (
    <DialogButton {...button} label={label}>
      {(onClose) => <ConfirmChange {...question} onClose={onClose} />}
    </DialogButton>
  );
}
