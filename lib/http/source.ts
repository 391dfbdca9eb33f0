import type { Cidr } from "#lib/domain/ipv4.ts";
import { TARGET_HEADER } from "#lib/domain/request-signature.ts";
import { PEER_HEADER, sourceAddress } from "#lib/domain/source-address.ts";

/** What is known of a request before it is read; `Request` has neither. */
export interface Arrival {
  /** The socket's. */
  readonly peerAddress: string;
  /** Path and query as sent. */
  readonly target: string;
}

/** As a stock Next server knows it: by the stamps of `instrumentation.ts`. */
export function stampedArrival({ headers }: Request): Arrival {
  return { peerAddress: headers.get(PEER_HEADER) ?? "", target: headers.get(TARGET_HEADER) ?? "" };
}

/** The caller's address (contract 1.6). */
export function findSourceAddress(headers: Headers, peerAddress: string, trustedProxies: readonly Cidr[]): string {
  return sourceAddress({
    peer: peerAddress,
    forwardedFor: headers.get("x-forwarded-for"),
    trustedProxies,
  });
}
