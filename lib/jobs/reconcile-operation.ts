import { z } from "zod";
import { reconcileOpenOperation } from "#lib/services/operation/reconcile.ts";
import type { Job } from "./job.ts";

const payloadSchema = z.object({ operationId: z.uuid() });

/** Added in the statement that finds an outcome unknown (lib/db/operation.ts). */
export const reconcileOperationJob: Job = async (ctx, payload) => {
  const { operationId } = payloadSchema.parse(payload);
  await reconcileOpenOperation(ctx, { operationId });
  return null;
};
