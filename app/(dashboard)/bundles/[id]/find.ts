import { cache } from "react";
import { orNotFound } from "#app/(dashboard)/or-not-found.ts";
import { contextOf, requireResellerUser } from "#lib/dashboard/session.ts";
import { isDomainError } from "#lib/domain/errors.ts";
import { parsePositiveInteger } from "#lib/domain/integer.ts";
import { type BundleInstance, getBundleInstance } from "#lib/services/bundle/get.ts";
import { quoteBundleRenewals } from "#lib/services/bundle/quote-renewal.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import type { RenewalQuote } from "#lib/services/license/quote-renewal.ts";
import { versionOf } from "#lib/services/operation/seen-version.ts";

/** `id`: as in the address. */
export const findBundle = cache(async (id: string): Promise<BundleInstance> => {
  const ctx = contextOf(await requireResellerUser());
  return orNotFound(getBundleInstance(ctx, { bundleInstanceId: parsePositiveInteger(id) ?? 0 }));
});

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

/** What a form of the bundle's page was filled in by. */
export function seenBundle({ id, members }: BundleInstance) {
  return { bundleInstanceId: id, seenVersion: versionOf(members) };
}
