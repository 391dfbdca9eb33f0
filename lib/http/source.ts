import type { Cidr } from "#lib/domain/cidr.ts";
import { TARGET_HEADER } from "#lib/domain/request-signature.ts";
import { PEER_HEADER, sourceAddress } from "#lib/domain/source-address.ts";

/** Facts about a request that `Request` lacks. */
export interface Arrival {
  /** The socket's remote address. */
  readonly peerAddress: string;
  /** Path and query as sent. */
  readonly target: string;
}

/** On a stock Next server: from the headers set by `instrumentation.ts`. */
export function readArrivalHeaders({ headers }: Request): Arrival {
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
