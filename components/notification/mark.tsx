"use client";
import { CheckCheck } from "lucide-react";
import type { markOne, markRead } from "#app/(dashboard)/notifications/actions.ts";
import { useSubmission } from "#components/form/use-submission.ts";
import { Button } from "#components/ui/button.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";
import { UnreadDot } from "./unread-dot.tsx";
import { useUnreadRefresh } from "./use-unread.ts";

export interface MarkOneProps {
  readonly id: string;
  readonly unread: boolean;
  readonly action: typeof markOne;
}

/** Shows a notification's mark, and turns it over. */
export function MarkOne({ id, unread, action }: MarkOneProps) {
  const { pending, send } = useMark(action);
  return (
    <IconButton
      icon={<UnreadDot unread={unread} />}
      label={unread ? "Mark as read" : "Mark as unread"}
      loading={pending}
      onClick={() => void send({ id, unread: !unread })}
    />
  );
}

export interface MarkReadButtonProps {
  /** The newest that is shown: ISO 8601. What comes meanwhile stays unread. */
  readonly until: string;
  readonly action: typeof markRead;
}

export function MarkReadButton({ until, action }: MarkReadButtonProps) {
  const { pending, send } = useMark(action);
  return (
    <Button icon={<CheckCheck className="size-4" />} loading={pending} onClick={() => void send({ until })}>
      Mark all as read
    </Button>
  );
}

/** Marks notifications, and counts the bell's again. */
function useMark<Input>(action: OnceAction<Input>) {
  return useSubmission(action, useUnreadRefresh(), { notDone: "Nothing was marked" });
}
