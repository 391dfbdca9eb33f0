"use client";
import { usePathname, useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { Button, type ButtonProps } from "./button.tsx";

export interface DialogButtonProps extends Omit<ButtonProps, "onClick" | "children"> {
  readonly label: ReactNode;
  /** What the page's address asks the dialog for, also on the page that one is on. Closing it ends the address's query. */
  readonly asked?: string | null;
  /** The dialog. */
  readonly children: (onClose: () => void) => ReactNode;
}

/** A button, and the dialog that it opens. */
export function DialogButton({ label, asked = null, children, ...button }: DialogButtonProps) {
  const [open, setOpen] = useState(asked !== null);
  const [followed, setFollowed] = useState(asked);
  const pathname = usePathname();
  const router = useRouter();
  if (asked !== followed) {
    setFollowed(asked);
    // The end of a query closes nothing: the dialog may have been opened by the button since.
    if (asked !== null) setOpen(true);
  }

  function close() {
    setOpen(false);
    if (asked !== null) router.replace(pathname, { scroll: false });
  }

  return (
    <>
      <Button {...button} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {open && children(close)}
    </>
  );
}
