import { z } from "zod";
import type { ResellerId } from "#lib/domain/ids.ts";
import { runBulkTurn } from "#lib/services/bulk/run.ts";
import { runRenewalTurn } from "#lib/services/renewals/run-due.ts";
import type { Job } from "./job.ts";

/** Of a job of the queue. A turn takes seconds, but a large bundle at a provider that does not answer takes longer. */
export const TURN_DEADLINE_MS = 3_600_000;

const price = z
  .string()
  .transform((text) => BigInt(text))
  .nullable();
const place = z.object({ kind: z.enum(["license", "bundle"]), id: z.int(), dueAt: z.coerce.date(), price });
const count = z.int();
const soFar = z.object({ renewed: count, pending: count, failed: count, waiting: count, skipped: count });
const renewalPayload = z.object({ resellerId: z.int(), after: place.optional(), soFar: soFar.optional() });
const bulkPayload = z.object({ resellerId: z.int(), after: z.int().optional() });

/** By name in the queue. */
export const queuedJobs: Readonly<Record<string, Job>> = {
  /** One turn of a reseller's renewals; the rest goes to the end of the queue. */
  async renew_reseller(ctx, payload) {
    const { resellerId, after = null, soFar = null } = renewalPayload.parse(payload);
    const run = await runRenewalTurn(ctx, { resellerId: resellerId as ResellerId, after, soFar });
    return run && { resellerId, ...run };
  },
  /** One turn of a reseller's bulk jobs. Added when a job is stored, and at the end of each turn (lib/db/bulk/run.ts). */
  async run_bulk_jobs(ctx, payload) {
    const { resellerId, after } = bulkPayload.parse(payload);
    const { endedJobId } = await runBulkTurn(ctx, { resellerId: resellerId as ResellerId, after });
    return endedJobId === null ? null : { jobId: endedJobId };
  },
};
