import { findBulkJobByKey, insertBulkJob, type NewBulkJob } from "#lib/db/bulk/new-job.ts";
import { MAX_BULK_ITEMS } from "#lib/domain/bulk.ts";
import { numberText } from "#lib/domain/count-text.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { BulkJobId, ResellerId } from "#lib/domain/ids.ts";
import { permissionDenied } from "#lib/services/actor.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { type ServiceContext, writesOf } from "#lib/services/context.ts";

/** Of a reseller: they run one after the other, and each can have 10,000 items. */
const MAX_OPEN_JOBS = 50;

export type BulkStart = Omit<NewBulkJob, "resellerId" | "actorKind" | "userId" | "idempotencyKey">;

/**
 * Stores a job with its items and wakes a worker; once per idempotency key. The caller checks permissions.
 * @throws DomainError `state_invalid` (none, or more than 10,000 items, or 50 unfinished jobs), `permission_denied` (not
 *   a user)
 */
export async function startBulkJob(ctx: ServiceContext, resellerId: ResellerId, start: BulkStart): Promise<BulkJobId> {
  const { actor, claim } = ctx;
  if (actor.kind !== "reseller_user" && actor.kind !== "admin") throw permissionDenied("Only a user may do this.");
  if (start.items.length === 0) throw new DomainError("state_invalid", "Nothing is selected.");
  if (start.items.length > MAX_BULK_ITEMS) throw tooManyItems();
  const { kind: actorKind, userId } = actor;
  const job = { ...start, resellerId, actorKind, userId, idempotencyKey: claim?.key ?? null };
  const limit = actorKind === "admin" ? null : MAX_OPEN_JOBS;
  const started = await insertBulkJob(writesOf(ctx), job, limit, changedBy(ctx));
  if (started !== null) return started;
  const message = `${MAX_OPEN_JOBS} of your jobs are not finished. Start another one once some of them are.`;
  throw new DomainError("state_invalid", message);
}

/** The job that this submission has started before; its items may have changed what a new plan would read. */
export async function findStartedJob({ db, claim }: ServiceContext, resellerId: ResellerId): Promise<BulkJobId | null> {
  return claim && findBulkJobByKey(db, resellerId, claim.key);
}

export function tooManyItems(): DomainError {
  const limit = numberText(MAX_BULK_ITEMS);
  return new DomainError("state_invalid", `At most ${limit} can be changed at once. Select fewer.`);
}
