import { cache } from "react";
import { orNotFound } from "#app/(dashboard)/or-not-found.ts";
import { contextOf, requireResellerUser } from "#lib/dashboard/session.ts";
import { parsePositiveInteger } from "#lib/domain/integer.ts";
import { type BulkJob, getBulkJob } from "#lib/services/bulk/get.ts";

/** `id`: as in the address. */
export const findJob = cache(async (id: string): Promise<BulkJob> => {
  const ctx = contextOf(await requireResellerUser("licenses:read"));
  return orNotFound(getBulkJob(ctx, { jobId: parsePositiveInteger(id) ?? 0 }));
});
