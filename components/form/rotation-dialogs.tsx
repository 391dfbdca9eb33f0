"use client";
import type { ReactNode } from "react";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { SubmissionError } from "./submission-error.tsx";
import type { SubmissionFailure } from "./use-submission.ts";

export interface AskToRotateProps {
  readonly title: string;
  readonly description: string;
  /** The present one ends at once: what still uses it fails. */
  readonly critical?: boolean;
  readonly pending: boolean;
  readonly failure: SubmissionFailure | null;
  /** What did not happen when the server refused. */
  readonly refusalNote: string;
  readonly onRotate: () => void;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** Before a secret is replaced: what becomes of the present one. */
export function AskToRotate(props: AskToRotateProps) {
  const { title, description, critical = false, pending, failure, refusalNote, onRotate, onClose, children } = props;
  return (
    <Dialog
      description={description}
      dismissible={!pending}
      footer={
        <>
          <Button disabled={pending} onClick={onClose}>
            Cancel
          </Button>
          <Button data-autofocus loading={pending} onClick={onRotate} variant={critical ? "critical" : "primary"}>
            Rotate
          </Button>
        </>
      }
      onClose={onClose}
      open
      title={title}
    >
      <div className="flex flex-col gap-4">
        {children}
        {failure && <SubmissionError failure={failure} refusalNote={refusalNote} />}
      </div>
    </Dialog>
  );
}

export interface ShownOnceProps {
  readonly title: string;
  /** Says that it is stored, or what else to do. */
  readonly leaveLabel: string;
  readonly onLeave: () => void;
  readonly size?: "md" | "lg";
  readonly children: ReactNode;
}

/** The one look at a secret: nothing but its own button closes it. */
export function ShownOnce({ title, leaveLabel, onLeave, size = "md", children }: ShownOnceProps) {
  return (
    <Dialog
      dismissible={false}
      footer={
        <Button data-autofocus onClick={onLeave} variant="primary">
          {leaveLabel}
        </Button>
      }
      onClose={onLeave}
      open
      size={size}
      title={title}
    >
      <div className="flex flex-col gap-4">{children}</div>
    </Dialog>
  );
}
