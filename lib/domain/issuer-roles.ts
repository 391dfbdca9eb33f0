import type { ResellerId } from "./ids.ts";
import { parsePositiveInteger } from "./integer.ts";
import { type AdminRole, adminRoleNames, type ResellerRole, resellerRoleNames } from "./roles.ts";

/** What the users of an email domain are here. */
export type IssuerGrant =
  | { readonly resellerId: null; readonly role: AdminRole }
  | { readonly resellerId: ResellerId; readonly role: ResellerRole };

/** By email domain, without its subdomains. */
export type IssuerRoles = ReadonlyMap<string, IssuerGrant>;

const ENTRY = /^([a-z0-9-]+(?:\.[a-z0-9-]+)+)=(admin|reseller:\d{1,9}):([a-z]+)$/;

/** Reads `example.com=admin:support,partner.example=reseller:12:viewer`; null if anything else is in it. */
export function parseIssuerRoles(text: string): IssuerRoles | null {
  const roles = new Map<string, IssuerGrant>();
  for (const entry of text.split(",")) {
    const [, domain = "", owner = "", role = ""] = ENTRY.exec(entry.trim()) ?? [];
    const grant = readGrant(owner, role);
    if (grant === null || roles.has(domain)) return null;
    roles.set(domain, grant);
  }
  return roles;
}

function readGrant(owner: string, name: string): IssuerGrant | null {
  if (owner === "admin") {
    const role = adminRoleNames.find((known) => known === name);
    return role ? { resellerId: null, role } : null;
  }
  const resellerId = parsePositiveInteger(owner.slice("reseller:".length)) as ResellerId | null;
  const role = resellerRoleNames.find((known) => known === name);
  return resellerId !== null && role ? { resellerId, role } : null;
}
