import type { ReachView } from "./catalog.ts";

export const noReach: ReachView = { renewable: 0, resellers: 0, autoRenew: 0, nextRenewalAt: null, ownPrice: 0 };
