import { type BulkObstacle, bulkObstacles } from "#lib/domain/bulk-license.ts";
import type { Currency } from "#lib/domain/money.ts";
import { requireResellerUser, type ServiceContext } from "#lib/services/context.ts";
import { type LicenseBulkInput, planLicenseBulk } from "./license-plan.ts";

/** What a change of many would do now. Money in minor units of `currency`. */
export interface LicenseBulkQuote {
  /** How many would be changed. */
  readonly count: number;
  readonly skipped: readonly { readonly reason: BulkObstacle; readonly count: number }[];
  readonly total: bigint;
  readonly spendable: bigint;
  readonly currency: Currency;
  /** How many of `count` the balance pays for. */
  readonly affordableCount: number;
}

/**
 * Prices a change of many licenses and says which are left out and why, without changing anything.
 * @throws DomainError `permission_denied`, `state_invalid` (more than 10,000).
 */
export async function quoteLicenseBulk(ctx: ServiceContext, input: LicenseBulkInput): Promise<LicenseBulkQuote> {
  const resellerId = requireResellerUser(ctx);
  const { planned, ...money } = await planLicenseBulk(ctx, resellerId, input);
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
