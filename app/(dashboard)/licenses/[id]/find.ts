import { cache } from "react";
import { orNotFound } from "#app/(dashboard)/or-not-found.ts";
import { contextOf, requireResellerUser } from "#lib/dashboard/session.ts";
import { parseLicenseId } from "#lib/domain/ids.ts";
import { getLicense, type LicenseRow } from "#lib/services/license/get.ts";
import { versionOf } from "#lib/services/operation/seen-version.ts";

export const HISTORY_LENGTH = 100;

/** `id`: as in the address. */
export const findLicense = cache(async (id: string): Promise<LicenseRow> => {
  const ctx = contextOf(await requireResellerUser("licenses:read"));
  return orNotFound(getLicense(ctx, { licenseId: parseLicenseId(id) ?? 0 }));
});

/** What a form of the license's page was filled in by. */
export function seenLicense(license: LicenseRow) {
  return { licenseId: license.id, seenVersion: versionOf([license]) };
}
