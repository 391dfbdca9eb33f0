import { Badge } from "#components/ui/badge.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import type { MailRow } from "#lib/services/mail/outbox.ts";

const names = { pending: "Waiting", sent: "Delivered", failed: "Not delivered" } as const;

/** Without a mail server nothing waits for an attempt. */
export function mailStateName(state: MailRow["state"], hasServer: boolean): string {
  return state === "pending" && !hasServer ? "Not sent" : names[state];
}

const tones = { pending: "accent", sent: "positive", failed: "critical" } as const;

export interface MailStateProps {
  readonly mail: Pick<MailRow, "state">;
  readonly hasServer: boolean;
}

export function MailStateBadge({ mail: { state }, hasServer }: MailStateProps) {
  const isHeld = state === "pending" && !hasServer;
  return <Badge tone={isHeld ? "caution" : tones[state]}>{mailStateName(state, hasServer)}</Badge>;
}

/** Why it was not delivered yet, or when it was. */
export function MailOutcome({ mail, hasServer }: { readonly mail: MailRow; readonly hasServer: boolean }) {
  if (mail.state === "sent" && mail.sentAt !== null) return <Timestamp format="relative" value={mail.sentAt} />;
  if (mail.state === "pending" && !hasServer) return "No mail server is configured.";
  if (mail.error !== null) return mail.error;
  return "Waiting for the first attempt.";
}
