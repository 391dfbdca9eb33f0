import { readShownJob } from "#app/(dashboard)/jobs/[id]/find.ts";
import { loadJobParams, readJob } from "#app/(dashboard)/jobs/[id]/read-job.ts";
import { findUser, may } from "#lib/dashboard/session.ts";
import { isDomainError } from "#lib/domain/errors.ts";

/** A job as it is now, for its page, which asks every second: cheaper than the page, and it waits for no action. */
export async function GET(request: Request, { params }: { readonly params: Promise<{ id: string }> }) {
  const user = await findUser();
  if (user === null || !may(user, "licenses:read"))
    return Response.json({ message: "Sign in again." }, { status: 401 });
  const view = loadJobParams(request);
  try {
    const { ctx, job } = await readShownJob(user, (await params).id);
    const page = await readJob(ctx, job, view);
    return Response.json(page, { headers: { "cache-control": "no-store" } });
  } catch (error) {
    if (isDomainError(error) && error.code === "not_found") return Response.json({}, { status: 404 });
    throw error;
  }
}
