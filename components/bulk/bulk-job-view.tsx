"use client";
import { usePathname } from "next/navigation";
import { Fragment, type ReactNode } from "react";
import type { OnceAction } from "#components/form/action-result.ts";
import { Banner } from "#components/ui/banner.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { FilterChips } from "#components/ui/filter-chips.tsx";
import { Money } from "#components/ui/money.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Pagination } from "#components/ui/pagination.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { AllOrNothingStanding } from "./all-or-nothing-standing.tsx";
import { BulkItemTable } from "./bulk-item-table.tsx";
import {
  type BulkJobView,
  type BulkOutcome,
  type BulkProgressPage,
  bulkOutcomes,
  countOf,
  countText,
  headingOf,
  nounOf,
} from "./bulk-job.ts";
import { BulkJobActions } from "./bulk-job-actions.tsx";
import { BulkProgressBar } from "./bulk-progress-bar.tsx";
import { BulkJobBadge } from "./bulk-state-badge.tsx";
import { timeLeftText } from "./time-left.ts";
import { useBulkProgress } from "./use-bulk-progress.ts";

export interface BulkJobPageProps {
  readonly initial: BulkProgressPage;
  /** The page's query, as the progress is asked for. */
  readonly search: string;
  readonly outcome: BulkOutcome;
  readonly cancel: OnceAction<number, null>;
  readonly retry: OnceAction<number, null>;
}

/** One change of many: how far it is, what it has come to, and what can be done about it. */
export function BulkJobPage({ initial, search, outcome, cancel, retry }: BulkJobPageProps) {
  const { job, items, nextHref, firstHref, connected, refresh } = useBulkProgress(initial, search);
  const pathname = usePathname();
  const outcomes = Object.keys(bulkOutcomes) as BulkOutcome[];
  const chips = outcomes
    .map((name) => ({ name, count: countOf(job.counts, name) }))
    .filter(({ name, count }) => name !== "all" && (count > 0 || name === outcome))
    .map(({ name, count }) => ({
      label: bulkOutcomes[name].label,
      count,
      active: name === outcome,
      href: name === outcome ? pathname : `${pathname}?show=${name}`,
    }));
  return (
    <>
      <PageHeader
        actions={<BulkJobActions cancel={cancel} job={job} onChanged={refresh} retry={retry} />}
        badge={<BulkJobBadge job={job} />}
        description={job.detail === "" ? undefined : job.detail}
        {...headingOf(job)}
      />
      <div className="flex flex-col gap-5">
        {!connected && (
          <Banner title="The connection is lost. What is shown may be old; the change goes on." tone="caution" />
        )}
        <ShortOfMoney job={job} />
        {job.allOrNothing && <AllOrNothingStanding job={job} />}
        <Card>
          <Standing job={job} />
        </Card>
        <div className="flex flex-col gap-3">
          <FilterChips chips={chips} label="Filter by outcome" />
          <Card flush>
            {items.length === 0 ? (
              <EmptyState description="Choose another outcome above." title="None of them" />
            ) : (
              <BulkItemTable currency={job.currency} free={isFree(job)} items={items} noun={nounOf(job.kind)} />
            )}
            {(nextHref !== null || firstHref !== null) && (
              <Pagination nextHref={nextHref} previousHref={firstHref} summary={`${items.length} shown`} />
            )}
          </Card>
        </div>
      </div>
    </>
  );
}

function Standing({ job }: { readonly job: BulkJobView }) {
  const ended = job.state === "finished";
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <p className="font-medium text-lg" role="status">
          {ended ? endText(job) : progressText(job)}
        </p>
        <p className="text-sm text-text-muted">{ended ? null : timeLeftText(job)}</p>
      </div>
      <BulkProgressBar counts={job.counts} />
      <dl className="flex flex-wrap gap-x-8 gap-y-2 text-sm">
        {factsOf(job).map(({ term, value }) => (
          <Fragment key={term}>
            <div>
              <dt className="text-text-muted">{term}</dt>
              <dd>{value}</dd>
            </div>
          </Fragment>
        ))}
      </dl>
    </div>
  );
}

/** On the way back, what counts is what is still to be taken back. */
function progressText({ state, counts }: BulkJobView): string {
  const total = countOf(counts, "all");
  if (state === "undoing") return `${(counts.succeeded + counts.running).toLocaleString("en-US")} to take back`;
  return `${(total - countOf(counts, "waiting")).toLocaleString("en-US")} of ${total.toLocaleString("en-US")}`;
}

function endText({ counts, canceled, allOrNothing }: BulkJobView): string {
  const parts = (["done", "failed", "pending", "undone", "skipped"] as const)
    .map((outcome) => ({ outcome, count: countOf(counts, outcome) }))
    .filter(({ count }) => count > 0)
    .map(({ outcome, count }) => `${count.toLocaleString("en-US")} ${bulkOutcomes[outcome].label.toLowerCase()}`);
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
function ShortOfMoney({ job }: { readonly job: BulkJobView }) {
  if (job.state !== "finished" || job.counts.failed === 0 || job.retryTotal === "0") return null;
  return (
    <Banner
      action={
        <ButtonLink href="/wallet" size="sm">
          Go to the wallet
        </ButtonLink>
      }
      title={`${countText(nounOf(job.kind), job.counts.failed)} failed and ${job.counts.failed === 1 ? "was" : "were"} not charged`}
      tone="caution"
    >
      Where the balance was too low, top up and retry: up to{" "}
      <Money className="font-medium text-text" currency={job.currency} minor={job.retryTotal} /> is needed.
    </Banner>
  );
}
