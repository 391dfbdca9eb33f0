import {
  type BulkJobRow,
  countAllBulkJobs,
  countBulkJobs,
  listAllBulkJobs as readAllBulkJobs,
  listBulkJobs as readBulkJobs,
} from "#lib/db/bulk/job.ts";
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
  const { kind = null } = input;
  return readJobs(ctx, input, {
    list: (page) => readBulkJobs(ctx.db, resellerId, { ...page, kind }),
    count: () => countBulkJobs(ctx.db, resellerId, kind),
  });
}

/** The same of all live resellers. */
export async function listAllBulkJobs(ctx: ServiceContext, input: PageInput<number>): Promise<BulkJobPage> {
  requireAdmin(ctx, "admin:read");
  return readJobs(ctx, input, { list: (page) => readAllBulkJobs(ctx.db, page), count: () => countAllBulkJobs(ctx.db) });
}

async function readJobs(
  ctx: ServiceContext,
  input: PageInput<number>,
  of: { readonly list: (page: PageInput<number>) => Promise<BulkJobRow[]>; readonly count: () => Promise<number> },
): Promise<BulkJobPage> {
  const page = await readPage<BulkJobRow, number>(input, {
    list: (limit) => of.list({ ...input, limit }),
    count: of.count,
    placeOf: ({ id }) => id,
  });
  return { ...page, rows: page.rows.map((row) => toBulkJob(row, ctx)) };
}
