"use client";
import { Download, RotateCcw, Square } from "lucide-react";
import { useState } from "react";
import type { OnceAction } from "#components/form/action-result.ts";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { useSubmission } from "#components/form/use-submission.ts";
import { Button } from "#components/ui/button.tsx";
import { buttonClassName } from "#components/ui/button-style.ts";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { Money } from "#components/ui/money.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import { toast } from "#components/ui/toast-store.ts";
import { type BulkJobView, countOf } from "./bulk-job.ts";

export interface BulkJobActionsProps {
  readonly job: BulkJobView;
  readonly cancel: OnceAction<number, null>;
  readonly retry: OnceAction<number, null>;
  readonly onChanged: () => void;
}

/** What can be done with a job now: stop it, try again what failed, keep its results. */
export function BulkJobActions({ job, cancel, retry, onChanged }: BulkJobActionsProps) {
  const [open, setOpen] = useState<"cancel" | "retry" | null>(null);
  const close = () => setOpen(null);
  const canCancel = !job.canceled && (job.state === "queued" || job.state === "running");
  const canRetry = job.state === "finished" && job.counts.failed > 0 && !job.allOrNothing;
  return (
    <>
      {/* A file, not a page: the router must not fetch it. */}
      <a className={buttonClassName("secondary", "md")} download href={`${job.href}/results`}>
        <Download aria-hidden className="size-3.5" />
        Results as CSV
      </a>
      {canCancel && (
        <Button icon={<Square aria-hidden className="size-3.5" />} onClick={() => setOpen("cancel")}>
          {job.allOrNothing ? "Stop and take back" : "Cancel the rest"}
        </Button>
      )}
      {canRetry && (
        <Button
          icon={<RotateCcw aria-hidden className="size-3.5" />}
          onClick={() => setOpen("retry")}
          variant="primary"
        >
          Retry {job.counts.failed.toLocaleString("en-US")} failed
        </Button>
      )}
      {open === "cancel" && <CancelDialog action={cancel} job={job} onChanged={onChanged} onClose={close} />}
      {open === "retry" && <RetryDialog action={retry} job={job} onChanged={onChanged} onClose={close} />}
    </>
  );
}

interface DialogProps {
  readonly job: BulkJobView;
  readonly action: OnceAction<number, null>;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

function CancelDialog({ job, action, onClose, onChanged }: DialogProps) {
  const { pending, failure, send } = useSubmission(action, () => {
    onClose();
    onChanged();
    toast({ title: job.allOrNothing ? "Stopped: it is being taken back" : "The rest is canceled" });
  });
  const left = countOf(job.counts, "waiting");
  return (
    <ConfirmDialog
      confirmLabel={job.allOrNothing ? "Stop and take back" : "Cancel the rest"}
      description={
        job.allOrNothing
          ? "What is done already is taken back, one after the other."
          : `${left === 1 ? "1 is left and stays as it is" : `${left.toLocaleString("en-US")} are left and stay as they are`}. What is done stays done and charged.`
      }
      onClose={onClose}
      onConfirm={() => void send(job.id)}
      open
      pending={pending}
      title={job.allOrNothing ? "Stop, and take back what is done?" : "Cancel what has not begun?"}
      tone="critical"
    >
      {failure && <SubmissionError failure={failure} refusalNote="It may have ended meanwhile." />}
    </ConfirmDialog>
  );
}

function RetryDialog({ job, action, onClose, onChanged }: DialogProps) {
  const { pending, failure, send } = useSubmission(action, () => {
    onClose();
    onChanged();
    toast({ title: "Trying again what failed" });
  });
  const { failed } = job.counts;
  const charged = job.retryTotal !== "0";
  return (
    <ConfirmDialog
      confirmLabel={charged ? `Retry for up to ${moneyText(job.retryTotal, job.currency)}` : `Retry ${failed}`}
      cost={
        charged
          ? [
              { label: "To be tried again", value: failed.toLocaleString("en-US") },
              { label: "Charged if all succeed", value: <Money currency={job.currency} minor={job.retryTotal} /> },
            ]
          : []
      }
      description="Only what failed is tried again. What is done is neither done nor charged twice."
      onClose={onClose}
      onConfirm={() => void send(job.id)}
      open
      pending={pending}
      title={failed === 1 ? "Retry the one that failed?" : `Retry the ${failed.toLocaleString("en-US")} that failed?`}
    >
      {failure && <SubmissionError failure={failure} refusalNote="Nothing was charged." />}
    </ConfirmDialog>
  );
}
