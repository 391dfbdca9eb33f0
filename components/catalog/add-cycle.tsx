"use client";
import { Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { NewCycleDialog, type NewCycleDialogProps } from "./cycle-dialogs.tsx";

/** The button, and the dialog behind it. */
export function AddCycle({ primary, ...dialog }: Omit<NewCycleDialogProps, "onClose"> & { readonly primary: boolean }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        icon={<Plus aria-hidden className="size-3.5" />}
        onClick={() => setOpen(true)}
        variant={primary ? "primary" : "secondary"}
      >
        Add cycle
      </Button>
      {open && <NewCycleDialog {...dialog} onClose={() => setOpen(false)} />}
    </>
  );
}
