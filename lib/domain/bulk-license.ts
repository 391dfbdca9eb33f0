import type { Customer } from "./labels.ts";
import { deriveLicenseStatus, type LicenseFacts } from "./license-status.ts";
import { isExtendable } from "./term.ts";

/** Why a license is skipped before the job starts; the same reasons reject a single change. */
export const bulkObstacles = {
  pending: "Not yet confirmed by the provider",
  terminated: "Terminated",
  expired: "Expired already",
  bundle_member: "Renews with its bundle",
  ends_with_bundle: "Ends with its bundle",
  moves_with_bundle: "Moves with its bundle",
  busy: "Another change is in progress",
  no_price: "Its billing cycle is no longer sold",
  no_cycle: "Its product has no such billing cycle",
  paid_far_ahead: "Ends more than 25 years ahead",
  suspended_already: "Suspended already",
  not_suspended: "Not suspended",
  suspended_by_admin: "Suspended by an administrator; only an administrator can change that",
  unchanged: "No change",
} as const satisfies Record<string, string>;
export type BulkObstacle = keyof typeof bulkObstacles;

/** Facts that decide whether a license can be changed in bulk. */
export interface BulkLicenseFacts extends LicenseFacts {
  readonly bundleInstanceId: number | null;
  readonly suspendedBy: "reseller" | "admin" | null;
  /** An operation on the license is open. */
  readonly busy: boolean;
  readonly autoRenew: boolean;
  /** Price of the renewal in minor units; null if its cycle has no price. */
  readonly price: bigint | null;
}

/** A bulk change with its parameters. */
export type LicenseBulkChange =
  /** By its own billing cycle, or by the one of this length. */
  | { readonly kind: "renew"; readonly months?: number | undefined }
  | { readonly kind: "suspend"; readonly reason: string }
  | { readonly kind: "unsuspend" }
  | { readonly kind: "terminate" }
  | { readonly kind: "set_notes"; readonly notes: string }
  | ({ readonly kind: "set_customer" } & Customer)
  | { readonly kind: "add_tags" | "remove_tags"; readonly tags: readonly string[] }
  | { readonly kind: "set_auto_renew"; readonly on: boolean };

/** Returns what prevents the change, or null. @param asAdmin an admin can lift an admin's suspension (contract 1.15) */
export function findBulkObstacle(
  change: LicenseBulkChange | { readonly kind: "change_ip" },
  license: BulkLicenseFacts,
  { now, asAdmin }: { readonly now: Date; readonly asAdmin: boolean },
): BulkObstacle | null {
  const status = deriveLicenseStatus(license, now);
  switch (change.kind) {
    case "renew":
      if (status === "terminated" || status === "pending") return status;
      if (license.bundleInstanceId !== null) return "bundle_member";
      if (license.busy) return "busy";
      if (!isExtendable(license, now)) return "paid_far_ahead";
      if (license.price !== null) return null;
      return change.months === undefined ? "no_price" : "no_cycle";
    case "suspend":
      if (status === "terminated" || status === "pending") return status;
      if (status === "suspended") return "suspended_already";
      return license.busy ? "busy" : null;
    case "unsuspend":
      if (status === "terminated" || status === "pending") return status;
      if (status !== "suspended") return "not_suspended";
      if (license.suspendedBy === "admin" && !asAdmin) return "suspended_by_admin";
      return license.busy ? "busy" : null;
    case "terminate":
      if (status === "terminated" || status === "pending" || status === "expired") return status;
      if (license.bundleInstanceId !== null) return "ends_with_bundle";
      if (license.suspendedBy === "admin" && !asAdmin) return "suspended_by_admin";
      return license.busy ? "busy" : null;
    case "set_notes":
    case "set_customer":
    case "add_tags":
    case "remove_tags":
      return null;
    case "set_auto_renew":
      if (status === "terminated") return status;
      if (license.bundleInstanceId !== null) return "bundle_member";
      return license.autoRenew === change.on ? "unchanged" : null;
    case "change_ip":
      if (status === "terminated" || status === "pending" || status === "expired") return status;
      if (license.bundleInstanceId !== null) return "moves_with_bundle";
      return license.busy ? "busy" : null;
    default:
      return change satisfies never;
  }
}
