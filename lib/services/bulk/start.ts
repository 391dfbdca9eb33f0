import { insertBulkJob, type NewBulkItem } from "#lib/db/bulk/job.ts";
import { type BulkKind, MAX_BULK_ITEMS } from "#lib/domain/bulk.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { BulkJobId, ResellerId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { permissionDenied, type ServiceContext, writesOf } from "#lib/services/context.ts";

export interface BulkStart {
  readonly kind: BulkKind;
  /** Plain JSON, as the kind's definition reads it. */
  readonly parameters: unknown;
  /** In the order in which they are to be done. */
  readonly items: readonly NewBulkItem[];
  /** What all of it will cost at most, as it was told before: minor units of `currency`. */
  readonly quotedTotal: bigint;
  readonly currency: Currency;
}

/**
 * For services that have checked their own permission: stores a job with its items and wakes a worker. Under the same
 * idempotency key it is one job, however often it is started.
 * @throws DomainError `state_invalid` (none, or more than 10,000 items), `permission_denied` (not a person).
 */
export async function startBulkJob(ctx: ServiceContext, resellerId: ResellerId, start: BulkStart): Promise<BulkJobId> {
  const { actor, claim } = ctx;
  if (actor.kind !== "reseller_user" && actor.kind !== "admin") throw permissionDenied("Only a person may do this.");
  if (start.items.length === 0) throw new DomainError("state_invalid", "Nothing is selected.");
  if (start.items.length > MAX_BULK_ITEMS) throw tooMany();
  const { kind: actorKind, userId } = actor;
  return insertBulkJob(
    writesOf(ctx),
    { ...start, resellerId, actorKind, userId, idempotencyKey: claim?.key ?? null },
    changedBy(ctx),
  );
}

export function tooMany(): DomainError {
  const limit = MAX_BULK_ITEMS.toLocaleString("en-US");
  return new DomainError("state_invalid", `At most ${limit} can be changed at once: select fewer.`);
}
