import { type Ipv4, ipv4Text } from "./ipv4.ts";

/** Addresses from `first` to `last`, inclusive. */
export interface Ipv4Range {
  readonly first: Ipv4;
  readonly last: Ipv4;
}

const ADDRESS_BITS = 32;
const OCTETS = 4;
const rangePattern = /^(?<octets>\d{1,3}(?:\.\d{1,3}){0,3})(?:\/(?<bits>\d|[12]\d|3[0-2])|\.?\*|\.)?$/;

/**
 * Parses `203.0.113.7`, `203.0.113.0/24`, or leading octets: `203.0.113`, `203.0.113.`, `203.0.113.*`. Null for
 * anything else. Small enough for the browser bundle.
 */
export function parseIpv4Range(text: string): Ipv4Range | null {
  const { octets: written, bits } = rangePattern.exec(text.trim())?.groups ?? {};
  const octets = written?.split(".") ?? [];
  if (octets.length === 0 || octets.some((octet) => Number(octet) > 255 || /^0\d/.test(octet))) return null;
  if (bits !== undefined && octets.length < OCTETS) return null;
  const prefixBits = bits === undefined ? octets.length * 8 : Number(bits);
  const size = 2 ** (ADDRESS_BITS - prefixBits);
  const address = octets.reduce((sum, octet, index) => sum + Number(octet) * 256 ** (OCTETS - 1 - index), 0);
  const first = address - (address % size);
  return { first: ipv4Text(first), last: ipv4Text(first + size - 1) };
}

/** Null unless it is an unsigned 32-bit integer. */
export function ipv4FromNumber(address: number): Ipv4 | null {
  return Number.isInteger(address) && address >= 0 && address < 2 ** ADDRESS_BITS ? ipv4Text(address) : null;
}
