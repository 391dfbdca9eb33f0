import ipaddr from "ipaddr.js";
import { anyCidrContains, type Cidr, normalizeAddress, parseCidr } from "./ipv4.ts";

/** Where webhooks may go beside the public Internet. */
export interface TargetRules {
  /** Plain http too. */
  readonly allowHttp: boolean;
  /** The one exception to public addresses (contract 4.4). */
  readonly allowedCidrs: readonly Cidr[];
}

export const PUBLIC_TARGETS: TargetRules = { allowHttp: false, allowedCidrs: [] };

/** All of IPv6 that is given out to be reached from everywhere; the rest is special, or not given out yet. */
const globalUnicast = [parseCidr("2000::/3")].filter((cidr) => cidr !== null);
/** What ipaddr.js takes to be ordinary: ranges added to the IANA registries since. */
const special = ["2001::/23", "2002::/16", "3fff::/20", "5f00::/16", "192.31.196.0/24", "192.52.193.0/24"]
  .map(parseCidr)
  .filter((cidr) => cidr !== null);

/**
 * True for an address of the public Internet that names one host: not private, loopback, link-local, shared (CGNAT),
 * documentation, benchmarking, multicast, broadcast, unspecified or reserved, nor one that only wraps an IPv4 address
 * for a translator or a tunnel (64:ff9b::/96, 6to4, Teredo). IPv4 mapped into IPv6 counts as the IPv4 address.
 */
export function isPublicUnicast(address: string): boolean {
  const normal = normalizeAddress(address);
  if (normal === null || anyCidrContains(special, normal)) return false;
  const isIpv6 = normal.includes(":");
  if (isIpv6 && !anyCidrContains(globalUnicast, normal)) return false;
  return ipaddr.parse(normal).range() === "unicast";
}

/** Whether a webhook may connect to this address (contract 4.4). */
export function isAllowedTarget(address: string, rules: TargetRules): boolean {
  return isPublicUnicast(address) || anyCidrContains(rules.allowedCidrs, address);
}
