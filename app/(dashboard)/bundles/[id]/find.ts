import { notFound } from "next/navigation";
import { isDomainError } from "#lib/domain/errors.ts";
import { type BundleInstance, getBundleInstance } from "#lib/services/bundle/get.ts";
import { quoteBundleRenewals } from "#lib/services/bundle/quote-renewal.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import type { RenewalQuote } from "#lib/services/license/quote-renewal.ts";

/** Another reseller's bundle is not found, as if there were none (decisions 1.12). */
export async function findBundle(ctx: ServiceContext, bundleInstanceId: number): Promise<BundleInstance> {
  try {
    return await getBundleInstance(ctx, { bundleInstanceId });
  } catch (error) {
    if (isDomainError(error) && error.code === "bundle_instance_not_found") notFound();
    throw error;
  }
}

/** None where it cannot be renewed. */
export async function findBundleQuotes(
  ctx: ServiceContext,
  bundleInstanceId: number,
): Promise<readonly RenewalQuote[]> {
  try {
    return await quoteBundleRenewals(ctx, { bundleInstanceId });
  } catch (error) {
    if (isDomainError(error) && error.code === "state_invalid") return [];
    throw error;
  }
}
