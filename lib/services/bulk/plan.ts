import { findBulkJobByKey, type NewBulkItem } from "#lib/db/bulk/job.ts";
import { type Affordable, computeAffordable } from "#lib/domain/affordable.ts";
import type { BulkKind } from "#lib/domain/bulk.ts";
import { type BulkObstacle, bulkObstacles } from "#lib/domain/bulk-license.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { BulkJobId, ResellerId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import { priceChanged } from "#lib/domain/refused-charge.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { startBulkJob } from "./start.ts";

export interface PlannedItem {
  readonly target: Pick<NewBulkItem, "licenseId" | "bundleInstanceId">;
  readonly obstacle: BulkObstacle | null;
  /** What it costs, in minor units, and which term that is for; null: it is free. */
  readonly charge: { readonly price: bigint; readonly termEndsAt: Date } | null;
}

/** Everything selected, in the order in which it is done; money in minor units of `currency`. */
export interface BulkPlan {
  readonly planned: readonly PlannedItem[];
  readonly total: bigint;
  readonly spendable: bigint;
  readonly currency: Currency;
  /** What the balance pays for of what nothing stands in the way of, in that order. */
  readonly affordable: Affordable;
}

export interface PlannedBy {
  readonly posted: bigint;
  readonly held: bigint;
  readonly currency: Currency;
}

export function weighPlan(planned: readonly PlannedItem[], { posted, held, currency }: PlannedBy): BulkPlan {
  const spendable = posted - held;
  const prices = planned.filter(({ obstacle }) => obstacle === null).map(({ charge }) => charge?.price ?? 0n);
  const total = prices.reduce((sum, price) => sum + price, 0n);
  return { planned, total, spendable, currency, affordable: computeAffordable(prices, spendable) };
}

/** What a change of many would do now. Money in minor units of `currency`. */
export interface BulkQuote extends Omit<BulkPlan, "planned"> {
  /** How many would be changed. */
  readonly count: number;
  readonly skipped: readonly { readonly reason: BulkObstacle; readonly count: number }[];
}

export function quoteOf({ planned, ...money }: BulkPlan): BulkQuote {
  const counts = new Map<BulkObstacle | null, number>();
  for (const { obstacle } of planned) counts.set(obstacle, (counts.get(obstacle) ?? 0) + 1);
  const reasons = Object.keys(bulkObstacles) as BulkObstacle[];
  return {
    ...money,
    count: counts.get(null) ?? 0,
    skipped: reasons.flatMap((reason) => {
      const count = counts.get(reason);
      return count === undefined ? [] : [{ reason, count }];
    }),
  };
}

export interface PlannedStart {
  readonly kind: BulkKind;
  readonly parameters: unknown;
  /** What was agreed to: how many, and what they cost in minor units. */
  readonly agreed: { readonly count: number; readonly total: bigint };
  readonly plan: () => Promise<BulkPlan>;
}

/**
 * For services that have checked their own permission: starts what is planned now, if that is what was agreed to. What is
 * left out is in the results with its reason.
 * @throws DomainError `conflict` (another number than agreed), `price_changed` (as many, at another price), `state_invalid`
 *   (none, or more than 10,000).
 */
export async function startPlanned(
  ctx: ServiceContext,
  resellerId: ResellerId,
  { kind, parameters, agreed, plan }: PlannedStart,
): Promise<{ readonly jobId: BulkJobId }> {
  // A form sent again after its answer was lost: the numbers are others now that its job is under way.
  const earlier = ctx.claim && (await findBulkJobByKey(ctx.db, resellerId, ctx.claim.key));
  if (earlier) return { jobId: earlier };
  const { planned, total, currency } = await plan();
  const count = planned.filter(({ obstacle }) => obstacle === null).length;
  if (count !== agreed.count) {
    throw new DomainError("conflict", "What is selected has changed meanwhile: look at the new numbers.");
  }
  if (total !== agreed.total) throw priceChanged(total, currency);
  if (count === 0) throw new DomainError("state_invalid", "Nothing of what is selected can be changed this way.");
  const items = planned.map(({ target, obstacle, charge }) => ({
    ...target,
    ...(charge === null
      ? {}
      : { input: { termEndsAt: charge.termEndsAt.toISOString(), price: charge.price.toString() } }),
    ...(obstacle === null ? {} : { skipped: { code: obstacle, message: bulkObstacles[obstacle] } }),
  }));
  return { jobId: await startBulkJob(ctx, resellerId, { kind, parameters, quotedTotal: total, currency, items }) };
}
