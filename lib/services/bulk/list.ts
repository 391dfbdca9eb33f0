import { listBulkJobs as readBulkJobs } from "#lib/db/bulk/job.ts";
import { requireResellerUser, type ServiceContext } from "#lib/services/context.ts";
import { type BulkJob, toBulkJob } from "./get.ts";

export interface BulkJobPage {
  readonly jobs: readonly BulkJob[];
  /** Null on the last page. */
  readonly nextBefore: number | null;
}

/** The reseller's jobs, newest first. */
export async function listBulkJobs(
  ctx: ServiceContext,
  input: { readonly before: number | null; readonly limit: number },
): Promise<BulkJobPage> {
  const resellerId = requireResellerUser(ctx, "licenses:read");
  const { before, limit } = input;
  const found = await readBulkJobs(ctx.db, resellerId, { before, limit: limit + 1 });
  const jobs = found.slice(0, limit).map(toBulkJob);
  return { jobs, nextBefore: found.length > limit ? (jobs.at(-1)?.id ?? null) : null };
}
