import { type BundleInstanceRow, findBundleInstance } from "#lib/db/bundle/instance.ts";
import { type LicenseRow, listMembers } from "#lib/db/license/license.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";

export interface BundleInstance extends BundleInstanceRow {
  /** In the bundle's order. */
  readonly members: readonly LicenseRow[];
}

/** @throws DomainError `bundle_instance_not_found`: also for another reseller's (contract 1.12). */
export async function getBundleInstance(
  ctx: ServiceContext,
  input: { readonly bundleInstanceId: number },
): Promise<BundleInstance> {
  const resellerId = requireReseller(ctx, "bundles:read");
  return getOwnBundleInstance(ctx, resellerId, input.bundleInstanceId);
}

/** For services that have checked their own permission. */
export async function getOwnBundleInstance(
  ctx: ServiceContext,
  resellerId: ResellerId,
  bundleInstanceId: number,
): Promise<BundleInstance> {
  // The members first: an operation that ends between the two readings leaves them outdated, which a hold refuses.
  const members = await listMembers(ctx.db, resellerId, bundleInstanceId);
  const instance = await findBundleInstance(ctx.db, resellerId, bundleInstanceId);
  if (!instance) {
    throw new DomainError("bundle_instance_not_found", "No bundle of yours has this bundle_instance_id.", {
      details: { bundle_instance_id: "names no bundle of yours" },
    });
  }
  return { ...instance, members };
}

/** @throws DomainError `state_invalid` unless the instance is provisioned and not terminated. */
export function requireProvisionedInstance(instance: BundleInstance): void {
  if (instance.terminatedAt !== null) {
    throw new DomainError("state_invalid", "This bundle is terminated. It ended for good: register a new one.", {
      details: { status: "terminated" },
    });
  }
  if (instance.provisionedAt === null) {
    throw new DomainError("state_invalid", "This bundle is pending. The provider has not confirmed it yet.", {
      details: { status: "pending" },
    });
  }
}
