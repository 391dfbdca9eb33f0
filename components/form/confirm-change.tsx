"use client";
import type { ReactNode } from "react";
import { ConfirmDialog, type ConfirmDialogProps } from "#components/ui/confirm-dialog.tsx";
import { toast } from "#components/ui/toast-store.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";
import { SubmissionError } from "./submission-error.tsx";
import { useSubmission } from "./use-submission.ts";

export interface ConfirmChangeProps<Input>
  extends Pick<ConfirmDialogProps, "title" | "description" | "confirmLabel" | "cost"> {
  readonly action: OnceAction<Input, unknown>;
  readonly input: Input;
  readonly tone?: "default" | "critical";
  /** What the toast says afterwards. */
  readonly done: string;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** A question that needs nothing but yes: retire, restore, remove, disable. */
export function ConfirmChange<Input>(props: ConfirmChangeProps<Input>) {
  const { action, input, done, onClose, children, ...dialog } = props;
  const { pending, failure, send } = useSubmission(action, () => {
    onClose();
    toast({ title: done, tone: "positive" });
  });
  return (
    <ConfirmDialog {...dialog} onClose={onClose} onConfirm={() => void send(input)} open pending={pending}>
      {children}
      {failure && <SubmissionError failure={failure} refusalNote="Nothing was changed." />}
    </ConfirmDialog>
  );
}
