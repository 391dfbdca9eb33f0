"use server";
import { z } from "zod";
import type { ActionResult } from "#components/form/action-result.ts";
import { runAction } from "#lib/dashboard/action.ts";
import { shownAnew } from "#lib/dashboard/shown-anew.ts";
import { cancelBulkJob } from "#lib/services/bulk/cancel.ts";
import { retryFailedBulkItems } from "#lib/services/bulk/retry.ts";

const jobSchema = z.int().positive();

export async function cancelJob(jobId: number, idempotencyKey: string): Promise<ActionResult<null>> {
  const result = await runAction({
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

export async function retryJob(jobId: number, idempotencyKey: string): Promise<ActionResult<null>> {
  const result = await runAction({
    schema: jobSchema,
    input: jobId,
    idempotencyKey,
    run: async (ctx, id) => {
      await retryFailedBulkItems(ctx, { jobId: id });
      return null;
    },
  });
  return shownAnew(result, "/licenses", "/bundles");
}
