import type { Brand } from "./brand.ts";
import { HOSTNAME_MAX_LENGTH } from "./text.ts";

/** A lower-case host name. Created only by `parseHostname`. */
export type Hostname = Brand<string, "Hostname">;

const label = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
const hostnamePattern = new RegExp(`^${label}(?:\\.${label})*$`);
const dottedDecimalPattern = /^\d+\.\d+\.\d+\.\d+$/;

/**
 * Returns null unless `text` is a host name of RFC 1123 (contract 1.8): at most 253 characters, labels of 1 to 63
 * letters, digits and inner hyphens. Dotted decimals are an address, not a name (RFC 1123, 2.1).
 */
export function parseHostname(text: string): Hostname | null {
  if (text.length > HOSTNAME_MAX_LENGTH) return null;
  if (!hostnamePattern.test(text) || dottedDecimalPattern.test(text)) return null;
  return text.toLowerCase() as Hostname;
}
