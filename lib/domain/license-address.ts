import { IPV4_RULE, type Ipv4, ipv4Number, parseIpv4 } from "./ipv4.ts";
import { parseIpv4Range } from "./ipv4-range.ts";

declare const assignable: unique symbol;

/** An address that a license can be bound to (contract 1.8). Created only by `parseLicenseAddress`. */
export type LicenseAddress = Ipv4 & { readonly [assignable]: true };

/** "This network", loopback, link-local, and everything from multicast upwards. */
const isUnassignable = rangeMatcher(["0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "224.0.0.0/3"]);

/** RFC 1918, and the shared address space of RFC 6598. */
const isPrivate = rangeMatcher(["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10"]);

/** Null unless `text` is an IPv4 address that a license can be bound to, which includes private ones. */
export function parseLicenseAddress(text: string): LicenseAddress | null {
  const address = parseIpv4(text);
  return address === null || isUnassignable(address) ? null : (address as LicenseAddress);
}

/** Why `parseLicenseAddress` refuses `text`. Reads after the field's name. */
export function describeAddressProblem(text: string): string {
  return parseIpv4(text) === null
    ? IPV4_RULE
    : "must be outside of 0.0.0.0/8, 127.0.0.0/8, 169.254.0.0/16 and 224.0.0.0/3";
}

/** Not reachable from the Internet: valid in labs and private clouds, elsewhere likely a typo. */
export function isPrivateAddress(address: Ipv4): boolean {
  return isPrivate(address);
}

function rangeMatcher(cidrs: readonly string[]): (address: Ipv4) => boolean {
  const ranges = cidrs.map((cidr) => {
    const range = parseIpv4Range(cidr);
    if (range === null) throw new Error(`${cidr} is not a range`);
    return { first: ipv4Number(range.first), last: ipv4Number(range.last) };
  });
  return (address) => {
    const number = ipv4Number(address);
    return ranges.some(({ first, last }) => number >= first && number <= last);
  };
}
