import type { LicenseStatus } from "#lib/domain/license-status.ts";

/** A license as lists show it. Times: ISO 8601, UTC. */
export interface LicenseListRow {
  readonly licenseId: number;
  /** `lic_12`. */
  readonly id: string;
  readonly href: string;
  readonly product: string;
  readonly key: string;
  /** Empty until known. */
  readonly hostname: string;
  readonly ipAddress: string;
  readonly status: LicenseStatus;
  readonly expiresAt: string;
  readonly registeredAt: string;
  /** Null unless the product is core-metered. */
  readonly cores: number | null;
  readonly notes: string;
  readonly cycle: string;
  readonly bundle: { readonly name: string; readonly href: string } | null;
  /** Of the license, or of its bundle. */
  readonly autoRenew: boolean;
}
