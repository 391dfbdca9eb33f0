import { updatePriceRules } from "#lib/db/renewal/settings.ts";
import { invalidParameters, type ParameterProblem } from "#lib/domain/errors.ts";
import type { PriceRules } from "#lib/domain/renewal-price.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireResellerUser, type ServiceContext } from "#lib/services/context.ts";

const MAX_NOTICE_DAYS = 60;
const MAX_PERCENT = 1_000;

/**
 * Sets what automatic renewals may charge when prices rise (docs/money.md).
 * @throws DomainError `parameters_invalid`.
 */
export async function setPriceRules(ctx: ServiceContext, input: PriceRules): Promise<PriceRules> {
  const resellerId = requireResellerUser(ctx, "wallet:write");
  const { noticeDays, maxIncreasePercent } = input;
  const problems: ParameterProblem[] = [];
  const isWhole = (number: number, most: number) => Number.isInteger(number) && number >= 0 && number <= most;
  if (!isWhole(noticeDays, MAX_NOTICE_DAYS)) {
    const message = `must be days from 0 to ${MAX_NOTICE_DAYS}`;
    problems.push({ field: "notice_days", kind: "malformed", message });
  }
  if (maxIncreasePercent !== null && !isWhole(maxIncreasePercent, MAX_PERCENT)) {
    const message = `must be a whole number from 0 to ${MAX_PERCENT}`;
    problems.push({ field: "max_increase", kind: "malformed", message });
  }
  if (problems.length > 0) throw invalidParameters(problems);
  await updatePriceRules(ctx.db, resellerId, input, changedBy(ctx));
  return { noticeDays, maxIncreasePercent };
}
