import { createLoader, createSerializer, type inferParserType, parseAsStringLiteral } from "nuqs/server";
import { toItemView, toJobView } from "#app/(dashboard)/jobs/job-view.ts";
import { type BulkOutcome, type BulkProgressPage, bulkOutcomes } from "#components/bulk/bulk-job.ts";
import { onward, parseAsId } from "#components/ui/list-params.ts";
import { bulkKindPermission } from "#lib/domain/bulk.ts";
import type { BulkJob } from "#lib/services/bulk/get.ts";
import { listBulkItems } from "#lib/services/bulk/list-items.ts";
import { quoteBulkRetry } from "#lib/services/bulk/quote-retry.ts";
import { hasPermission, type ServiceContext } from "#lib/services/context.ts";

/** Which items are shown. `after`: the last position of the page before. */
const jobParams = {
  show: parseAsStringLiteral(Object.keys(bulkOutcomes) as BulkOutcome[]).withDefault("all"),
  after: parseAsId,
};

export const loadJobParams = createLoader(jobParams);
export const jobHref = createSerializer(jobParams);
type JobView = inferParserType<typeof jobParams>;

function canRetry({ state, counts, allOrNothing }: BulkJob): boolean {
  return state === "finished" && counts.failed > 0 && !allOrNothing;
}

function mayRetry(ctx: ServiceContext, { kind, mayChange }: BulkJob): boolean {
  const permission = bulkKindPermission(kind);
  return mayChange && (permission === null || hasPermission(ctx, permission));
}

/** One page of a job, as the browser gets it. */
export async function readJob(ctx: ServiceContext, job: BulkJob, view: JobView): Promise<BulkProgressPage> {
  const { states } = bulkOutcomes[view.show];
  const page = { jobId: job.id, after: view.after ?? 0, ...(states === null ? {} : { states }) };
  const [{ items, nextAfter }, retry] = await Promise.all([
    listBulkItems(ctx, page),
    canRetry(job) && mayRetry(ctx, job) ? quoteBulkRetry(ctx, { jobId: job.id }) : null,
  ]);
  const presented = toJobView(job, retry);
  return {
    job: presented,
    items: items.map((item) => toItemView(item, job.kind)),
    ...onward((after) => jobHref(`/jobs/${job.id}`, { ...view, after }), view.after, nextAfter),
  };
}
