import { idIn } from "#app/(dashboard)/or-not-found.ts";
import { contextOf } from "#lib/dashboard/session.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { type BulkJob, getBulkJob, getBulkJobOwner } from "#lib/services/bulk/get.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import type { SignedInUser } from "#lib/services/user/sign-in.ts";

export interface ShownJob {
  readonly user: SignedInUser;
  /** Of the user; an admin's names the job's reseller. */
  readonly ctx: ServiceContext;
  readonly job: BulkJob;
  /** For admins: whose job it is. */
  readonly viewed: { readonly resellerId?: ResellerId };
}

/** A reseller's own job, and for admins any. `id`: as in the address. @throws DomainError `not_found` */
export async function readShownJob(user: SignedInUser, id: string): Promise<ShownJob> {
  const jobId = idIn(id);
  const viewed = user.kind === "admin" ? { resellerId: await getBulkJobOwner(contextOf(user), { jobId }) } : {};
  const ctx = contextOf(user, { forReseller: viewed.resellerId ?? null });
  return { user, ctx, job: await getBulkJob(ctx, { jobId }), viewed };
}
