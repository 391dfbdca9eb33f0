"use client";
import { type ReactNode, useState } from "react";
import { Button, type ButtonProps } from "./button.tsx";

export interface DialogButtonProps extends Omit<ButtonProps, "onClick" | "children"> {
  readonly label: ReactNode;
  /** The dialog is open from the start. */
  readonly opened?: boolean;
  /** The dialog. */
  readonly children: (onClose: () => void) => ReactNode;
}

/** A button, and the dialog that it opens. */
export function DialogButton({ label, opened = false, children, ...button }: DialogButtonProps) {
  const [open, setOpen] = useState(opened);
  return (
    <>
      <Button {...button} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {open && children(() => setOpen(false))}
    </>
  );
}
