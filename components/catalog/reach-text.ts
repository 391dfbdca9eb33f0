import type { ReachView } from "./catalog.ts";

export const noReach: ReachView = { renewable: 0, resellers: 0, autoRenew: 0, nextRenewalAt: null, ownPrice: 0 };

const count = (number: number, one: string, more: string) =>
  `${number.toLocaleString("en-US")} ${number === 1 ? one : more}`;

/** "12 for 3 resellers" */
export function reachText({ renewable, resellers }: ReachView): string {
  return renewable === 0
    ? "None yet"
    : `${renewable.toLocaleString("en-US")} for ${count(resellers, "reseller", "resellers")}`;
}
