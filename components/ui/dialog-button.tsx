"use client";
import { usePathname, useSearchParams } from "next/navigation";
import { type ReactNode, useState } from "react";
import { Button, type ButtonProps } from "./button.tsx";

export interface DialogButtonProps extends Omit<ButtonProps, "onClick" | "children"> {
  readonly label: ReactNode;
  /** Parameter of the URL that opens the dialog, also by a link on the same page. Closing removes the query. */
  readonly askedBy?: string | null;
  /** False: the button is not shown; a dialog that is open stays, with what was typed. */
  readonly offered?: boolean;
  /** The dialog. `asked`: the parameter's value; null if the button opened it. */
  readonly children: (onClose: () => void, asked: string | null) => ReactNode;
}

/** A button, and the dialog that it opens. */
export function DialogButton({ label, askedBy, offered = true, children, ...button }: DialogButtonProps) {
  const asked = useSearchParams().get(askedBy ?? "");
  const [open, setOpen] = useState<{ readonly asked: string | null } | null>(
    asked === null || !offered ? null : { asked },
  );
  const [followed, setFollowed] = useState(asked);
  const pathname = usePathname();
  if (asked !== followed) {
    setFollowed(asked);
    // Removing the query does not close the dialog: the button may have opened it since.
    if (asked !== null && offered) setOpen({ asked });
  }

  function close() {
    setOpen(null);
    // Without a request to the server: a link may open the dialog again before it answers.
    if (asked !== null) window.history.replaceState(null, "", pathname);
  }

  return (
    <>
      {offered && (
        <Button {...button} onClick={() => setOpen({ asked: null })}>
          {label}
        </Button>
      )}
      {open && children(close, open.asked)}
    </>
  );
}
