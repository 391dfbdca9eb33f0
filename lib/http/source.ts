import type { Cidr } from "#lib/domain/ipv4.ts";
import { PEER_STAMP, sourceAddress } from "#lib/domain/source-address.ts";

/** The caller's address (decisions 1.6). `peerAddress` null: Next serves, and the stamp tells the peer. */
export function findSourceAddress(
  headers: Headers,
  peerAddress: string | null,
  trustedProxies: readonly Cidr[],
): string {
  return sourceAddress({
    peer: peerAddress ?? headers.get(PEER_STAMP) ?? "",
    forwardedFor: headers.get("x-forwarded-for"),
    trustedProxies,
  });
}
