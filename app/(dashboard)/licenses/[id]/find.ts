import { cache } from "react";
import { orNotFound } from "#app/(dashboard)/or-not-found.ts";
import { contextOf, requireResellerUser } from "#lib/dashboard/session.ts";
import { isDomainError } from "#lib/domain/errors.ts";
import { parseLicenseId } from "#lib/domain/ids.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { getLicense, type LicenseRow } from "#lib/services/license/get.ts";
import { quoteRenewals, type RenewalQuote } from "#lib/services/license/quote-renewal.ts";
import { versionOf } from "#lib/services/operation/seen-version.ts";

export const HISTORY_LENGTH = 100;

/** `id`: as in the address. */
export const findLicense = cache(async (id: string): Promise<LicenseRow> => {
  const ctx = contextOf(await requireResellerUser());
  return orNotFound(getLicense(ctx, { licenseId: parseLicenseId(id) ?? 0 }));
});

/** None where it cannot be renewed by itself. */
export async function findRenewalQuotes(ctx: ServiceContext, licenseId: number): Promise<readonly RenewalQuote[]> {
  try {
    return await quoteRenewals(ctx, { licenseId });
  } catch (error) {
    if (isDomainError(error) && error.code === "state_invalid") return [];
    throw error;
  }
}

/** What a form of the license's page was filled in by. */
export function seenLicense(license: LicenseRow) {
  return { licenseId: license.id, seenVersion: versionOf([license]) };
}
