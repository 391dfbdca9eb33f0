import type { LicenseListRow } from "#components/license/license-list-row.ts";
import { formatLicenseId } from "#lib/domain/ids.ts";
import { deriveLicenseStatus } from "#lib/domain/license-status.ts";
import type { LicenseListItem } from "#lib/services/license/list.ts";

export function presentListItem(item: LicenseListItem, now: Date): LicenseListRow {
  return {
    licenseId: item.id,
    id: formatLicenseId(item.id),
    href: `/licenses/${item.id}`,
    product: item.productName,
    key: item.key,
    hostname: item.hostname,
    ipAddress: item.ipAddress,
    status: deriveLicenseStatus(item, now),
    expiresAt: item.expiresAt.toISOString(),
    registeredAt: item.issuedAt.toISOString(),
    cores: item.cores,
    notes: item.notes,
    cycle: item.cycleName,
    bundle:
      item.bundleInstanceId === null
        ? null
        : { name: item.bundleName ?? "Bundle", href: `/bundles/${item.bundleInstanceId}` },
    autoRenew: item.autoRenew,
  };
}
