import { findLicense, findLicenseByKey, findLicensesByAddress, type LicenseRow } from "#lib/db/license/license.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { formatLicenseId } from "#lib/domain/ids.ts";
import type { LicenseKey } from "#lib/domain/license-key.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";
import { type LicenseReach, requireLicenseReach, withinReach } from "#lib/services/license-reach.ts";
import { licenseNotFound } from "./get.ts";

/** Candidates in the error of an ambiguous address. */
const MAX_CANDIDATES = 100;
const SEVERAL_FOUND = "Several licenses are on this address. Choose one by license_id, or add type.";

export type LicenseSelector =
  | { readonly licenseKey: LicenseKey }
  /** The caller's address. */
  | { readonly ownAddress: string }
  | { readonly licenseId: number }
  | { readonly ipAddress: string };

type NarrowedSelector = LicenseSelector & {
  /** Slug of its product. */
  readonly type?: string | undefined;
};

/**
 * The license that a selector matches (contract 2.1); by address, terminated licenses are excluded. License key and own
 * address require `licenses:verify`, other selectors `licenses:read` (contract 1.14).
 * @throws DomainError `license_not_found`; `license_ambiguous`, with the candidates as details
 */
export async function getLicenseStatus(ctx: ServiceContext, selector: NarrowedSelector): Promise<LicenseRow> {
  const found = await findCandidates(ctx, requireReach(ctx, selector), selector);
  const [license] = found;
  if (!license)
    throw licenseNotFound(selectorName(selector), ...(selector.type === undefined ? [] : ["type" as const]));
  if (found.length === 1) return license;
  const details = Object.fromEntries(found.map(({ id, productName }) => [formatLicenseId(id), productName]));
  throw new DomainError("license_ambiguous", SEVERAL_FOUND, { details });
}

function selectorName(selector: LicenseSelector) {
  if ("licenseKey" in selector) return "license_key";
  return "licenseId" in selector ? "license_id" : "ip_address";
}

function requireReach(ctx: ServiceContext, selector: LicenseSelector): LicenseReach {
  if (!("licenseId" in selector || "ipAddress" in selector)) return requireLicenseReach(ctx, "licenses:verify");
  return { resellerId: requireReseller(ctx, "licenses:read"), onlyLicenseId: null };
}

async function findCandidates(
  ctx: ServiceContext,
  reach: LicenseReach,
  selector: NarrowedSelector,
): Promise<LicenseRow[]> {
  const { type = null } = selector;
  const { resellerId, onlyLicenseId } = reach;
  const only = (license: LicenseRow | null) => (license && (type === null || license.type === type) ? [license] : []);
  if ("licenseKey" in selector) {
    return only(withinReach(reach, await findLicenseByKey(ctx.db, resellerId, selector.licenseKey)));
  }
  if ("licenseId" in selector) return only(await findLicense(ctx.db, resellerId, selector.licenseId));
  const ipAddress = "ownAddress" in selector ? selector.ownAddress : selector.ipAddress;
  return findLicensesByAddress(ctx.db, resellerId, { ipAddress, type, onlyLicenseId, limit: MAX_CANDIDATES });
}
