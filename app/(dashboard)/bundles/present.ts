import type { BundleChoice, BundleDetails, BundleListRow } from "#components/bundle/bundle-details.ts";
import { formatLicenseId } from "#lib/domain/ids.ts";
import { deriveLicenseStatus } from "#lib/domain/license-status.ts";
import type { BundleInstance } from "#lib/services/bundle/get.ts";
import type { ListedBundle } from "#lib/services/bundle/list.ts";
import type { BundleOffer } from "#lib/services/catalog/list-bundles.ts";
import type { RenewalQuote } from "#lib/services/license/quote-renewal.ts";
import { versionOf } from "#lib/services/operation/seen-version.ts";

export function presentBundleOffer({
  bundleId,
  name,
  description,
  currency,
  products,
  cycles,
}: BundleOffer): BundleChoice {
  return {
    bundleId,
    name,
    description,
    currency,
    members: products.map((product) => ({
      productId: product.productId,
      name: product.name,
      coreMetered: product.coreMetered,
    })),
    cycles: cycles.map((cycle) => ({
      cycleId: cycle.cycleId,
      name: cycle.name,
      months: cycle.months,
      price: cycle.price.toString(),
      setupFee: cycle.setupFee.toString(),
      pricePerCore: null,
    })),
  };
}

export function presentBundleRow({ renewal, ...instance }: ListedBundle, now: Date): BundleListRow {
  return {
    id: instance.id,
    href: `/bundles/${instance.id}`,
    name: instance.name,
    ipAddress: instance.ipAddress,
    // A bundle is never suspended, only its licenses are.
    status: deriveLicenseStatus({ ...instance, suspendedAt: null }, now),
    expiresAt: instance.expiresAt.toISOString(),
    autoRenew: instance.autoRenew,
    cycleMonths: instance.cycleMonths,
    renewalPrice: renewal && { minor: renewal.price.toString(), currency: renewal.currency },
  };
}

/** What a form of a bundle's page was filled in by. */
export interface SeenBundle {
  readonly bundleInstanceId: number;
  readonly seenVersion: string;
}

export function presentSeenBundle({ id, members }: BundleInstance): SeenBundle {
  return { bundleInstanceId: id, seenVersion: versionOf(members) };
}

export function presentBundle(instance: BundleInstance, quotes: readonly RenewalQuote[], now: Date): BundleDetails {
  return {
    ...presentBundleRow({ ...instance, renewal: quotes.find((quote) => quote.current) ?? null }, now),
    issuedAt: instance.issuedAt.toISOString(),
    terminatedAt: instance.terminatedAt?.toISOString() ?? null,
    busy: instance.openOperationId !== null || instance.members.some(({ openOperationId }) => openOperationId !== null),
    members: instance.members.map((member) => ({
      licenseId: member.id,
      id: formatLicenseId(member.id),
      product: member.productName,
      key: member.key,
      hostname: member.hostname,
      status: deriveLicenseStatus(member, now),
      cores: member.cores,
    })),
  };
}
