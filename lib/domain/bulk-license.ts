import { deriveLicenseStatus, type LicenseFacts } from "./license-status.ts";

/** Why a license is left out before anything is tried; each is what the change of it alone would be refused with. */
export const bulkObstacles = {
  pending: "Not confirmed by the provider yet",
  terminated: "Terminated",
  bundle_member: "Renews with its bundle",
  busy: "Another change of it is still open",
  no_price: "Its billing cycle is not sold any more",
  suspended_already: "Suspended already",
  not_suspended: "Not suspended",
  suspended_by_admin: "Suspended by an admin, who alone can lift that",
  unchanged: "Is so already",
} as const satisfies Record<string, string>;
export type BulkObstacle = keyof typeof bulkObstacles;

/** What decides whether a license can be changed in bulk. */
export interface BulkLicenseFacts extends LicenseFacts {
  readonly bundleInstanceId: number | null;
  readonly suspendedBy: "reseller" | "admin" | null;
  /** Another operation on it is open. */
  readonly busy: boolean;
  readonly autoRenew: boolean;
  /** Of its next renewal, in minor units; null: its cycle has no price. */
  readonly price: bigint | null;
}

/** One kind with what it sets. */
export type LicenseBulkChange =
  | { readonly kind: "renew" }
  | { readonly kind: "suspend"; readonly reason: string }
  | { readonly kind: "unsuspend" }
  | { readonly kind: "set_notes"; readonly notes: string }
  | { readonly kind: "set_auto_renew"; readonly on: boolean };

/**
 * What stands in the way of a change now; null: nothing.
 * @param asAdmin an admin asks, who can lift what an admin has suspended (contract 1.15)
 */
export function findBulkObstacle(
  change: LicenseBulkChange,
  license: BulkLicenseFacts,
  { now, asAdmin }: { readonly now: Date; readonly asAdmin: boolean },
): BulkObstacle | null {
  const status = deriveLicenseStatus(license, now);
  switch (change.kind) {
    case "renew":
      if (status === "terminated" || status === "pending") return status;
      if (license.bundleInstanceId !== null) return "bundle_member";
      if (license.busy) return "busy";
      return license.price === null ? "no_price" : null;
    case "suspend":
      if (status === "terminated" || status === "pending") return status;
      if (status === "suspended") return "suspended_already";
      return license.busy ? "busy" : null;
    case "unsuspend":
      if (status === "terminated" || status === "pending") return status;
      if (status !== "suspended") return "not_suspended";
      if (license.suspendedBy === "admin" && !asAdmin) return "suspended_by_admin";
      return license.busy ? "busy" : null;
    case "set_notes":
      return null;
    case "set_auto_renew":
      if (status === "terminated") return status;
      if (license.bundleInstanceId !== null) return "bundle_member";
      return license.autoRenew === change.on ? "unchanged" : null;
    default:
      return change satisfies never;
  }
}
