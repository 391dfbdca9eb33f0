"use client";
import { CheckCheck } from "lucide-react";
import { useSubmission } from "#components/form/use-submission.ts";
import { Button } from "#components/ui/button.tsx";
import { toast } from "#components/ui/toast-store.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";
import { useUnreadRefresh } from "./use-unread.ts";

export interface MarkReadButtonProps {
  /** The newest that is shown: ISO 8601. What comes meanwhile stays unread. */
  readonly until: string;
  readonly action: OnceAction<{ readonly until: string }>;
}

export function MarkReadButton({ until, action }: MarkReadButtonProps) {
  const refresh = useUnreadRefresh();
  const { pending, send } = useSubmission(action, refresh, (failure) =>
    toast({
      title: "Nothing was marked as read",
      description: "message" in failure ? failure.message : "",
      tone: "critical",
    }),
  );
  return (
    <Button icon={<CheckCheck aria-hidden className="size-4" />} loading={pending} onClick={() => void send({ until })}>
      Mark all as read
    </Button>
  );
}
