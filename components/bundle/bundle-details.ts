import { describeOpenChange } from "#components/license/open-change.tsx";
import { formatLicenseId } from "#lib/domain/ids.ts";
import { deriveLicenseStatus, type LicenseFacts, type LicenseStatus } from "#lib/domain/license-status.ts";
import type { BundleInstance } from "#lib/services/bundle/get.ts";
import type { ListedBundle } from "#lib/services/bundle/list.ts";
import type { BundleOffer } from "#lib/services/catalog/list-bundles.ts";
import type { OperationRow } from "#lib/services/operation/get.ts";

/** A bundle that can be bought, without the provider's own names. */
export function pickBundle({ bundleId, name, description, currency, products, cycles }: BundleOffer) {
  return {
    bundleId,
    name,
    description,
    currency,
    products: products.map(({ productId, name, coreMetered }) => ({ productId, name, coreMetered })),
    cycles,
  };
}
export type BundleChoice = Readonly<ReturnType<typeof pickBundle>>;

/** A bundle is never suspended, only its licenses are. */
export function bundleStatus(bundle: Omit<LicenseFacts, "suspendedAt">, now: Date): LicenseStatus {
  return deriveLicenseStatus({ ...bundle, suspendedAt: null }, now);
}

export type BundleDetails = Readonly<ReturnType<typeof describeBundle>>;

export function describeBundle(bundle: ListedBundle & BundleInstance, openOperation: OperationRow | null, now: Date) {
  const { id, name, ipAddress, cycleMonths, renewal, expiresAt, issuedAt, members } = bundle;
  return {
    id,
    name,
    ipAddress,
    cycleMonths,
    renewal,
    status: bundleStatus(bundle, now),
    expiresAt,
    issuedAt,
    /** An operation on it or on one of its licenses is open: another is refused until it has ended. */
    busy: [bundle, ...members].some(({ openOperationId }) => openOperationId !== null),
    openChange: openOperation && describeOpenChange(openOperation),
    members: members.map((member) => ({
      licenseId: member.id,
      /** `lic_12`. */
      id: formatLicenseId(member.id),
      product: member.productName,
      key: member.key,
      hostname: member.hostname,
      status: deriveLicenseStatus(member, now),
      cores: member.cores,
    })),
  };
}
