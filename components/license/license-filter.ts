import type { LicenseOrder } from "#lib/domain/license-order.ts";
import type { LicenseStatus } from "#lib/domain/license-status.ts";

export const expiryDays = [7, 30] as const;

/** How a license comes to its next term. */
export const renewals = ["automatic", "failed", "manual", "bundle"] as const;
export type Renewal = (typeof renewals)[number];

export const renewalNames = {
  automatic: "Renews automatically",
  failed: "Automatic renewal failed",
  manual: "Renewed by hand",
  bundle: "Renews with its bundle",
} as const satisfies Record<Renewal, string>;

export const statusNames = {
  pending: "Pending",
  active: "Active",
  suspended: "Suspended",
  expired: "Expired",
  terminated: "Terminated",
} as const satisfies Record<LicenseStatus, string>;

export const orderNames = {
  newest: "Newest first",
  oldest: "Oldest first",
  ends_first: "Earliest end first",
  ends_last: "Latest end first",
  address: "Lowest address first",
  address_last: "Highest address first",
} as const satisfies Record<LicenseOrder, string>;
