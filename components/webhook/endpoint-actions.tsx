"use client";
import { CirclePlay, Pause, Repeat, RotateCcwKey, Send, Trash2 } from "lucide-react";
import { useState } from "react";
import type { remove, rotate, sendTest, setPaused, verify } from "#app/(dashboard)/webhooks/actions.ts";
import { Button } from "#components/ui/button.tsx";
import { DropdownMenu } from "#components/ui/dropdown-menu.tsx";
import { MenuItem, MenuSeparator } from "#components/ui/menu-item.tsx";
import { DeleteDialog, PauseDialog, ResumeDialog, RotateSecretDialog, TestEventDialog } from "./endpoint-dialogs.tsx";
import { type ResendMissedActions, ResendMissedDialog } from "./resend-missed.tsx";
import { VerifyButton } from "./verify-button.tsx";
import type { EndpointDetails } from "./webhook.ts";

export interface EndpointActionsProps {
  readonly endpoint: EndpointDetails;
  readonly actions: ResendMissedActions & {
    readonly setPaused: typeof setPaused;
    readonly remove: typeof remove;
    readonly rotate: typeof rotate;
    readonly sendTest: typeof sendTest;
    readonly verify: typeof verify;
  };
}

type Question = "test" | "pause" | "resume" | "rotate" | "resend" | "delete";

/** What can be done with an endpoint now. */
export function EndpointActions({ endpoint, actions }: EndpointActionsProps) {
  const [question, setQuestion] = useState<Question | null>(null);
  const close = () => setQuestion(null);
  const dialog = { endpoint, onClose: close };
  const running = endpoint.state === "active" || endpoint.state === "failing";
  return (
    <>
      {endpoint.status === "pending" ? (
        <VerifyButton
          endpointId={endpoint.endpointId}
          isAwaited={endpoint.challengeError === null}
          isChat={endpoint.format !== "standard"}
          verify={actions.verify}
        />
      ) : running ? (
        <>
          <Button icon={<Pause />} onClick={() => setQuestion("pause")}>
            Pause
          </Button>
          <Button icon={<Send />} onClick={() => setQuestion("test")} variant="primary">
            Send test event
          </Button>
        </>
      ) : (
        <Button icon={<CirclePlay />} onClick={() => setQuestion("resume")} variant="primary">
          {endpoint.state === "disabled" ? "Enable" : "Resume"}
        </Button>
      )}
      <DropdownMenu label="More actions" size="md" variant="secondary">
        {running && (
          <MenuItem icon={<Repeat />} onSelect={() => setQuestion("resend")}>
            Resend failed
          </MenuItem>
        )}
        {endpoint.format === "standard" && (
          <MenuItem icon={<RotateCcwKey />} onSelect={() => setQuestion("rotate")}>
            Rotate secret
          </MenuItem>
        )}
        {(running || endpoint.format === "standard") && <MenuSeparator />}
        <MenuItem icon={<Trash2 />} onSelect={() => setQuestion("delete")} tone="critical">
          Delete
        </MenuItem>
      </DropdownMenu>
      {question === "test" && <TestEventDialog {...dialog} action={actions.sendTest} />}
      {question === "pause" && <PauseDialog {...dialog} action={actions.setPaused} />}
      {question === "resume" && <ResumeDialog {...dialog} action={actions.setPaused} />}
      {question === "rotate" && <RotateSecretDialog {...dialog} action={actions.rotate} />}
      {question === "resend" && <ResendMissedDialog actions={actions} endpoints={[endpoint]} onClose={close} />}
      {question === "delete" && <DeleteDialog {...dialog} action={actions.remove} />}
    </>
  );
}
