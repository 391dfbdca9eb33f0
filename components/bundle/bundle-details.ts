import { type CycleChoice, type CycleInput, pickCycle } from "#components/license/registration.ts";
import { formatLicenseId, type LicenseId } from "#lib/domain/ids.ts";
import { deriveLicenseStatus, type LicenseFacts, type LicenseStatus } from "#lib/domain/license-status.ts";

/** A bundle that can be bought. */
export interface BundleChoice {
  readonly bundleId: number;
  readonly name: string;
  readonly description: string;
  readonly currency: string;
  readonly products: readonly { readonly productId: number; readonly name: string; readonly coreMetered: boolean }[];
  /** Shortest first; at least one. */
  readonly cycles: readonly CycleChoice[];
}

/** Without the provider's own names. */
export function pickBundle({ bundleId, name, description, currency, products, cycles }: BundleChoice): BundleChoice {
  return {
    bundleId,
    name,
    description,
    currency,
    products: products.map(({ productId, name, coreMetered }) => ({ productId, name, coreMetered })),
    cycles: cycles.map(pickCycle),
  };
}

/** One that was bought. */
export interface BundleListRow extends Omit<LicenseFacts, "suspendedAt"> {
  readonly id: number;
  readonly name: string;
  readonly ipAddress: string;
  readonly autoRenew: boolean;
  readonly cycleMonths: number;
  /** By the current cycle; null where it cannot be renewed. */
  readonly renewal: { readonly price: bigint; readonly currency: string } | null;
}

/** A bundle is never suspended, only its licenses are. */
export function bundleStatus(bundle: Omit<LicenseFacts, "suspendedAt">, now: Date): LicenseStatus {
  return deriveLicenseStatus({ ...bundle, suspendedAt: null }, now);
}

export interface BundleDetails extends Pick<BundleListRow, "id" | "name" | "ipAddress" | "cycleMonths" | "renewal"> {
  readonly status: LicenseStatus;
  readonly expiresAt: Date;
  readonly issuedAt: Date;
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

interface Member extends LicenseFacts, Pick<BundleMember, "key" | "hostname" | "cores"> {
  readonly id: LicenseId;
  readonly productName: string;
  readonly openOperationId: string | null;
}

interface Bundle extends BundleListRow {
  readonly issuedAt: Date;
  readonly openOperationId: string | null;
  readonly members: readonly Member[];
}

export function describeBundle(bundle: Bundle, now: Date): BundleDetails {
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
    busy: [bundle, ...members].some(({ openOperationId }) => openOperationId !== null),
    members: members.map((member) => ({
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

export interface RegisterBundleInput extends CycleInput {
  readonly bundle_id: string;
  readonly ip_address: string;
  readonly auto_renew: boolean;
  /** The private address that is meant; empty until that was asked. */
  readonly meant_address: string;
}

export interface BundleRegistered {
  readonly bundleInstanceId: number;
  /** The provider has not confirmed it yet. */
  readonly pending: boolean;
  readonly balanceAfter: string;
  readonly currency: string;
}
