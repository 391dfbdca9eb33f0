"use client";
import { usePathname, useSearchParams } from "next/navigation";
import { type ReactNode, useState } from "react";
import { Button, type ButtonProps } from "./button.tsx";

export interface DialogButtonProps extends Omit<ButtonProps, "onClick" | "children"> {
  readonly label: ReactNode;
  /** The parameter of the address that asks for the dialog, also on the page that one is on. Closing it ends the query. */
  readonly askedBy?: string | null;
  /** The dialog. `asked`: the parameter's text; null: the button opened it. */
  readonly children: (onClose: () => void, asked: string | null) => ReactNode;
}

/** A button, and the dialog that it opens. */
export function DialogButton({ label, askedBy, children, ...button }: DialogButtonProps) {
  const asked = useSearchParams().get(askedBy ?? "");
  const [open, setOpen] = useState<{ readonly asked: string | null } | null>(asked === null ? null : { asked });
  const [followed, setFollowed] = useState(asked);
  const pathname = usePathname();
  if (asked !== followed) {
    setFollowed(asked);
    // The end of a query closes nothing: the dialog may have been opened by the button since.
    if (asked !== null) setOpen({ asked });
  }

  function close() {
    setOpen(null);
    // At once, without the server: the same may be asked again before it could answer.
    if (asked !== null) window.history.replaceState(null, "", pathname);
  }

  return (
    <>
      <Button {...button} onClick={() => setOpen({ asked: null })}>
        {label}
      </Button>
      {open && children(close, open.asked)}
    </>
  );
}
