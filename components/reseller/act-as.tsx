"use client";
import { Eye } from "lucide-react";
import { useState } from "react";
import { ConfirmForm } from "#components/form/confirm-form.tsx";
import { useForm } from "#components/form/use-form.ts";
import { Button } from "#components/ui/button.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";

export interface ActAsProps {
  readonly name: string;
  readonly action: OnceAction<undefined>;
}

/** A button, and the question before an admin sees what a reseller sees. */
export function ActAs({ name, action }: ActAsProps) {
  const [open, setOpen] = useState(false);
  const actAsShown = (_: object, key?: string) => action(undefined, key);
  const form = useForm(actAsShown, () => {
    // A page load, not a navigation: nothing of the admin's pages stays in memory.
    window.location.assign("/");
    return true;
  });
  return (
    <>
      <Button icon={<Eye aria-hidden className="size-3.5" />} onClick={() => setOpen(true)}>
        Act as
      </Button>
      {open && (
        <ConfirmForm
          confirmLabel="Act as this reseller"
          description="You see this reseller's dashboard and can do what its users can, for an hour or until you stop. Charges go to its wallet, and what you do is logged under your name."
          form={form}
          onClose={() => setOpen(false)}
          refusalNote="You are still signed in as yourself."
          title={`Act as ${name}?`}
        />
      )}
    </>
  );
}
