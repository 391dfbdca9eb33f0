import type { BulkObstacle } from "./bulk-license.ts";
import { deriveLicenseStatus, type LicenseFacts } from "./license-status.ts";
import { isExtendable } from "./term.ts";

/** Facts that decide whether a bundle can be changed in bulk. Only its licenses can be suspended. */
export interface BulkBundleFacts extends Omit<LicenseFacts, "suspendedAt"> {
  /** An operation on the bundle or one of its licenses is open. */
  readonly busy: boolean;
  readonly autoRenew: boolean;
  /** Price of the next renewal in minor units; null if its cycle or a member's cores have no price. */
  readonly price: bigint | null;
}

/** A bulk change with its parameters. */
export type BundleBulkChange =
  | { readonly kind: "renew_bundle" }
  | { readonly kind: "set_bundle_auto_renew"; readonly on: boolean };

/** Returns what prevents the change, or null. */
export function findBundleObstacle(change: BundleBulkChange, bundle: BulkBundleFacts, now: Date): BulkObstacle | null {
  const status = deriveLicenseStatus({ ...bundle, suspendedAt: null }, now);
  switch (change.kind) {
    case "renew_bundle":
      if (status === "terminated" || status === "pending") return status;
      if (bundle.busy) return "busy";
      if (!isExtendable(bundle, now)) return "paid_far_ahead";
      return bundle.price === null ? "no_price" : null;
    case "set_bundle_auto_renew":
      if (status === "terminated") return status;
      return bundle.autoRenew === change.on ? "unchanged" : null;
    default:
      return change satisfies never;
  }
}
