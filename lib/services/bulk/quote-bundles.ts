import { requireResellerUser, type ServiceContext } from "#lib/services/context.ts";
import { type BundleBulkInput, planBundleBulk } from "./bundle-plan.ts";
import { type BulkQuote, quoteOf } from "./plan.ts";

/**
 * Prices a change of many bundle instances and says which are left out and why, without changing anything.
 * @throws DomainError `permission_denied`, `state_invalid` (more than 10,000).
 */
export async function quoteBundleBulk(ctx: ServiceContext, input: BundleBulkInput): Promise<BulkQuote> {
  const resellerId = requireResellerUser(ctx);
  return quoteOf(await planBundleBulk(ctx, resellerId, input));
}
