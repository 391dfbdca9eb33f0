import { csvDownload } from "#lib/dashboard/download.ts";
import { contextOf, requireResellerUser } from "#lib/dashboard/session.ts";
import { isDomainError } from "#lib/domain/errors.ts";
import { parsePositiveInteger } from "#lib/domain/integer.ts";
import { streamBulkResults } from "#lib/services/bulk/results.ts";

export async function GET(_: Request, { params }: { readonly params: Promise<{ id: string }> }): Promise<Response> {
  const ctx = contextOf(await requireResellerUser("licenses:read"));
  const jobId = parsePositiveInteger((await params).id) ?? 0;
  try {
    return await csvDownload(`job-${jobId}.csv`, streamBulkResults(ctx, { jobId }));
  } catch (error) {
    if (isDomainError(error) && error.code === "not_found") return new Response("Not found\n", { status: 404 });
    throw error;
  }
}
