import { z } from "zod";
import type { ResellerId } from "#lib/domain/ids.ts";
import { runRenewalTurn } from "#lib/services/renewals/run-due.ts";
import type { Job } from "./job.ts";

const price = z
  .string()
  .transform((text) => BigInt(text))
  .nullable();
const place = z.object({ kind: z.enum(["license", "bundle"]), id: z.int(), dueAt: z.coerce.date(), price });
const count = z.int();
const soFar = z.object({ renewed: count, pending: count, failed: count, waiting: count, skipped: count });
const payloadSchema = z.object({ resellerId: z.int(), after: place.optional(), soFar: soFar.optional() });

/** One turn of a reseller's renewals; the rest goes to the end of the queue. */
export const renewResellerJob: Job = async (ctx, payload) => {
  const { resellerId, after = null, soFar = null } = payloadSchema.parse(payload);
  const run = await runRenewalTurn(ctx, { resellerId: resellerId as ResellerId, after, soFar });
  return run && { resellerId, ...run };
};
