import { anyCidrContains, type Cidr, normalizeAddress, parseCidr } from "./ipv4.ts";

/** A header with the peer's address, set by `instrumentation.ts` on every request that Next serves, whatever the caller sent. */
export const PEER_STAMP = "x-license-desk-peer";

export interface SourceAddressInput {
  /** The socket's remote address. */
  readonly peer: string;
  /** `X-Forwarded-For` as received; several headers joined by commas. */
  readonly forwardedFor: string | null | undefined;
  readonly trustedProxies: readonly Cidr[];
}

/**
 * Who really sent the request (contract 1.6): the peer, unless it is a trusted proxy; then the right-most address in
 * `X-Forwarded-For` that is not one. Normalized, so that one client has one address.
 *
 * Whatever stands left of something unreadable was not vouched for by anyone trusted, so the walk ends there, at the
 * last address that was; likewise when every address is a trusted proxy.
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

/** One subscriber has at least this much of IPv6, and may send each request from another address in it. */
const IPV6_SUBSCRIBER_BITS = 64;

/** The name under which a source address is counted (contract 1.3): an IPv6 address counts as its /64. */
export function countedSource(address: string): string {
  if (!address.includes(":")) return address;
  return parseCidr(`${address}/${IPV6_SUBSCRIBER_BITS}`)?.text ?? address;
}

/** Some proxies write the port as well: `203.0.113.7:4711`, `[2001:db8::1]:4711`. */
function hopAddress(hop: string): string | null {
  const withPort = /^(?:\[([^\]]+)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(hop);
  return normalizeAddress(withPort?.[1] ?? withPort?.[2] ?? hop);
}
