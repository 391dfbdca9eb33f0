import { countText } from "#components/ui/count-text.ts";
import type { ReachView } from "./catalog.ts";

export const noReach: ReachView = { renewable: 0, resellers: 0, autoRenew: 0, nextRenewalAt: null, ownPrice: 0 };

/** "12 for 3 resellers" */
export function reachText({ renewable, resellers }: ReachView): string {
  return renewable === 0
    ? "None yet"
    : `${renewable.toLocaleString("en-US")} for ${countText(resellers, "reseller", "resellers")}`;
}
