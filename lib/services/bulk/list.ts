import { type BulkJobRow, listAllBulkJobs as readAllBulkJobs, listBulkJobs as readBulkJobs } from "#lib/db/bulk/job.ts";
import { requireAdmin, requireResellerUser, type ServiceContext } from "#lib/services/context.ts";
import { type BulkJob, toBulkJob } from "./get.ts";

export interface BulkJobPage {
  readonly jobs: readonly BulkJob[];
  /** Null on the last page. */
  readonly nextBefore: number | null;
}

interface BulkJobListInput {
  readonly before: number | null;
  readonly limit: number;
}

/** The reseller's jobs, newest first. */
export async function listBulkJobs(ctx: ServiceContext, input: BulkJobListInput): Promise<BulkJobPage> {
  const resellerId = requireResellerUser(ctx, "licenses:read");
  return readPage(input, (page) => readBulkJobs(ctx.db, resellerId, page));
}

/** The same of all live resellers. */
export async function listAllBulkJobs(ctx: ServiceContext, input: BulkJobListInput): Promise<BulkJobPage> {
  requireAdmin(ctx, "admin:read");
  return readPage(input, (page) => readAllBulkJobs(ctx.db, page));
}

async function readPage(
  { before, limit }: BulkJobListInput,
  read: (page: BulkJobListInput) => Promise<BulkJobRow[]>,
): Promise<BulkJobPage> {
  const found = await read({ before, limit: limit + 1 });
  const jobs = found.slice(0, limit).map(toBulkJob);
  return { jobs, nextBefore: found.length > limit ? (jobs.at(-1)?.id ?? null) : null };
}
