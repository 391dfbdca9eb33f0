"use client";
import { Repeat } from "lucide-react";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { type ResendMissedActions, ResendMissedDialog } from "./resend-missed-dialog.tsx";
import type { EndpointDetails } from "./webhook.ts";

export interface ResendMissedProps {
  /** Those that something can be sent to. */
  readonly endpoints: readonly EndpointDetails[];
  /** The one that the log is filtered by, which is then offered first. */
  readonly chosenId: string | null;
  readonly actions: ResendMissedActions;
}

export function ResendMissed({ endpoints, chosenId, actions }: ResendMissedProps) {
  const [open, setOpen] = useState(false);
  if (endpoints.length === 0) return null;
  return (
    <>
      <Button icon={<Repeat aria-hidden className="size-3.5" />} onClick={() => setOpen(true)}>
        Resend failed deliveries…
      </Button>
      {open && (
        <ResendMissedDialog
          actions={actions}
          endpoints={endpoints.toSorted((one, other) => Number(other.id === chosenId) - Number(one.id === chosenId))}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
