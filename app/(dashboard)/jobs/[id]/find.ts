import { cache } from "react";
import { orNotFound } from "#app/(dashboard)/or-not-found.ts";
import { contextOf, requireUserWith } from "#lib/dashboard/session.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { parsePositiveInteger } from "#lib/domain/integer.ts";
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

/** A reseller's own job, and for admins any. `id`: as in the address. */
export const findJob = cache(
  async (id: string): Promise<ShownJob> => orNotFound(readShownJob(await requireUserWith("licenses:read"), id)),
);

/** @throws DomainError `not_found` */
export async function readShownJob(user: SignedInUser, id: string): Promise<ShownJob> {
  const jobId = parsePositiveInteger(id) ?? 0;
  const viewed = user.kind === "admin" ? { resellerId: await getBulkJobOwner(contextOf(user), { jobId }) } : {};
  const ctx = contextOf(user, { forReseller: viewed.resellerId ?? null });
  return { user, ctx, job: await getBulkJob(ctx, { jobId }), viewed };
}
