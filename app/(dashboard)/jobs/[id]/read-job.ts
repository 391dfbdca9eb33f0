import { presentItem, presentJob } from "#app/(dashboard)/jobs/present.ts";
import { hrefOf, textOf } from "#app/search-params.ts";
import { type BulkOutcome, type BulkProgressPage, bulkOutcomes } from "#components/bulk/bulk-job.ts";
import { parsePositiveInteger } from "#lib/domain/integer.ts";
import type { BulkJob } from "#lib/services/bulk/get.ts";
import { listBulkItems } from "#lib/services/bulk/list-items.ts";
import { quoteBulkRetry } from "#lib/services/bulk/quote-retry.ts";
import type { ServiceContext } from "#lib/services/context.ts";

const PAGE_SIZE = 50;

type Query = Readonly<Record<string, string | string[] | undefined>>;

/** Which items are shown: all of it is in the address. */
export interface JobView {
  readonly show: BulkOutcome;
  /** The last position of the page before; null for the first. */
  readonly after: number | null;
}

export function parseView(query: Query): JobView {
  const outcomes = Object.keys(bulkOutcomes) as BulkOutcome[];
  return {
    show: outcomes.find((outcome) => outcome === textOf(query.show)) ?? "all",
    after: parsePositiveInteger(textOf(query.after)),
  };
}

/** The query of the page, also of what the page asks for while the job runs. */
export function searchOf(view: JobView): string {
  return viewHref("", view);
}

function viewHref(pathname: string, { show, after }: JobView): string {
  return hrefOf(pathname, { show: show === "all" ? null : show, after });
}

function canRetry({ state, counts, allOrNothing }: BulkJob): boolean {
  return state === "finished" && counts.failed > 0 && !allOrNothing;
}

/** One page of a job, as the browser gets it. */
export async function readJob(ctx: ServiceContext, job: BulkJob, view: JobView): Promise<BulkProgressPage> {
  const { states } = bulkOutcomes[view.show];
  const page = { jobId: job.id, after: view.after ?? 0, limit: PAGE_SIZE, ...(states === null ? {} : { states }) };
  const [{ items, nextAfter }, retry] = await Promise.all([
    listBulkItems(ctx, page),
    canRetry(job) ? quoteBulkRetry(ctx, { jobId: job.id }) : null,
  ]);
  const presented = presentJob(job, retry);
  return {
    job: presented,
    items: items.map((item) => presentItem(item, job.kind)),
    nextHref: nextAfter === null ? null : viewHref(`/jobs/${job.id}`, { ...view, after: nextAfter }),
    firstHref: view.after === null ? null : viewHref(`/jobs/${job.id}`, { ...view, after: null }),
  };
}
