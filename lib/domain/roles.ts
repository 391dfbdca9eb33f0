import type { Scope } from "./scopes.ts";

/**
 * What a user of a reseller can be allowed: the scopes of API keys, and what only people do. The words complete "Your
 * role does not allow you to …".
 */
const resellerPermissionWords = {
  "licenses:verify": "verify licenses",
  "licenses:read": "see licenses",
  "licenses:write": "change licenses",
  "licenses:terminate": "terminate licenses",
  "bundles:read": "see bundles",
  "bundles:write": "change bundles",
  "wallet:read": "see the wallet",
  "catalog:read": "see products and prices",
  "diagnostics:read": "see servers",
  "diagnostics:write": "report on servers",
  "webhooks:read": "see webhooks",
  "webhooks:write": "manage webhooks",
  "wallet:spend": "spend money on licenses",
  "wallet:write": "request top-ups and set limits",
  "keys:read": "see API keys",
  "keys:write": "manage API keys",
  "sandbox:write": "use test mode",
  "audit:read": "see the audit log",
  "team:read": "see the team",
  "team:factors": "see who has a second factor",
  "team:write": "manage the team",
} as const satisfies Record<Scope, string> & Record<string, string>;

export type ResellerPermission = keyof typeof resellerPermissionWords;

const adminPermissionWords = {
  "admin:read": "see the administration",
  "resellers:act": "act as a reseller",
  "money:move": "move money",
  "cases:decide": "decide reconciliation cases",
  "catalog:write": "change the catalog",
  "providers:write": "manage providers",
  "resellers:write": "manage resellers",
  "users:write": "manage resellers' users",
  "admins:write": "manage admins",
} as const;

export type AdminPermission = keyof typeof adminPermissionWords;
export type Permission = ResellerPermission | AdminPermission;

export const permissionWords: Readonly<Record<Permission, string>> = {
  ...resellerPermissionWords,
  ...adminPermissionWords,
};

export const resellerPermissions = Object.keys(resellerPermissionWords) as readonly ResellerPermission[];
export const adminPermissions = Object.keys(adminPermissionWords) as readonly AdminPermission[];

const reads = resellerPermissions.filter((permission) => /:(?:read|verify)$/.test(permission));
/** The audit log has amounts. */
const readsWithoutMoney = reads.filter((permission) => permission !== "wallet:read" && permission !== "audit:read");

const resellerTable = {
  owner: { name: "Owner", summary: "Full access, including the team.", permissions: resellerPermissions },
  manager: {
    name: "Manager",
    summary: "Full access, except to the team.",
    permissions: resellerPermissions.filter((permission) => permission !== "team:write"),
  },
  support: {
    name: "Support",
    summary: "Suspends, moves and annotates licenses. Spends no money, and sees wallet events, but not the wallet.",
    permissions: [...readsWithoutMoney, "licenses:write", "bundles:write"],
  },
  finance: {
    name: "Finance",
    summary: "Sees everything, requests top-ups and sets limits. Changes no license.",
    permissions: [...reads, "wallet:write"],
  },
  developer: {
    name: "Developer",
    summary: "Manages API keys and webhooks, and uses test mode. Sees wallet events, but not the wallet.",
    permissions: [...readsWithoutMoney, "diagnostics:write", "keys:write", "webhooks:write", "sandbox:write"],
  },
  viewer: { name: "Viewer", summary: "Sees everything and changes nothing.", permissions: reads },
} as const satisfies Record<string, RoleDefinition<ResellerPermission>>;

const adminTable = {
  owner: { name: "Owner", summary: "Full access, including administrators.", permissions: adminPermissions },
  operator: {
    name: "Operator",
    summary: "Runs catalog, providers, resellers and reconciliation. Cannot move money or manage administrators.",
    permissions: [
      "admin:read",
      "resellers:act",
      "cases:decide",
      "catalog:write",
      "providers:write",
      "resellers:write",
      "users:write",
    ],
  },
  finance: {
    name: "Finance",
    summary: "Decides top-ups and reconciliation cases, adjusts wallets and refunds.",
    permissions: ["admin:read", "resellers:act", "money:move", "cases:decide"],
  },
  support: {
    name: "Support",
    summary: "Sees everything and changes nothing, even when acting as a reseller.",
    permissions: ["admin:read", "resellers:act"],
  },
} as const satisfies Record<string, RoleDefinition<AdminPermission>>;

interface RoleDefinition<Granted> {
  readonly name: string;
  /** For the form in which a role is chosen. */
  readonly summary: string;
  readonly permissions: readonly Granted[];
}

export type ResellerRole = keyof typeof resellerTable;
export type AdminRole = keyof typeof adminTable;
export type Role = ResellerRole | AdminRole;

export const resellerRoles: Readonly<Record<ResellerRole, RoleDefinition<ResellerPermission>>> = resellerTable;
export const adminRoles: Readonly<Record<AdminRole, RoleDefinition<AdminPermission>>> = adminTable;

export const resellerRoleNames = Object.keys(resellerTable) as readonly ResellerRole[];
export const adminRoleNames = Object.keys(adminTable) as readonly AdminRole[];

export const roleNames: readonly Role[] = [...new Set([...resellerRoleNames, ...adminRoleNames])];

/** The role in which an admin works for a reseller, on its own pages and when acting as it. */
export function actingRole(role: AdminRole): ResellerRole {
  return role === "support" ? "viewer" : "owner";
}

/** In test mode money is play money: everyone who may use it has a manager's rights there. */
export function sandboxRole(role: ResellerRole): ResellerRole {
  return role !== "owner" && resellerRoles[role].permissions.includes("sandbox:write") ? "manager" : role;
}

/** Whether a key with these scopes does nothing that its creator may not do: a key's `licenses:write` spends money. */
export function mayGrantScopes(permissions: readonly Permission[], granted: readonly Scope[]): boolean {
  const spends = granted.some((scope) => scope === "licenses:write" || scope === "bundles:write");
  return granted.every((scope) => permissions.includes(scope)) && (!spends || permissions.includes("wallet:spend"));
}

/** Why a role refuses, and who can change that. `kind`: whose role it is. */
export function describeDenial(kind: "reseller" | "admin", permission: Permission): string {
  const granter = kind === "reseller" ? "An owner of your team" : "An administrator with the role Owner";
  return `Your role does not allow you to ${permissionWords[permission]}. ${granter} can change your role.`;
}
