// Apart from ipv4.ts, so that pages that read only IPv4 addresses do not load it.
import ipaddr from "ipaddr.js";
import { ipv4Number, ipv4Text, NOT_IPV4 } from "./ipv4.ts";

/** A range of addresses with its canonical text (`10.0.0.0/8`, host bits cleared). Created only by `parseCidr`. */
export type Cidr =
  | { readonly family: 4; readonly text: string; readonly network: number; readonly blockSize: number }
  | { readonly family: 6; readonly text: string; readonly parts: readonly number[]; readonly prefixLength: number };

/** IPv4 as an unsigned 32-bit number, IPv6 as eight 16-bit parts. */
type Address = number | readonly number[];

const MAPPED_PREFIX = "::ffff:";

/**
 * Canonical text: IPv6 in RFC 5952 form without its zone, IPv4-mapped IPv6 as IPv4 (`::ffff:1.2.3.4` → `1.2.3.4`). Null
 * for anything else.
 */
export function normalizeAddress(text: string): string | null {
  if (ipv4Number(text) !== NOT_IPV4) return text;
  const mapped = mappedTail(text);
  if (mapped !== null && ipv4Number(mapped) !== NOT_IPV4) return mapped;
  const address = parseAddress(text);
  return address === null ? null : addressText(address);
}

/**
 * Parses `10.0.0.0/8`, `2001:db8::/32`, or a single address. Clears host bits; an IPv4-mapped range becomes the IPv4
 * range. Null for anything else.
 */
export function parseCidr(text: string): Cidr | null {
  const trimmed = text.trim();
  const slash = trimmed.indexOf("/");
  const addressPart = slash < 0 ? trimmed : trimmed.slice(0, slash);
  const address = parseAddress(addressPart);
  if (address === null) return null;
  const isWrittenAsIpv6 = addressPart.includes(":");
  const writtenBits = isWrittenAsIpv6 ? 128 : 32;
  const prefixLength = slash < 0 ? writtenBits : parsePrefixLength(trimmed.slice(slash + 1), writtenBits);
  if (prefixLength === null) return null;
  if (typeof address !== "number") return ipv6Cidr(address, prefixLength);
  if (!isWrittenAsIpv6) return ipv4Cidr(address, prefixLength);
  // A prefix below 96 bits covers more than the mapped addresses.
  return prefixLength >= 96 ? ipv4Cidr(address, prefixLength - 96) : ipv6Cidr(mappedParts(address), prefixLength);
}

/** False for invalid text. An IPv6 range never contains an IPv4 address, mapped or not. */
export function cidrContains(cidr: Cidr, address: string): boolean {
  const parsed = parseAddress(address);
  return parsed !== null && contains(cidr, parsed);
}

/** Like `cidrContains`, for any of several ranges. */
export function anyCidrContains(cidrs: readonly Cidr[], address: string): boolean {
  if (cidrs.length === 0) return false;
  const parsed = parseAddress(address);
  return parsed !== null && cidrs.some((cidr) => contains(cidr, parsed));
}

function contains(cidr: Cidr, address: Address): boolean {
  if (cidr.family === 4) {
    return typeof address === "number" && address >= cidr.network && address < cidr.network + cidr.blockSize;
  }
  if (typeof address === "number") return false;
  return cidr.parts.every((part, index) => part === maskedPart(address, index, cidr.prefixLength));
}

function parseAddress(text: string): Address | null {
  const ipv4 = ipv4Number(mappedTail(text) ?? text);
  if (ipv4 !== NOT_IPV4) return ipv4;
  if (!text.includes(":")) return null;
  const percent = text.indexOf("%");
  const hex = withHexTail(percent < 0 ? text : text.slice(0, percent));
  if (hex === null || !ipaddr.IPv6.isValid(hex)) return null;
  const parsed = ipaddr.IPv6.parse(hex);
  const [high = 0, low = 0] = parsed.parts.slice(6);
  return parsed.isIPv4MappedAddress() ? high * 65536 + low : parsed.parts;
}

/** Fast path for the form in which dual-stack sockets report IPv4 peers. */
function mappedTail(text: string): string | null {
  return text.startsWith(MAPPED_PREFIX) ? text.slice(MAPPED_PREFIX.length) : null;
}

/** `::FFFF:1.2.3.4` → `::FFFF:102:304`: ipaddr.js reads a dotted tail as octal and `::1.2.3.4` as mapped. */
function withHexTail(text: string): string | null {
  if (!text.includes(".")) return text;
  const tailStart = text.lastIndexOf(":") + 1;
  const tail = ipv4Number(text.slice(tailStart));
  if (tail === NOT_IPV4) return null;
  return `${text.slice(0, tailStart)}${Math.floor(tail / 65536).toString(16)}:${(tail % 65536).toString(16)}`;
}

function addressText(address: Address): string {
  if (typeof address !== "number") return new ipaddr.IPv6([...address]).toRFC5952String();
  return ipv4Text(address);
}

function parsePrefixLength(text: string, bits: number): number | null {
  if (!/^(?:0|[1-9]\d{0,2})$/.test(text)) return null;
  const prefixLength = Number(text);
  return prefixLength <= bits ? prefixLength : null;
}

function ipv4Cidr(address: number, prefixLength: number): Cidr {
  const blockSize = 2 ** (32 - prefixLength);
  const network = address - (address % blockSize);
  return { family: 4, text: `${addressText(network)}/${prefixLength}`, network, blockSize };
}

function ipv6Cidr(address: readonly number[], prefixLength: number): Cidr {
  const parts = address.map((_, index) => maskedPart(address, index, prefixLength));
  return { family: 6, text: `${addressText(parts)}/${prefixLength}`, parts, prefixLength };
}

function mappedParts(address: number): number[] {
  return [0, 0, 0, 0, 0, 0xffff, Math.floor(address / 65536), address % 65536];
}

/** The 16-bit part at `index` with all bits after the prefix cleared. */
function maskedPart(address: readonly number[], index: number, prefixLength: number): number {
  const keptBits = Math.min(16, Math.max(0, prefixLength - index * 16));
  return (address[index] ?? 0) & (0xffff << (16 - keptBits)) & 0xffff;
}
