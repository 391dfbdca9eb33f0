"use client";
import { CircleStop, Download, RotateCcw } from "lucide-react";
import { useState } from "react";
import type { cancelJob, retryJob, stopReverts } from "#app/(dashboard)/jobs/[id]/actions.ts";
import { ConfirmChange } from "#components/form/confirm-form.tsx";
import { usePermission } from "#components/shell/permissions.tsx";
import { Button } from "#components/ui/button.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { buttonClassName } from "#components/ui/button-style.ts";
import { CostLines } from "#components/ui/cost-lines.tsx";
import { Money } from "#components/ui/money.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import { type Charge, shortfallOf, spendableLines } from "#components/wallet/charge.tsx";
import { ShortBalance } from "#components/wallet/short-balance.tsx";
import type { WalletBalance } from "#components/wallet/use-balance.ts";
import type { Bound, InputOf } from "#lib/domain/action-result.ts";
import { countText, numberText } from "#lib/domain/count-text.ts";
import { type BulkJobView, countOf } from "./bulk-job.ts";

export interface BulkJobActionsProps {
  readonly job: BulkJobView;
  readonly cancel: Bound<typeof cancelJob>;
  readonly retry: Bound<typeof retryJob>;
  readonly stopReverts: Bound<typeof stopReverts>;
  /** What trying again what failed would charge at most; null: it cannot be, or is free. */
  readonly retryCharge: Charge | null;
  readonly onChanged: () => void;
}

export function retryChargeOf(job: BulkJobView, balance: WalletBalance | null): Charge | null {
  const { retry } = job;
  return balance !== null && retry !== null && retry.total !== "0" ? { cost: BigInt(retry.total), balance } : null;
}

/** What can be done with a job now: stop it, try again what failed, keep its results. */
export function BulkJobActions({ job, cancel, retry, stopReverts, retryCharge, onChanged }: BulkJobActionsProps) {
  const [open, setOpen] = useState<"cancel" | "retry" | "stop" | null>(null);
  const mayStart = usePermission("licenses:write");
  const close = () => setOpen(null);
  const canCancel = job.mayChange && !job.canceled && (job.state === "queued" || job.state === "running");
  const short = retryCharge === null ? null : shortfallOf(retryCharge);
  const canStop =
    job.mayChange && (job.postponed !== null || (job.awaited !== null && (job.canceled || job.state === "undoing")));
  const cameToNothing = job.state === "finished" && (job.canceled || job.counts.failed > 0);
  return (
    <>
      {/* A file, not a page: the router must not fetch it. */}
      <a className={buttonClassName("secondary", "md")} download href={`/jobs/${job.id}/results`}>
        <Download />
        Results as CSV
      </a>
      {canCancel && (
        <Button icon={<CircleStop />} onClick={() => setOpen("cancel")}>
          {job.allOrNothing ? "Stop and revert" : "Cancel the rest"}
        </Button>
      )}
      {canStop && (
        <Button icon={<CircleStop aria-hidden className="size-3.5" />} onClick={() => setOpen("stop")}>
          {job.awaited === null ? "Stop trying" : "Stop waiting"}
        </Button>
      )}
      {mayStart && job.anewHref !== null && cameToNothing && (
        <ButtonLink href={job.anewHref} icon={<RotateCcw />} variant="primary">
          Try again
        </ButtonLink>
      )}
      {job.retry !== null && (
        <Button
          icon={<RotateCcw />}
          onClick={() => setOpen("retry")}
          variant={short === null ? "primary" : "secondary"}
        >
          Retry {numberText(job.retry.count)} failed
        </Button>
      )}
      {open === "cancel" && <CancelDialog action={cancel} job={job} onChanged={onChanged} onClose={close} />}
      {open === "stop" && <StopDialog action={stopReverts} job={job} onChanged={onChanged} onClose={close} />}
      {open === "retry" && (
        <RetryDialog action={retry} charge={retryCharge} job={job} onChanged={onChanged} onClose={close} />
      )}
    </>
  );
}

interface DialogProps<Action> {
  readonly job: BulkJobView;
  readonly action: Bound<Action>;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

function CancelDialog({ job, action, onClose, onChanged }: DialogProps<typeof cancelJob>) {
  const left = countOf(job.counts, "waiting");
  return (
    <ConfirmChange
      action={action}
      confirmLabel={job.allOrNothing ? "Stop and revert" : "Cancel the rest"}
      description={
        job.allOrNothing
          ? "Moved licenses go back to their old address; the rest stay where they are."
          : `${countText(left, "is left and stays as it is", "are left and stay as they are")}. Completed changes are kept, and so are their charges.`
      }
      done={() => {
        onChanged();
        if (!job.allOrNothing) return { title: "The rest is canceled" };
      }}
      input={{ job_id: job.id }}
      onClose={onClose}
      refusalNote="It may have ended meanwhile."
      title={job.allOrNothing ? "Stop, and revert what is done?" : "Cancel the rest?"}
      tone="critical"
    />
  );
}

function StopDialog({ job, action, onClose, onChanged }: DialogProps<typeof stopReverts>) {
  const { awaited, postponed, state } = job;
  return (
    <ConfirmChange
      action={action}
      confirmLabel={awaited === null ? "Stop trying" : "Stop waiting"}
      description={[
        state !== "undoing" && "Completed changes are reverted now.",
        awaited !== null &&
          "The job ends without the outcome. License Desk keeps asking the provider and shows it on this page. Until then, the license or bundle cannot be changed; if the provider has it at the new address, it stays there.",
        postponed !== null && "What is still to be reverted stays at its new address. You can move it later.",
      ]
        .filter(Boolean)
        .join(" ")}
      done={onChanged}
      input={{ job_id: job.id }}
      onClose={onClose}
      refusalNote="It may have ended meanwhile."
      title={awaited === null ? "Stop trying to revert?" : "Stop waiting for the provider?"}
      tone="critical"
    />
  );
}

interface RetryDialogProps extends DialogProps<typeof retryJob> {
  readonly charge: Charge | null;
}

function RetryDialog({ job, action, charge, onClose, onChanged }: RetryDialogProps) {
  const total = job.retry?.total ?? "0";

  /** A refusal for another price comes with that price. */
  async function retryAsShown(input: InputOf<typeof action>, idempotencyKey?: string) {
    const result = await action(input, idempotencyKey);
    if (!result.ok && result.error.code === "price_changed") onChanged();
    return result;
  }

  const { failed } = job.counts;
  const count = job.retry?.count ?? failed;
  const unsold = failed - count;
  const short = charge === null ? null : shortfallOf(charge);
  const paysForNone = charge !== null && short !== null && BigInt(job.retry?.cheapest ?? 0) > charge.balance.spendable;
  return (
    <ConfirmChange
      action={retryAsShown}
      confirmDisabled={paysForNone}
      confirmLabel={
        charge === null || paysForNone
          ? `Retry ${numberText(count)}`
          : `Retry for up to ${moneyText(total, job.currency)}`
      }
      description={`Only failed changes are retried. Completed ones are not repeated or charged again.${
        unsold === 0 ? "" : ` ${numberText(unsold)} no longer sold ${unsold === 1 ? "stays" : "stay"} failed.`
      }`}
      done={() => {
        onChanged();
        return { title: "Retry started" };
      }}
      input={{ job_id: job.id, agreed_total: total }}
      onClose={onClose}
      refusalNote="Nothing was charged."
      title={count === 1 ? "Retry the one that failed?" : `Retry the ${numberText(count)} that failed?`}
    >
      {charge !== null && (
        <CostLines
          lines={[
            { label: "Retries", value: numberText(count) },
            {
              label: "Charged if all succeed",
              value: <Money currency={job.currency} minor={charge.cost} />,
              strong: true,
            },
            ...spendableLines(charge),
          ]}
        />
      )}
      {short !== null && (
        <ShortBalance blocked={paysForNone} currency={job.currency} short={short}>
          {paysForNone
            ? `The balance does not pay for ${count === 1 ? "it" : "any of them"}.`
            : "Those that the balance does not cover are charged if money arrives first; otherwise they fail again."}
        </ShortBalance>
      )}
    </ConfirmChange>
  );
}
