import { readShownJob } from "#app/(dashboard)/jobs/[id]/find.ts";
import { csvDownload } from "#lib/dashboard/download.ts";
import { requireUserWith } from "#lib/dashboard/session.ts";
import { isDomainError } from "#lib/domain/errors.ts";
import { streamBulkResults } from "#lib/services/bulk/results.ts";

export async function GET(_: Request, { params }: { readonly params: Promise<{ id: string }> }): Promise<Response> {
  const user = await requireUserWith("licenses:read");
  try {
    const { ctx, job } = await readShownJob(user, (await params).id);
    return await csvDownload(`job-${job.id}.csv`, streamBulkResults(ctx, { jobId: job.id }));
  } catch (error) {
    if (isDomainError(error) && error.code === "not_found") return new Response("Not found\n", { status: 404 });
    throw error;
  }
}
