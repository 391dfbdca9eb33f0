"use client";
import { IconButton } from "#components/ui/icon-button.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";
import { UnreadDot } from "./unread-dot.tsx";
import { useMark } from "./use-mark.ts";

export interface MarkOneProps {
  readonly id: string;
  readonly unread: boolean;
  readonly action: OnceAction<{ readonly id: string; readonly unread: boolean }>;
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
      size="sm"
    />
  );
}
