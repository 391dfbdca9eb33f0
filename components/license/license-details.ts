import { formatLicenseId, type LicenseId } from "#lib/domain/ids.ts";
import type { Labels } from "#lib/domain/labels.ts";
import { deriveLicenseStatus, isLive, type LicenseFacts, type LicenseStatus } from "#lib/domain/license-status.ts";

/** What a license's page shows as it is. */
interface ShownFacts extends LicenseFacts, Labels {
  readonly key: string;
  readonly ipAddress: string;
  /** Empty until known. */
  readonly hostname: string;
  /** Null unless the product is core-metered. */
  readonly cores: number | null;
  /** 0 where the product has none. */
  readonly workers: number;
  readonly notes: string;
  readonly issuedAt: Date;
  readonly suspendedBy: "reseller" | "admin" | null;
  readonly suspensionReason: string;
  readonly bundleInstanceId: number | null;
  readonly cycleMonths: number;
}

/** One license as its page shows it, without anything about its provider. */
export interface LicenseDetails extends ShownFacts {
  readonly licenseId: number;
  /** `lic_12`. */
  readonly id: string;
  readonly product: string;
  readonly status: LicenseStatus;
  /** Its term has ended, also while it is suspended. */
  readonly ended: boolean;
  /** An operation on it is open: another is refused until it has ended. */
  readonly busy: boolean;
  /** Its address can be changed, and it can be suspended. */
  readonly movable: boolean;
  /** Its cores can be changed, and it can be ended. */
  readonly changeable: boolean;
  /** By the present cycle; null where it cannot be renewed by itself. */
  readonly renewalPrice: { readonly minor: bigint; readonly currency: string } | null;
}

interface License extends ShownFacts {
  readonly id: LicenseId;
  readonly productName: string;
  readonly openOperationId: string | null;
}

export function describeLicense(license: License, quotes: readonly RenewalChoice[], now: Date): LicenseDetails {
  const { id, key, ipAddress, hostname, cores, workers, notes, bundleInstanceId, cycleMonths } = license;
  const { issuedAt, provisionedAt, expiresAt, terminatedAt, suspendedAt, suspendedBy, suspensionReason } = license;
  const times = { issuedAt, provisionedAt, expiresAt, terminatedAt };
  const { customerName, customerEmail, customerReference, tags } = license;
  const suspension = { suspendedAt, suspendedBy, suspensionReason };
  const current = quotes.find((quote) => quote.current);
  const busy = license.openOperationId !== null;
  // Neither unconfirmed, nor ended for good, nor being changed (docs/decisions/0003).
  const movable = provisionedAt !== null && terminatedAt === null && !busy;
  return {
    ...{ key, ipAddress, hostname, cores, workers, notes, bundleInstanceId, cycleMonths, ...times, ...suspension },
    ...{ customerName, customerEmail, customerReference, tags },
    licenseId: id,
    id: formatLicenseId(id),
    product: license.productName,
    status: deriveLicenseStatus(license, now),
    ended: expiresAt <= now,
    busy,
    movable,
    changeable: movable && isLive(license, now),
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

export interface SuspensionChanged extends LicenseChanged {
  /** False: it was so before. */
  readonly changed: boolean;
  readonly status: LicenseStatus;
}

export interface Renewed extends LicenseChanged {
  /** ISO 8601, UTC. */
  readonly newExpiry: string;
  readonly balanceAfter: string;
  readonly currency: string;
}
