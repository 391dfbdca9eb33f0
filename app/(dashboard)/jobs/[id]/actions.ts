"use server";
import { z } from "zod";
import { agreedPrice, id, viewedReseller } from "#app/(dashboard)/fields.ts";
import { defineAction } from "#lib/dashboard/define-action.ts";
import { cancelBulkJob } from "#lib/services/bulk/cancel.ts";
import { retryFailedBulkItems } from "#lib/services/bulk/retry.ts";

const revalidate = ["/licenses", "/bundles"];

export const cancelJob = defineAction({
  name: "jobs.cancelJob",
  bound: z.object(viewedReseller),
  input: z.object({ job_id: id() }),
  revalidate,
  run: async (ctx, { job_id }) => {
    await cancelBulkJob(ctx, { jobId: job_id });
  },
});

export const retryJob = defineAction({
  name: "jobs.retryJob",
  bound: z.object(viewedReseller),
  input: z.object({ job_id: id(), agreed_total: agreedPrice }),
  revalidate,
  run: async (ctx, { job_id, agreed_total }) => {
    await retryFailedBulkItems(ctx, { jobId: job_id, agreedTotal: BigInt(agreed_total) });
  },
});
