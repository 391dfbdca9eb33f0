"use client";
import { Repeat } from "lucide-react";
import { DialogButton } from "#components/ui/dialog-button.tsx";
import { type ResendMissedActions, ResendMissedDialog } from "./resend-missed-dialog.tsx";
import type { EndpointDetails } from "./webhook.ts";

export interface ResendMissedProps {
  readonly endpoints: readonly EndpointDetails[];
  /** The one that the log is filtered by, which is then offered first. */
  readonly chosenId: string | null;
  readonly actions: ResendMissedActions;
}

export function ResendMissed({ endpoints, chosenId, actions }: ResendMissedProps) {
  const running = endpoints.filter(({ state }) => state === "active" || state === "failing");
  if (running.length === 0) return null;
  return (
    <DialogButton icon={<Repeat />} label="Resend failed deliveries">
      {(onClose) => (
        <ResendMissedDialog
          actions={actions}
          endpoints={running.toSorted((one, other) => Number(other.id === chosenId) - Number(one.id === chosenId))}
          onClose={onClose}
          stopped={endpoints.filter(({ state }) => state === "disabled" || state === "paused")}
        />
      )}
    </DialogButton>
  );
}
