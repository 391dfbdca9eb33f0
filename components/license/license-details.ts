import type { LicenseStatus } from "#lib/domain/license-status.ts";

/** One license as its page shows it. Times: ISO 8601, UTC. */
export interface LicenseDetails {
  readonly licenseId: number;
  /** `lic_12`. */
  readonly id: string;
  readonly key: string;
  readonly product: string;
  readonly status: LicenseStatus;
  readonly ipAddress: string;
  /** Empty until known. */
  readonly hostname: string;
  /** Null unless the product is core-metered. */
  readonly cores: number | null;
  /** 0 where the product has none. */
  readonly workers: number;
  readonly notes: string;
  readonly issuedAt: string;
  readonly expiresAt: string;
  readonly suspendedAt: string | null;
  readonly suspendedBy: "reseller" | "admin" | null;
  readonly suspensionReason: string;
  readonly terminatedAt: string | null;
  readonly bundleInstanceId: number | null;
  /** An operation on it is open: another is refused until it has ended. */
  readonly busy: boolean;
  /** Its address can be changed, and it can be suspended. */
  readonly movable: boolean;
  /** Its cores can be changed, and it can be ended. */
  readonly changeable: boolean;
  readonly cycleMonths: number;
  /** By the present cycle; null where it cannot be renewed by itself. */
  readonly renewalPrice: { readonly minor: string; readonly currency: string } | null;
}

/** A renewal by one cycle. `price`: minor units as decimal text. */
export interface RenewalChoice {
  readonly cycleId: number;
  readonly name: string;
  readonly price: string;
  readonly currency: string;
  readonly newExpiry: string;
  readonly current: boolean;
}

export interface RenewInput {
  readonly cycle_id: number;
  /** Minor units, as decimal text. */
  readonly agreed_price: string;
}

export interface SuspendInput {
  readonly license_id: number;
  readonly reason: string;
}

export interface UnsuspendInput {
  readonly license_id: number;
}

export interface LicenseChanged {
  /** The provider has not confirmed it yet. */
  readonly pending: boolean;
}

export interface Renewed extends LicenseChanged {
  readonly newExpiry: string;
  readonly balanceAfter: string;
  readonly currency: string;
}
