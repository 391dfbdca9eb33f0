import { z } from "zod";
import type { ResellerId } from "#lib/domain/ids.ts";
import { runDueRenewals } from "#lib/services/renewals/run-due.ts";
import type { Job } from "./job.ts";

const payloadSchema = z.object({ resellerId: z.int() });

export const renewResellerJob: Job = async (ctx, payload) => {
  const resellerId = payloadSchema.parse(payload).resellerId as ResellerId;
  return { resellerId, ...(await runDueRenewals(ctx, { resellerId })) };
};
