import type { CycleChoice } from "#components/license/registration.ts";
import type { LicenseStatus } from "#lib/domain/license-status.ts";

/** A bundle that can be bought. */
export interface BundleChoice {
  readonly bundleId: number;
  readonly name: string;
  readonly description: string;
  readonly currency: string;
  readonly members: readonly { readonly productId: number; readonly name: string; readonly coreMetered: boolean }[];
  /** Shortest first; at least one. */
  readonly cycles: readonly CycleChoice[];
}

/** One that was bought. Times: ISO 8601, UTC. */
export interface BundleListRow {
  readonly id: number;
  readonly href: string;
  readonly name: string;
  readonly ipAddress: string;
  readonly status: LicenseStatus;
  readonly expiresAt: string;
  readonly autoRenew: boolean;
  readonly cycleMonths: number;
  /** By the present cycle; null where it cannot be renewed. */
  readonly renewalPrice: { readonly minor: string; readonly currency: string } | null;
}

export interface BundleDetails extends BundleListRow {
  readonly issuedAt: string;
  readonly terminatedAt: string | null;
  /** An operation on it is open: another is refused until it has ended. */
  readonly busy: boolean;
  readonly members: readonly BundleMember[];
}

export interface BundleMember {
  readonly licenseId: number;
  /** `lic_12`. */
  readonly id: string;
  readonly product: string;
  readonly key: string;
  /** Empty until known. */
  readonly hostname: string;
  readonly status: LicenseStatus;
  readonly cores: number | null;
}

export interface RegisterBundleInput {
  readonly bundle_id: string;
  readonly cycle_id: string;
  readonly ip_address: string;
  /** The private address that is meant; empty until that was asked. */
  readonly meant_address: string;
  /** Minor units, as decimal text. */
  readonly agreed_price: string;
}

export interface BundleRegistered {
  readonly bundleInstanceId: number;
  /** The provider has not confirmed it yet. */
  readonly pending: boolean;
  readonly balanceAfter: string;
  readonly currency: string;
}
