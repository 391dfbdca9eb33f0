import { formatLicenseId, type LicenseId } from "#lib/domain/ids.ts";
import { deriveLicenseStatus, isLive, type LicenseFacts, type LicenseStatus } from "#lib/domain/license-status.ts";

/** One license as its page shows it, without anything about its provider. */
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
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  readonly suspendedAt: Date | null;
  readonly suspendedBy: "reseller" | "admin" | null;
  readonly suspensionReason: string;
  readonly terminatedAt: Date | null;
  readonly bundleInstanceId: number | null;
  /** An operation on it is open: another is refused until it has ended. */
  readonly busy: boolean;
  /** Its address can be changed, and it can be suspended. */
  readonly movable: boolean;
  /** Its cores can be changed, and it can be ended. */
  readonly changeable: boolean;
  readonly cycleMonths: number;
  /** By the present cycle; null where it cannot be renewed by itself. */
  readonly renewalPrice: { readonly minor: bigint; readonly currency: string } | null;
}

interface License extends LicenseFacts {
  readonly id: LicenseId;
  readonly key: string;
  readonly productName: string;
  readonly ipAddress: string;
  readonly hostname: string;
  readonly cores: number | null;
  readonly workers: number;
  readonly notes: string;
  readonly issuedAt: Date;
  readonly suspendedBy: "reseller" | "admin" | null;
  readonly suspensionReason: string;
  readonly bundleInstanceId: number | null;
  readonly openOperationId: string | null;
  readonly cycleMonths: number;
}

export function describeLicense(license: License, quotes: readonly RenewalChoice[], now: Date): LicenseDetails {
  const { id, key, ipAddress, hostname, cores, workers, notes, issuedAt, expiresAt, suspendedAt, suspendedBy } =
    license;
  const { suspensionReason, terminatedAt, bundleInstanceId, cycleMonths } = license;
  const current = quotes.find((quote) => quote.current);
  const busy = license.openOperationId !== null;
  // Neither unconfirmed, nor ended for good, nor being changed (docs/decisions/0003).
  const movable = license.provisionedAt !== null && terminatedAt === null && !busy;
  return {
    licenseId: id,
    id: formatLicenseId(id),
    key,
    product: license.productName,
    status: deriveLicenseStatus(license, now),
    ipAddress,
    hostname,
    cores,
    workers,
    notes,
    issuedAt,
    expiresAt,
    suspendedAt,
    suspendedBy,
    suspensionReason,
    terminatedAt,
    bundleInstanceId,
    busy,
    movable,
    changeable: movable && isLive(license, now),
    cycleMonths,
    renewalPrice: current ? { minor: current.price, currency: current.currency } : null,
  };
}

/** A renewal by one cycle. `price`: minor units. */
export interface RenewalChoice {
  readonly cycleId: number;
  readonly name: string;
  readonly price: bigint;
  readonly currency: string;
  /** The new term. */
  readonly term: { readonly expiresAt: Date };
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
  /** ISO 8601, UTC. */
  readonly newExpiry: string;
  readonly balanceAfter: string;
  readonly currency: string;
}
