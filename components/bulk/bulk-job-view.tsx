"use client";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import type { cancelJob, retryJob, stopReverts } from "#app/(dashboard)/jobs/[id]/actions.ts";
import { useViewedReseller, type ViewedReseller } from "#components/shell/viewed-reseller.tsx";
import { Banner } from "#components/ui/banner.tsx";
import { Card } from "#components/ui/card.tsx";
import { FilterChips } from "#components/ui/filter-chips.tsx";
import { ListCard } from "#components/ui/list-card.tsx";
import { Money } from "#components/ui/money.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import { PageHeader } from "#components/ui/page-header.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { shortfallOf } from "#components/wallet/charge.tsx";
import { ShortBalance } from "#components/wallet/short-balance.tsx";
import { type ReadBalance, useLiveBalance, type WalletBalance } from "#components/wallet/use-balance.ts";
import type { Bound } from "#lib/domain/action-result.ts";
import type { BulkCounts } from "#lib/domain/bulk.ts";
import { countText, numberText } from "#lib/domain/count-text.ts";
import { AllOrNothingNotice } from "./all-or-nothing-notice.tsx";
import { BulkItemTable } from "./bulk-item-table.tsx";
import {
  type BulkJobView,
  type BulkOutcome,
  type BulkProgressPage,
  bulkOutcomes,
  countOf,
  headingOf,
  isPartlyReverted,
  notRevertedText,
  nounOf,
  subjectOf,
} from "./bulk-job.ts";
import { BulkJobActions, retryChargeOf } from "./bulk-job-actions.tsx";
import { BulkProgressBar } from "./bulk-progress-bar.tsx";
import { BulkJobBadge } from "./bulk-state-badge.tsx";
import { JobCommands, type JobCommandsProps } from "./job-commands.tsx";
import { timeLeftText } from "./time-left.ts";
import { useBulkProgress } from "./use-bulk-progress.ts";

export interface BulkJobPageProps {
  readonly initial: BulkProgressPage;
  /** The page's query, as the progress is asked for. */
  readonly search: string;
  readonly outcome: BulkOutcome;
  readonly cancel: Bound<typeof cancelJob>;
  readonly retry: Bound<typeof retryJob>;
  readonly stopReverts: Bound<typeof stopReverts>;
  /** For what is installed on servers that this job registers; null: of another kind, or an admin's page. */
  readonly commands: Pick<JobCommandsProps, "create" | "earlierKeys"> | null;
  /** Null: the reader does not see the wallet. */
  readonly balance: WalletBalance | null;
  /** A server action. */
  readonly readBalance: ReadBalance;
}

/** One change of many: how far it is, what it has come to, and what can be done about it. */
export function BulkJobPage(props: BulkJobPageProps) {
  const { initial, search, outcome, cancel, retry, stopReverts, commands, balance, readBalance } = props;
  const { job, items, nextHref, firstHref, connected, refresh } = useBulkProgress(initial, search);
  const balanceNow = useLiveBalance(balance, readBalance);
  const retryCharge = retryChargeOf(job, balanceNow);
  const short = retryCharge === null ? null : shortfallOf(retryCharge);
  const isUndoing = job.state === "undoing";
  const pathname = usePathname();
  const viewed = useViewedReseller();
  const outcomes = Object.keys(bulkOutcomes) as BulkOutcome[];
  const chips = outcomes
    .map((name) => ({ name, count: countOf(job.counts, name) }))
    .filter(({ name, count }) => name !== "all" && (count > 0 || name === outcome))
    .map(({ name, count }) => ({
      label: isUndoing && name === "done" ? "To revert" : bulkOutcomes[name].label,
      count,
      active: name === outcome,
      href: name === outcome ? pathname : `${pathname}?show=${name}`,
    }));
  return (
    <>
      <PageHeader
        actions={
          <BulkJobActions
            cancel={cancel}
            job={job}
            onChanged={refresh}
            retry={retry}
            retryCharge={retryCharge}
            stopReverts={stopReverts}
          />
        }
        badge={<BulkJobBadge job={job} />}
        title={`Job ${job.id}`}
        trail={[{ label: "Jobs", href: "/jobs" }]}
        {...headingOf(job)}
      />
      <div className="flex flex-col gap-5">
        {!connected && (
          <Banner title="Connection lost. What you see may be out of date; the job continues." tone="caution" />
        )}
        {job.paused && (
          <Banner title="Paused: the account is suspended" tone="caution">
            It continues when the suspension is lifted. Until then nothing fails and nothing is charged.
          </Banner>
        )}
        {job.waitsUntil !== null && (
          <Banner title="Waiting for the provider" tone="info">
            It accepts no more requests until <Timestamp value={job.waitsUntil} />. The job continues then. Until then
            nothing fails and nothing is charged.
          </Banner>
        )}
        {short !== null && <ShortOfMoney job={job} short={short} />}
        {job.allOrNothing && <AllOrNothingNotice job={job} />}
        <Card>
          <StateNotice job={job} viewed={viewed} />
        </Card>
        {commands && job.state === "finished" && job.counts.succeeded > 0 && (
          <JobCommands {...commands} jobId={job.id} />
        )}
        <div className="flex flex-col gap-3">
          <FilterChips chips={chips} label="Filter by outcome" />
          <ListCard
            empty={{ title: "There is nothing on this page" }}
            filter={{
              clearHref: pathname,
              none: "Nothing has this outcome.",
              title: "No result matches",
              view: { outcome: outcome === "all" ? null : outcome },
            }}
            order=""
            page={{ rows: items, total: numberText(countOf(job.counts, outcome)) }}
            pages={{ firstHref, nextHref }}
          >
            <BulkItemTable
              currency={job.currency}
              free={isFree(job)}
              items={items}
              subject={subjectOf(job.kind)}
              undoing={isUndoing}
            />
          </ListCard>
        </div>
      </div>
    </>
  );
}

function StateNotice({ job, viewed }: { readonly job: BulkJobView; readonly viewed: ViewedReseller | null }) {
  const ended = job.state === "finished";
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <p className="font-medium text-lg" role="status">
          {ended ? endText(job) : progressText(job)}
        </p>
        <p className="text-sm text-text-muted">
          {job.state === "running" && !job.paused && job.waitsUntil === null ? timeLeftText(job) : null}
        </p>
      </div>
      <BulkProgressBar job={job} />
      <dl className="grid grid-cols-2 gap-x-8 gap-y-2 text-sm sm:flex sm:flex-wrap">
        {viewed && (
          <div>
            <dt className="text-text-muted">Reseller</dt>
            <dd>
              <TextLink href={`/resellers/${viewed.id}`}>{viewed.name}</TextLink>
            </dd>
          </div>
        )}
        {factsOf(job).map(({ term, value }) => (
          <div key={term}>
            <dt className="text-text-muted">{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** On the way back, what counts is what is still to be reverted. */
function progressText({ state, kind, counts }: BulkJobView): string {
  if (state === "undoing") {
    const left = counts.succeeded + counts.running;
    const parts = countsText(counts, ["pending", "undone", "failed"]);
    return (left === 0 ? parts : [`${numberText(left)} to revert`, ...parts]).join(", ");
  }
  const total = numberText(countOf(counts, "all"));
  const done = `${numberText(counts.succeeded)} of ${total} ${kind === "relocate" ? "moved" : "done"}`;
  return [done, ...countsText(counts, ["failed", "pending", "skipped"])].join(", ");
}

function countsText(counts: BulkCounts, outcomes: readonly BulkOutcome[]): string[] {
  return outcomes
    .map((outcome) => ({ outcome, count: countOf(counts, outcome) }))
    .filter(({ count }) => count > 0)
    .map(({ outcome, count }) => `${numberText(count)} ${bulkOutcomes[outcome].label.toLowerCase()}`);
}

function endText(job: BulkJobView): string {
  const { counts, canceled, allOrNothing } = job;
  const failed = countsText(counts, ["failed"]).map((text) =>
    isPartlyReverted(job) ? `${text} (${notRevertedText(job)})` : text,
  );
  const parts = [...countsText(counts, ["done"]), ...failed, ...countsText(counts, ["pending", "undone", "skipped"])];
  const how = !canceled ? "Finished" : allOrNothing ? "Stopped" : "Canceled";
  return `${how}: ${parts.join(", ")}`;
}

function isFree({ quotedTotal, chargedTotal }: BulkJobView): boolean {
  return quotedTotal === "0" && chargedTotal === "0";
}

function factsOf(job: BulkJobView): readonly { readonly term: string; readonly value: ReactNode }[] {
  const { quotedTotal, chargedTotal, currency } = job;
  return [
    { term: "Started by", value: job.startedBy },
    { term: "Started", value: <Timestamp value={job.createdAt} /> },
    ...(job.finishedAt === null ? [] : [{ term: "Ended", value: <Timestamp value={job.finishedAt} /> }]),
    ...(isFree(job)
      ? [{ term: "Cost", value: "Free" }]
      : [
          { term: "Charged", value: <Money currency={currency} minor={chargedTotal} /> },
          { term: "Quoted", value: <Money currency={currency} minor={quotedTotal} /> },
        ]),
  ];
}

/** What failed for want of money can be tried again once there is some. */
function ShortOfMoney({ job, short }: { readonly job: BulkJobView; readonly short: bigint }) {
  const { failed } = job.counts;
  const again = job.retry?.count ?? failed;
  const those = again === failed ? "all of them" : numberText(again);
  return (
    <ShortBalance blocked currency={job.currency} short={short}>
      {`${countText(failed, nounOf(job.kind))} failed and ${failed === 1 ? "was" : "were"} not charged. `}
      {failed === 1 ? "Trying it again" : `Trying ${those} again`} costs up to{" "}
      {moneyText(job.retry?.total ?? "0", job.currency)}.
    </ShortBalance>
  );
}
