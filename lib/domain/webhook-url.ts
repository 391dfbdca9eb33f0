import { isAllowedTarget, type TargetRules } from "./public-address.ts";

const WEBHOOK_URL_MAX_BYTES = 2048;

/** An IPv4 or IPv6 address as the host of a parsed URL, without brackets; null for a name. */
function hostAddress(url: URL): string | null {
  if (url.hostname.startsWith("[")) return url.hostname.slice(1, -1);
  // The parser of special schemes writes every form of an IPv4 address (octal, hex, one number) as four decimals.
  return /^\d{1,3}(\.\d{1,3}){3}$/.test(url.hostname) ? url.hostname : null;
}

/**
 * Reads the address of an endpoint (contract 4.4). What a host name resolves to is checked when it is connected to.
 * @returns the URL in its one form, or what is wrong with it, to be read after the field's name.
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
    return { problem: `must be an address that begins with ${schemes}` };
  }
  if (url.username !== "" || url.password !== "") return { problem: "must not hold a user name or password" };
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
