import { allBulkJobListing, type BulkJobRow, bulkJobListing } from "#lib/db/bulk/job.ts";
import type { Listing } from "#lib/db/connection/listing.ts";
import type { BulkKind } from "#lib/domain/bulk.ts";
import { requireAdmin, requireResellerUser, type ServiceContext } from "#lib/services/context.ts";
import { type Page, type PageInput, readPage } from "#lib/services/page.ts";
import { type BulkJob, toBulkJob } from "./get.ts";

type BulkJobPage = Page<BulkJob, number>;

/** The reseller's jobs, newest first; of one kind, if given. */
export async function listBulkJobs(
  ctx: ServiceContext,
  input: PageInput<number> & { readonly kind?: BulkKind },
): Promise<BulkJobPage> {
  const resellerId = requireResellerUser(ctx, "licenses:read");
  return readJobs(ctx, input, bulkJobListing(ctx.db, resellerId, input.kind ?? null));
}

/** The same of all live resellers. */
export async function listAllBulkJobs(ctx: ServiceContext, input: PageInput<number>): Promise<BulkJobPage> {
  requireAdmin(ctx, "admin:read");
  return readJobs(ctx, input, allBulkJobListing(ctx.db));
}

async function readJobs(
  ctx: ServiceContext,
  input: PageInput<number>,
  jobs: Listing<BulkJobRow, number>,
): Promise<BulkJobPage> {
  const page = await readPage(input, jobs, ({ id }) => id);
  return { ...page, rows: page.rows.map((row) => toBulkJob(row, ctx)) };
}
