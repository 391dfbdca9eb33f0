import { requireResellerUser, type ServiceContext } from "#lib/services/context.ts";
import { type LicenseBulkInput, planLicenseBulk } from "./license-plan.ts";
import { type BulkQuote, quoteOf } from "./plan.ts";

/**
 * Prices a change of many licenses and says which are left out and why, without changing anything.
 * @throws DomainError `permission_denied`, `state_invalid` (more than 10,000).
 */
export async function quoteLicenseBulk(ctx: ServiceContext, input: LicenseBulkInput): Promise<BulkQuote> {
  const resellerId = requireResellerUser(ctx);
  return quoteOf(await planLicenseBulk(ctx, resellerId, input));
}
