import { bulkKindPermission } from "#lib/domain/bulk.ts";
import { requireResellerUser, type ServiceContext } from "#lib/services/context.ts";
import { type LicenseBulkInput, type LicenseBulkPlan, planLicenseBulk } from "./license-plan.ts";
import { type BulkQuote, toBulkQuote } from "./plan.ts";

export type LicenseBulkQuote = BulkQuote & Pick<LicenseBulkPlan, "cycleLengths">;

/**
 * Prices a change of many licenses and counts the skipped ones by reason. Changes nothing.
 * @throws DomainError `state_invalid` (more than 10,000).
 */
export async function quoteLicenseBulk(ctx: ServiceContext, input: LicenseBulkInput): Promise<LicenseBulkQuote> {
  const resellerId = requireResellerUser(ctx, "licenses:write");
  const permission = bulkKindPermission(input.change.kind);
  if (permission !== null) requireResellerUser(ctx, permission);
  const { cycleLengths, ...plan } = await planLicenseBulk(ctx, resellerId, input);
  return { ...toBulkQuote(plan), cycleLengths };
}
