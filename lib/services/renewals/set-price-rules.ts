import { updatePriceRules } from "#lib/db/renewal/settings.ts";
import { requireWellFormed } from "#lib/domain/errors.ts";
import type { PriceRules } from "#lib/domain/renewal-price.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireResellerUser, type ServiceContext } from "#lib/services/context.ts";
import { changedMeanwhile } from "#lib/services/operation/seen-version.ts";

const MAX_NOTICE_DAYS = 60;
const MAX_PERCENT = 1_000;

/**
 * Sets what automatic renewals may charge when prices rise (docs/money.md).
 * @throws DomainError `parameters_invalid`, `changed_meanwhile`
 */
export async function setPriceRules(ctx: ServiceContext, input: PriceRules): Promise<PriceRules> {
  const resellerId = requireResellerUser(ctx, "wallet:write");
  const { noticeDays, maxIncreasePercent } = input;
  const isWhole = (number: number, most: number) => Number.isInteger(number) && number >= 0 && number <= most;
  const isPercent = maxIncreasePercent === null || isWhole(maxIncreasePercent, MAX_PERCENT);
  requireWellFormed({
    notice_days: !isWhole(noticeDays, MAX_NOTICE_DAYS) && `must be days from 0 to ${MAX_NOTICE_DAYS}`,
    max_increase: !isPercent && `must be a whole number from 0 to ${MAX_PERCENT}`,
  });
  const changed = await updatePriceRules(ctx.db, resellerId, input, ctx.seenVersion ?? null, changedBy(ctx));
  if (!changed) throw changedMeanwhile("This setting");
  return { noticeDays, maxIncreasePercent };
}
