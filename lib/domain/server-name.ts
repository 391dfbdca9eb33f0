/** Whether a server's name leads to it. Pure: the name servers were asked before (`lib/ports/host-resolver.ts`). */
import { isPublicUnicast } from "./public-address.ts";

/** What the name servers said of a name. */
export type NameLookup =
  | { readonly kind: "found"; readonly addresses: readonly string[] }
  | { readonly kind: "absent" }
  /** They did not answer in time. */
  | { readonly kind: "unanswered" };

export type NameFinding =
  | "matches"
  | "elsewhere"
  | "absent"
  | "unanswered"
  /** A name of a private network or a reserved one: it is never looked up. */
  | "not_public"
  /** Not asked yet. */
  | "pending";

/** Top-level names that the public name servers do not know, or that a network answers for itself. */
const privateTopLevels: ReadonlySet<string> = new Set([
  "alt",
  "arpa",
  "corp",
  "example",
  "home",
  "internal",
  "intranet",
  "invalid",
  "lan",
  "local",
  "localdomain",
  "localhost",
  "mail",
  "onion",
  "private",
  "test",
]);

/** False for names that must not be asked of our name servers: what they answer would tell of our own network. */
export function isPublicHostname(hostname: string): boolean {
  const labels = hostname.toLowerCase().split(".");
  const topLevel = labels.at(-1) ?? "";
  return labels.length > 1 && !/^\d+$/.test(topLevel) && !privateTopLevels.has(topLevel);
}

/** `addresses`: the public ones that the name leads to instead; others are nobody's business. */
export function judgeName(
  lookup: NameLookup,
  bound: string,
): { readonly finding: NameFinding; readonly addresses: readonly string[] } {
  if (lookup.kind !== "found") return { finding: lookup.kind, addresses: [] };
  const finding = lookup.addresses.includes(bound) ? "matches" : "elsewhere";
  return { finding, addresses: finding === "matches" ? [] : lookup.addresses.filter(isPublicUnicast) };
}
