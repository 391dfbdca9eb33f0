"use client";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { ChangeCoresDialog, type ChangeCoresDialogProps } from "./change-cores-dialog.tsx";

/** Beside the number of cores. */
export function ChangeCores(props: Omit<ChangeCoresDialogProps, "onClose">) {
  const [open, setOpen] = useState(false);
  if (!props.license.changeable) return null;
  return (
    <>
      <Button aria-label="Change cores" className="-mr-2.5" onClick={() => setOpen(true)} size="sm" variant="link">
        Change
      </Button>
      {open && <ChangeCoresDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}
