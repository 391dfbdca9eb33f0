import { isAllowedTarget, type TargetRules } from "./public-address.ts";

const WEBHOOK_URL_MAX_BYTES = 2048;

/** The IP address of a parsed URL's host, without brackets; null for a name. */
function hostAddress(url: URL): string | null {
  if (url.hostname.startsWith("[")) return url.hostname.slice(1, -1);
  // The URL parser normalizes every form of an IPv4 address (octal, hex, one number) to four decimals.
  return /^\d{1,3}(\.\d{1,3}){3}$/.test(url.hostname) ? url.hostname : null;
}

/**
 * Parses the URL of an endpoint (contract 4.4). The resolved address is checked when connecting.
 * @returns the normalized URL, or the problem, which reads after the field's name
 */
export function parseWebhookUrl(
  text: string,
  rules: TargetRules,
): { readonly url: string } | { readonly problem: string } {
  if (Buffer.byteLength(text) > WEBHOOK_URL_MAX_BYTES) {
    return { problem: `must have at most ${WEBHOOK_URL_MAX_BYTES} bytes` };
  }
  const url = URL.parse(text);
  const schemes = rules.allowHttp ? "https:// or http://" : "https://";
  if (!url || !(url.protocol === "https:" || (url.protocol === "http:" && rules.allowHttp))) {
    return { problem: `must be an address that starts with ${schemes}` };
  }
  if (url.username !== "" || url.password !== "") return { problem: "must not contain a user name or password" };
  if (text.includes("#")) return { problem: "must not have a fragment (#…)" };
  if (Buffer.byteLength(url.href) > WEBHOOK_URL_MAX_BYTES) {
    return { problem: `must have at most ${WEBHOOK_URL_MAX_BYTES} bytes` };
  }
  const address = hostAddress(url);
  if (address !== null && !isAllowedTarget(address, rules)) {
    return { problem: "must be reachable from the Internet: this address is private or reserved" };
  }
  return { url: url.href };
}
