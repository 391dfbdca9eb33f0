/** Checks whether a server's name resolves to it, from an earlier lookup (`lib/ports/host-resolver.ts`). */
import { isPublicUnicast } from "./public-address.ts";

/** Result of a DNS lookup. */
export type NameLookup =
  | { readonly kind: "found"; readonly addresses: readonly string[] }
  | { readonly kind: "absent" }
  /** The lookup timed out. */
  | { readonly kind: "unanswered" };

export type NameFinding =
  | "matches"
  | "elsewhere"
  | "absent"
  | "unanswered"
  /** A private or reserved name, which is never looked up. */
  | "not_public"
  /** Not looked up yet. */
  | "pending";

/** Top-level names that public DNS does not know or that local networks resolve themselves. */
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

/** False for names whose lookup could reveal our own network. */
export function isPublicHostname(hostname: string): boolean {
  const labels = hostname.toLowerCase().split(".");
  const topLevel = labels.at(-1) ?? "";
  return labels.length > 1 && !/^\d+$/.test(topLevel) && !privateTopLevels.has(topLevel);
}

/** `addresses`: the public addresses it resolves to instead; private ones are not disclosed. */
export function assessName(
  lookup: NameLookup,
  bound: string,
): { readonly finding: NameFinding; readonly addresses: readonly string[] } {
  if (lookup.kind !== "found") return { finding: lookup.kind, addresses: [] };
  const finding = lookup.addresses.includes(bound) ? "matches" : "elsewhere";
  return { finding, addresses: finding === "matches" ? [] : lookup.addresses.filter(isPublicUnicast) };
}
