"use client";
import { Check, Circle } from "lucide-react";
import { IconButton } from "#components/ui/icon-button.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";
import { useMark } from "./use-mark.ts";

export interface MarkOneProps {
  readonly id: string;
  readonly unread: boolean;
  readonly action: OnceAction<{ readonly id: string; readonly unread: boolean }>;
}

/** Turns a notification's mark over. */
export function MarkOne({ id, unread, action }: MarkOneProps) {
  const { pending, send } = useMark(action);
  return (
    <IconButton
      icon={unread ? <Check aria-hidden className="size-4" /> : <Circle aria-hidden className="size-3.5" />}
      label={unread ? "Mark as read" : "Mark as unread"}
      loading={pending}
      onClick={() => void send({ id, unread: !unread })}
      size="sm"
    />
  );
}
