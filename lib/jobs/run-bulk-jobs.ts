import { z } from "zod";
import type { ResellerId } from "#lib/domain/ids.ts";
import { runBulkTurn } from "#lib/services/bulk/run.ts";
import type { Job } from "./job.ts";

const payloadSchema = z.object({ resellerId: z.int(), after: z.int().optional() });

/** One turn of a reseller's bulk jobs. Added when a job is stored, and at the end of each turn (lib/db/bulk/run.ts). */
export const runBulkJobsJob: Job = async (ctx, payload) => {
  const { resellerId, after } = payloadSchema.parse(payload);
  const { endedJobId } = await runBulkTurn(ctx, { resellerId: resellerId as ResellerId, after });
  return endedJobId === null ? null : { jobId: endedJobId };
};
