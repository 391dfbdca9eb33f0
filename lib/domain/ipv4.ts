import type { Brand } from "./brand.ts";

/** Four decimal octets without leading zeros; equal addresses are equal strings. Created only by `parseIpv4`. */
export type Ipv4 = Brand<string, "Ipv4">;

/** Reads after the field's name. */
export const IPV4_RULE = "must be an IPv4 address such as 203.0.113.7";

/** What `ipv4Number` returns for anything else. */
export const NOT_IPV4 = -1;
const LONGEST_IPV4 = "255.255.255.255".length;

/** Trims white space. Null unless four decimal octets without leading zeros remain (contract 1.8). */
export function parseIpv4(text: string): Ipv4 | null {
  const trimmed = text.trim();
  return ipv4Number(trimmed) === NOT_IPV4 ? null : (trimmed as Ipv4);
}

/**
 * As an unsigned 32-bit number, which sorts in network order. A loop over character codes, because it runs on every
 * request and ipaddr.js accepts octal and hex.
 */
export function ipv4Number(text: string): number {
  if (text.length > LONGEST_IPV4) return NOT_IPV4;
  let address = 0;
  let octet = -1;
  let dots = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code >= 48 && code <= 57) {
      if (octet === 0) return NOT_IPV4;
      octet = octet < 0 ? code - 48 : octet * 10 + code - 48;
      if (octet > 255) return NOT_IPV4;
    } else {
      if (code !== 46 || octet < 0 || dots === 3) return NOT_IPV4;
      address = address * 256 + octet;
      octet = -1;
      dots++;
    }
  }
  return octet < 0 || dots !== 3 ? NOT_IPV4 : address * 256 + octet;
}

/** Of an unsigned 32-bit number. */
export function ipv4Text(address: number): Ipv4 {
  return [address >>> 24, (address >>> 16) & 255, (address >>> 8) & 255, address & 255].join(".") as Ipv4;
}
