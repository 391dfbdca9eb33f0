import { bulkKindPermission } from "#lib/domain/bulk.ts";
import { requireResellerUser, type ServiceContext } from "#lib/services/context.ts";
import { type BundleBulkInput, planBundleBulk } from "./bundle-plan.ts";
import { type BulkQuote, toBulkQuote } from "./plan.ts";

/**
 * Prices a change of many bundle instances and counts the skipped ones by reason. Changes nothing.
 * @throws DomainError `state_invalid` (more than 10,000).
 */
export async function quoteBundleBulk(ctx: ServiceContext, input: BundleBulkInput): Promise<BulkQuote> {
  const resellerId = requireResellerUser(ctx, "bundles:write");
  const permission = bulkKindPermission(input.change.kind);
  if (permission !== null) requireResellerUser(ctx, permission);
  return toBulkQuote(await planBundleBulk(ctx, resellerId, input));
}
