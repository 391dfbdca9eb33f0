import { anyCidrContains, type Cidr, normalizeAddress, parseCidr } from "./cidr.ts";

/**
 * Header with the peer's address. The guard in front of Next sets it on each request, over what the caller sent; a call
 * that Next sends on to this server keeps the first request's.
 */
export const PEER_HEADER = "x-license-desk-peer";

export interface SourceAddressInput {
  /** The socket's remote address. */
  readonly peer: string;
  /** `X-Forwarded-For` as received; several headers joined by commas. */
  readonly forwardedFor: string | null | undefined;
  readonly trustedProxies: readonly Cidr[];
}

/**
 * The client's address (contract 1.6): the peer, or behind trusted proxies the right-most untrusted address in
 * `X-Forwarded-For`. Normalized, so each client has one address. The walk stops at an unreadable hop, because no
 * trusted proxy vouches for anything left of it; likewise when every address is a trusted proxy.
 */
export function sourceAddress({ peer, forwardedFor, trustedProxies }: SourceAddressInput): string {
  let nearest = normalizeAddress(peer) ?? peer;
  if (!forwardedFor || !anyCidrContains(trustedProxies, nearest)) return nearest;
  const hops = forwardedFor.split(",");
  for (let index = hops.length - 1; index >= 0; index--) {
    const hop = hops[index]?.trim() ?? "";
    if (hop === "") continue;
    const address = hopAddress(hop);
    if (address === null) return nearest;
    nearest = address;
    if (!anyCidrContains(trustedProxies, nearest)) return nearest;
  }
  return nearest;
}

/** A subscriber has at least a /64 of IPv6 and may use any address in it. */
const IPV6_SUBSCRIBER_BITS = 64;

/** The key that a source address is counted under (contract 1.3): IPv6 counts by /64. */
export function rateLimitSource(address: string): string {
  if (!address.includes(":")) return address;
  return parseCidr(`${address}/${IPV6_SUBSCRIBER_BITS}`)?.text ?? address;
}

/** Some proxies append the port: `203.0.113.7:4711`, `[2001:db8::1]:4711`. */
function hopAddress(hop: string): string | null {
  const withPort = /^(?:\[([^\]]+)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(hop);
  return normalizeAddress(withPort?.[1] ?? withPort?.[2] ?? hop);
}
