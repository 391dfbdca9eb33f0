import { z } from "zod";
import { runBulkJob } from "#lib/services/bulk/run.ts";
import type { Job } from "./job.ts";

const payloadSchema = z.object({ jobId: z.int() });

/** Added in the statement that stores a job, and at the end of each of its turns (lib/db/bulk-run.ts). */
export const runBulkJobJob: Job = async (ctx, payload) => {
  const { jobId } = payloadSchema.parse(payload);
  const turn = await runBulkJob(ctx, { jobId });
  return turn?.ended ? { jobId } : null;
};
