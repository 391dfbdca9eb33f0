"use server";
import { z } from "zod";
import { agreedPrice } from "#app/(dashboard)/fields.ts";
import type { RetryInput } from "#components/bulk/bulk-job-actions.tsx";
import type { ActionResult } from "#components/form/action-result.ts";
import { runAction } from "#lib/dashboard/action.ts";
import { shownAnew } from "#lib/dashboard/shown-anew.ts";
import { cancelBulkJob } from "#lib/services/bulk/cancel.ts";
import { retryFailedBulkItems } from "#lib/services/bulk/retry.ts";

const jobSchema = z.int32().positive();

export async function cancelJob(jobId: number, idempotencyKey: string): Promise<ActionResult<null>> {
  const result = await runAction({
    name: "jobs.cancelJob",
    schema: jobSchema,
    input: jobId,
    idempotencyKey,
    run: async (ctx, id) => {
      await cancelBulkJob(ctx, { jobId: id });
      return null;
    },
  });
  return shownAnew(result, "/licenses", "/bundles");
}

export async function retryJob(input: RetryInput, idempotencyKey: string): Promise<ActionResult<null>> {
  const result = await runAction({
    name: "jobs.retryJob",
    schema: z.object({ job_id: jobSchema, agreed_total: agreedPrice }),
    input,
    idempotencyKey,
    run: async (ctx, { job_id, agreed_total }) => {
      await retryFailedBulkItems(ctx, { jobId: job_id, agreedTotal: BigInt(agreed_total) });
      return null;
    },
  });
  return shownAnew(result, "/licenses", "/bundles");
}
