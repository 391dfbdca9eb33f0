import type { ResellerPermission } from "./roles.ts";

/** Lists whose filters and order can be saved under a name, with what a reseller's user needs to see them. */
export const savedLists = {
  audit: "audit:read",
  licenses: "licenses:read",
  resellers: null,
  servers: "diagnostics:read",
} as const satisfies Record<string, ResellerPermission | null>;

export type SavedList = keyof typeof savedLists;
export const savedListNames = Object.keys(savedLists) as readonly SavedList[];

export const VIEW_NAME_MAX_LENGTH = 60;
export const VIEW_QUERY_MAX_LENGTH = 2_000;
/** Of one user, on all lists. */
export const VIEWS_MAX = 50;
