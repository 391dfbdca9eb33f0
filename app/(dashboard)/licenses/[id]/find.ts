import { notFound } from "next/navigation";
import { isDomainError } from "#lib/domain/errors.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { getLicense, type LicenseRow } from "#lib/services/license/get.ts";
import { quoteRenewals, type RenewalQuote } from "#lib/services/license/quote-renewal.ts";

export const HISTORY_LENGTH = 100;

/** Another reseller's license is not found, as if there were none (decisions 1.12). */
export async function findLicense(ctx: ServiceContext, licenseId: number): Promise<LicenseRow> {
  try {
    return await getLicense(ctx, { licenseId });
  } catch (error) {
    if (isDomainError(error) && error.code === "license_not_found") notFound();
    throw error;
  }
}

/** None where it cannot be renewed by itself. */
export async function findRenewalQuotes(ctx: ServiceContext, licenseId: number): Promise<readonly RenewalQuote[]> {
  try {
    return await quoteRenewals(ctx, { licenseId });
  } catch (error) {
    if (isDomainError(error) && error.code === "state_invalid") return [];
    throw error;
  }
}
