"use client";
import { useSubmission } from "#components/form/use-submission.ts";
import { toast } from "#components/ui/toast-store.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";
import { useUnreadRefresh } from "./use-unread.ts";

/** Marks notifications, and counts the bell's again. */
export function useMark<Input>(action: OnceAction<Input>) {
  return useSubmission(action, useUnreadRefresh(), (failure) =>
    toast({
      title: "Nothing was marked",
      description: "message" in failure ? failure.message : "",
      tone: "critical",
    }),
  );
}
