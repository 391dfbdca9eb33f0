"use client";
import { CheckCheck } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";
import { useMark } from "./use-mark.ts";

export interface MarkReadButtonProps {
  /** The newest that is shown: ISO 8601. What comes meanwhile stays unread. */
  readonly until: string;
  readonly action: OnceAction<{ readonly until: string }>;
}

export function MarkReadButton({ until, action }: MarkReadButtonProps) {
  const { pending, send } = useMark(action);
  return (
    <Button icon={<CheckCheck aria-hidden className="size-4" />} loading={pending} onClick={() => void send({ until })}>
      Mark all as read
    </Button>
  );
}
