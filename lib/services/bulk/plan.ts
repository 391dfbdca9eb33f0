import type { NewBulkItem } from "#lib/db/bulk/new-job.ts";
import { type Affordable, computeAffordable } from "#lib/domain/affordable.ts";
import type { BulkKind } from "#lib/domain/bulk.ts";
import { type BulkObstacle, bulkObstacles } from "#lib/domain/bulk-license.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { BulkJobId, CycleId, ResellerId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import { priceChanged } from "#lib/domain/refused-charge.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { findStartedJob, startBulkJob } from "./start.ts";

export interface PlannedItem {
  readonly target: Pick<NewBulkItem, "licenseId" | "bundleInstanceId">;
  /** Of its product or bundle. */
  readonly name: string;
  readonly obstacle: BulkObstacle | null;
  /** Null if free. */
  readonly charge: ItemCharge | null;
  /** End of its term after a renewal; null for other changes. */
  readonly newExpiry: Date | null;
}

export interface ItemCharge {
  /** Minor units. */
  readonly price: bigint;
  /** End of the term to renew. */
  readonly termEndsAt: Date;
  /** Absent: the current cycle. */
  readonly cycleId?: CycleId | undefined;
}

/** All selected items in execution order; money in minor units of `currency`. */
export interface BulkPlan {
  readonly planned: readonly PlannedItem[];
  readonly total: bigint;
  readonly currency: Currency;
  /** Null: the change is free, so users who do not see the wallet may make it. */
  readonly funds: BulkFunds | null;
  /** When the renewed terms end, of those that the balance pays for; null if nothing is renewed. */
  readonly newExpiry: ExpiryRange | null;
}

export interface ExpiryRange {
  readonly first: Date;
  readonly last: Date;
}

export interface BulkFunds {
  readonly spendable: bigint;
  /** What the balance pays for among items without obstacle, in that order. */
  readonly affordable: Affordable;
}

export interface WalletFunds {
  readonly posted: bigint;
  readonly held: bigint;
  readonly currency: Currency;
}

export function toBulkPlan(
  planned: readonly PlannedItem[],
  { posted, held, currency }: WalletFunds,
  charges: boolean,
): BulkPlan {
  const spendable = posted - held;
  const changed = planned.filter(({ obstacle }) => obstacle === null);
  const total = changed.reduce((sum, item) => sum + priceOf(item), 0n);
  if (!charges) return { planned, total, currency, funds: null, newExpiry: null };
  const { paid, ...affordable } = computeAffordable(changed, priceOf, spendable);
  return { planned, total, currency, funds: { spendable, affordable }, newExpiry: expiryRange(paid) };
}

const priceOf = ({ charge }: PlannedItem) => charge?.price ?? 0n;

function expiryRange(items: readonly PlannedItem[]): ExpiryRange | null {
  const expiries = items.flatMap(({ newExpiry }) => newExpiry ?? []).sort((a, b) => a.getTime() - b.getTime());
  const [first = null] = expiries;
  return first && { first, last: expiries.at(-1) ?? first };
}

/** Dry run of a job; money in minor units of `currency`. */
export interface BulkQuote extends Omit<BulkPlan, "planned"> {
  /** Items that would be changed. */
  readonly count: number;
  readonly skipped: readonly SkippedCount[];
  /** The selected item; null unless there is exactly one. */
  readonly only: Pick<PlannedItem, "target" | "name"> | null;
}

export interface SkippedCount {
  readonly reason: BulkObstacle;
  readonly count: number;
}

export function toBulkQuote({ planned, ...money }: BulkPlan): BulkQuote {
  const count = planned.filter(({ obstacle }) => obstacle === null).length;
  const [only, ...others] = planned;
  return { ...money, count, skipped: countObstacles(planned), only: (others.length === 0 && only) || null };
}

/** By reason, in the order of `bulkObstacles`. */
export function countObstacles(judged: readonly Pick<PlannedItem, "obstacle">[]): readonly SkippedCount[] {
  const groups = Map.groupBy(judged, ({ obstacle }) => obstacle);
  const reasons = Object.keys(bulkObstacles) as BulkObstacle[];
  return reasons.flatMap((reason) => {
    const count = groups.get(reason)?.length;
    return count === undefined ? [] : [{ reason, count }];
  });
}

export interface PlannedJob {
  readonly kind: BulkKind;
  readonly parameters: unknown;
  /** Number of items and total in minor units that the caller saw. */
  readonly agreed: { readonly count: number; readonly total: bigint };
  readonly plan: () => Promise<BulkPlan>;
}

/**
 * Starts a job if its plan matches what the caller agreed to. Items with obstacles are in the results as skipped. The
 * caller checks permissions.
 * @throws DomainError `conflict` (another number than agreed), `price_changed` (another total), `state_invalid` (none, or
 *   more than 10,000)
 */
export async function startPlannedJob(
  ctx: ServiceContext,
  resellerId: ResellerId,
  { kind, parameters, agreed, plan }: PlannedJob,
): Promise<{ readonly jobId: BulkJobId }> {
  const earlier = await findStartedJob(ctx, resellerId);
  if (earlier) return { jobId: earlier };
  const { planned, total, currency } = await plan();
  const count = planned.filter(({ obstacle }) => obstacle === null).length;
  if (count !== agreed.count) {
    throw new DomainError("conflict", "The selection has changed. Check the new numbers.");
  }
  if (total !== agreed.total) throw priceChanged(total, currency);
  if (count === 0) throw new DomainError("state_invalid", "None of the selected items can be changed this way.");
  const items = planned.map(({ target, obstacle, charge }) => ({
    ...target,
    ...(charge === null
      ? {}
      : { input: { ...charge, termEndsAt: charge.termEndsAt.toISOString(), price: charge.price.toString() } }),
    ...(obstacle === null ? {} : { skipped: { code: obstacle, message: bulkObstacles[obstacle] } }),
  }));
  return { jobId: await startBulkJob(ctx, resellerId, { kind, parameters, quotedTotal: total, currency, items }) };
}
