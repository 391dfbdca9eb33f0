import type { BulkObstacle } from "./bulk-license.ts";
import { deriveLicenseStatus, type LicenseFacts } from "./license-status.ts";

/** What decides whether a bundle instance can be changed in bulk. A bundle is never suspended, only its licenses are. */
export interface BulkBundleFacts extends Omit<LicenseFacts, "suspendedAt"> {
  /** Another operation on it, or on one of its licenses, is open. */
  readonly busy: boolean;
  readonly autoRenew: boolean;
  /** Of its next renewal, in minor units; null: its cycle, or a member's cores, have no price. */
  readonly price: bigint | null;
}

/** One kind with what it sets. */
export type BundleBulkChange =
  | { readonly kind: "renew_bundle" }
  | { readonly kind: "set_bundle_auto_renew"; readonly on: boolean };

/** What stands in the way of a change now; null: nothing. */
export function findBundleObstacle(change: BundleBulkChange, bundle: BulkBundleFacts, now: Date): BulkObstacle | null {
  const status = deriveLicenseStatus({ ...bundle, suspendedAt: null }, now);
  switch (change.kind) {
    case "renew_bundle":
      if (status === "terminated" || status === "pending") return status;
      if (bundle.busy) return "busy";
      return bundle.price === null ? "no_price" : null;
    case "set_bundle_auto_renew":
      if (status === "terminated") return status;
      return bundle.autoRenew === change.on ? "unchanged" : null;
    default:
      return change satisfies never;
  }
}
