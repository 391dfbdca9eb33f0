import { wakeDroppedBulkJobs } from "#lib/services/bulk/run.ts";
import type { Job } from "./job.ts";

/** Every minute: finds bulk jobs whose worker died or whose wake-up was lost. */
export const wakeBulkJobsJob: Job = async (ctx) => {
  await wakeDroppedBulkJobs(ctx);
  return null;
};
