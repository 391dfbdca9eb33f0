"use client";
import { usePathname, useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { Button, type ButtonProps } from "./button.tsx";

export interface DialogButtonProps extends Omit<ButtonProps, "onClick" | "children"> {
  readonly label: ReactNode;
  /** The page's address asks for the dialog, also on the page that one is on. Closing it ends the address's query. */
  readonly opened?: boolean;
  /** The dialog. */
  readonly children: (onClose: () => void) => ReactNode;
}

/** A button, and the dialog that it opens. */
export function DialogButton({ label, opened = false, children, ...button }: DialogButtonProps) {
  const [open, setOpen] = useState(opened);
  const [asked, setAsked] = useState(opened);
  const pathname = usePathname();
  const router = useRouter();
  if (opened !== asked) {
    setAsked(opened);
    setOpen(opened);
  }

  function close() {
    setOpen(false);
    if (opened) router.replace(pathname, { scroll: false });
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
