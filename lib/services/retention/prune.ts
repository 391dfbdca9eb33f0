import {
  clearKeyAddresses,
  type DeleteOld,
  deleteAccessLinks,
  deleteAdminIdempotencyRecords,
  deleteBulkJobs,
  deleteComparisons,
  deleteDiscardedRegistrations,
  deleteEmailChanges,
  deleteEndedSessions,
  deleteEvents,
  deleteFailedJobs,
  deleteIdempotencyRecords,
  deleteJobsOfClosedSandboxes,
  deleteMails,
  deletePendingSignIns,
  deleteReports,
  deleteSignInAttempts,
  deleteUsedChallenges,
  deleteUsedSignatures,
  deleteWebhookTargets,
} from "#lib/db/retention/delete-old.ts";
import { discardDeliveries } from "#lib/db/webhook/deliveries-in-batches.ts";
import { SIGNATURE_TOLERANCE_SECONDS } from "#lib/domain/request-signature.ts";
import { keptMs } from "#lib/domain/retention.ts";
import { SIGN_IN_ATTEMPT_TTL_MS } from "#lib/domain/sign-in-limit.ts";
import { requireSystem, type ServiceContext } from "#lib/services/context.ts";

/** A signature may be dated ahead by the tolerance, and remains valid for the tolerance. */
const SIGNATURES_KEPT_MS = 3 * SIGNATURE_TOLERANCE_SECONDS * 1_000;
const BATCH_SIZE = 5_000;

interface OldRecords {
  readonly remove: DeleteOld;
  readonly keptMs: number;
  readonly batchSize?: number;
}

const oldRecords = {
  idempotencyRecords: { remove: deleteIdempotencyRecords, keptMs: keptMs("idempotencyRecords") },
  /** From admins' forms. */
  adminIdempotencyRecords: { remove: deleteAdminIdempotencyRecords, keptMs: keptMs("idempotencyRecords") },
  /** From agents. */
  reports: { remove: deleteReports, keptMs: keptMs("reports") },
  usedSignatures: { remove: deleteUsedSignatures, keptMs: SIGNATURES_KEPT_MS },
  sessions: { remove: deleteEndedSessions, keptMs: keptMs("sessions") },
  /** Where API keys that have ended were last used from; the keys stay. */
  keyAddresses: { remove: clearKeyAddresses, keptMs: keptMs("keyAddresses") },
  signInAttempts: { remove: deleteSignInAttempts, keptMs: SIGN_IN_ATTEMPT_TTL_MS },
  /** Without their second factor in time. */
  pendingSignIns: { remove: deletePendingSignIns, keptMs: 0 },
  /** Of passkeys. */
  usedChallenges: { remove: deleteUsedChallenges, keptMs: 0 },
  /** With their webhook deliveries, each with its attempts. */
  events: { remove: deleteEvents, keptMs: keptMs("events"), batchSize: 500 },
  /** Hosts without requests for a day. */
  webhookTargets: { remove: deleteWebhookTargets, keptMs: keptMs("webhookTargets") },
  mails: { remove: deleteMails, keptMs: keptMs("mails") },
  /** Not confirmed in time. */
  emailChanges: { remove: deleteEmailChanges, keptMs: 0 },
  /** To set passwords; ended. */
  accessLinks: { remove: deleteAccessLinks, keptMs: 0 },
  /** With their items, up to ten thousand each. */
  bulkJobs: { remove: deleteBulkJobs, keptMs: keptMs("bulkJobs"), batchSize: 5 },
  /** Unfinished. */
  jobsOfClosedSandboxes: { remove: deleteJobsOfClosedSandboxes, keptMs: keptMs("bulkJobs"), batchSize: 5 },
  /** Of the queue. */
  failedJobs: { remove: deleteFailedJobs, keptMs: keptMs("failedJobs") },
  /** Of providers' books. */
  comparisons: { remove: deleteComparisons, keptMs: keptMs("comparisons") },
  /** Rejected, and never found at the provider. */
  discardedRegistrations: { remove: deleteDiscardedRegistrations, keptMs: keptMs("discardedRegistrations") },
} as const satisfies Record<string, OldRecords>;

/** How many were deleted. `discardedDeliveries`: their endpoint is disabled. */
export type PruningSummary = Readonly<Record<keyof typeof oldRecords | "discardedDeliveries", number>>;

/** Deletes expired records in batches, to keep locks short. */
export async function pruneOldRecords(ctx: ServiceContext): Promise<PruningSummary> {
  requireSystem(ctx);
  const counts: [string, number][] = [];
  for (const [name, records] of Object.entries(oldRecords)) counts.push([name, await deleteAll(ctx, records)]);
  counts.push(["discardedDeliveries", await discardDeliveries(ctx.db, null)]);
  return Object.fromEntries(counts) as PruningSummary;
}

async function deleteAll(ctx: ServiceContext, { remove, keptMs, batchSize = BATCH_SIZE }: OldRecords): Promise<number> {
  for (let total = 0; ; ) {
    const deleted = await remove(ctx.db, new Date(ctx.now().getTime() - keptMs), batchSize);
    total += deleted;
    if (deleted < batchSize) return total;
  }
}
