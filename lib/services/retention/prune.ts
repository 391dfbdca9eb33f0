import { deleteUsedSignatures } from "#lib/db/api-key/used-signature.ts";
import {
  deleteAccessLinks,
  deleteAdminIdempotencyRecords,
  deleteBulkJobs,
  deleteComparisons,
  deleteDiscardedRegistrations,
  deleteEmailChanges,
  deleteEndedSessions,
  deleteEvents,
  deleteIdempotencyRecords,
  deleteMails,
  deletePendingSignIns,
  deleteReports,
  deleteSignInAttempts,
  deleteUsedChallenges,
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
/** Each event has deliveries with attempts. */
const EVENTS_BATCH_SIZE = 500;
/** Each job has up to ten thousand items. */
const BULK_JOBS_BATCH_SIZE = 5;

export interface PruningSummary {
  readonly idempotencyRecords: number;
  /** From admins' forms. */
  readonly adminIdempotencyRecords: number;
  /** From agents. */
  readonly reports: number;
  readonly usedSignatures: number;
  /** Ended a month ago. */
  readonly sessions: number;
  readonly signInAttempts: number;
  /** Without their second factor in time. */
  readonly pendingSignIns: number;
  /** Of passkeys. */
  readonly usedChallenges: number;
  /** With their webhook deliveries and attempts. */
  readonly events: number;
  /** Discarded, because their endpoint is disabled. */
  readonly discardedDeliveries: number;
  /** Hosts without requests for a day. */
  readonly webhookTargets: number;
  readonly mails: number;
  /** To set passwords; ended. */
  readonly accessLinks: number;
  /** Not confirmed in time. */
  readonly emailChanges: number;
  /** With their items. */
  readonly bulkJobs: number;
  /** Of providers' books. */
  readonly comparisons: number;
  /** Rejected, and never found at the provider. */
  readonly discardedRegistrations: number;
}

/** Deletes expired records in batches, to keep locks short. */
export async function pruneOldRecords(ctx: ServiceContext): Promise<PruningSummary> {
  requireSystem(ctx);
  const before = (ageMs: number) => new Date(ctx.now().getTime() - ageMs);
  return {
    idempotencyRecords: await inBatches((limit) =>
      deleteIdempotencyRecords(ctx.db, before(keptMs("idempotencyRecords")), limit),
    ),
    adminIdempotencyRecords: await inBatches((limit) =>
      deleteAdminIdempotencyRecords(ctx.db, before(keptMs("idempotencyRecords")), limit),
    ),
    reports: await inBatches((limit) => deleteReports(ctx.db, before(keptMs("reports")), limit)),
    usedSignatures: await inBatches((limit) => deleteUsedSignatures(ctx.db, before(SIGNATURES_KEPT_MS), limit)),
    sessions: await inBatches((limit) => deleteEndedSessions(ctx.db, before(keptMs("sessions")), limit)),
    signInAttempts: await inBatches((limit) => deleteSignInAttempts(ctx.db, before(SIGN_IN_ATTEMPT_TTL_MS), limit)),
    pendingSignIns: await inBatches((limit) => deletePendingSignIns(ctx.db, before(0), limit)),
    usedChallenges: await inBatches((limit) => deleteUsedChallenges(ctx.db, before(0), limit)),
    events: await inBatches((limit) => deleteEvents(ctx.db, before(keptMs("events")), limit), EVENTS_BATCH_SIZE),
    discardedDeliveries: await discardDeliveries(ctx.db, null),
    webhookTargets: await inBatches((limit) => deleteWebhookTargets(ctx.db, before(keptMs("webhookTargets")), limit)),
    mails: await inBatches((limit) => deleteMails(ctx.db, before(keptMs("mails")), limit)),
    emailChanges: await inBatches((limit) => deleteEmailChanges(ctx.db, before(0), limit)),
    accessLinks: await inBatches((limit) => deleteAccessLinks(ctx.db, before(0), limit)),
    bulkJobs: await inBatches(
      (limit) => deleteBulkJobs(ctx.db, before(keptMs("bulkJobs")), limit),
      BULK_JOBS_BATCH_SIZE,
    ),
    comparisons: await inBatches((limit) => deleteComparisons(ctx.db, before(keptMs("comparisons")), limit)),
    discardedRegistrations: await inBatches((limit) =>
      deleteDiscardedRegistrations(ctx.db, before(keptMs("discardedRegistrations")), limit),
    ),
  };
}

async function inBatches(deleteUpTo: (limit: number) => Promise<number>, batchSize = BATCH_SIZE): Promise<number> {
  for (let total = 0; ; ) {
    const deleted = await deleteUpTo(batchSize);
    total += deleted;
    if (deleted < batchSize) return total;
  }
}
