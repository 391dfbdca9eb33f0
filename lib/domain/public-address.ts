import ipaddr from "ipaddr.js";
import { anyCidrContains, type Cidr, normalizeAddress, parseCidr } from "./cidr.ts";

/** Targets that webhooks may reach in addition to the public Internet. */
export interface TargetRules {
  /** Allows plain http. */
  readonly allowHttp: boolean;
  /** Exceptions to the rule of public addresses (contract 4.4). */
  readonly allowedCidrs: readonly Cidr[];
}

export const PUBLIC_TARGETS: TargetRules = { allowHttp: false, allowedCidrs: [] };

/** The globally reachable part of IPv6; the rest is special or unassigned. */
const globalUnicast = [parseCidr("2000::/3")].filter((cidr) => cidr !== null);

/**
 * True for a unicast address of the public Internet: not private, loopback, link-local, shared (CGNAT), documentation,
 * benchmarking, multicast, broadcast, unspecified or reserved, and not an IPv4 address wrapped for a translator or
 * tunnel (64:ff9b::/96, 6to4, Teredo). IPv4-mapped IPv6 counts as IPv4.
 */
export function isPublicUnicast(address: string): boolean {
  const normal = normalizeAddress(address);
  if (normal === null) return false;
  const isIpv6 = normal.includes(":");
  if (isIpv6 && !anyCidrContains(globalUnicast, normal)) return false;
  return ipaddr.parse(normal).range() === "unicast";
}

/** Whether a webhook may connect to this address (contract 4.4). */
export function isAllowedTarget(address: string, rules: TargetRules): boolean {
  return isPublicUnicast(address) || anyCidrContains(rules.allowedCidrs, address);
}
