import { randomInt } from "node:crypto";

/** Pictures of pages show names as customers know them. */
const PRODUCTS = [
  "Control Panel",
  "Hosting Manager",
  "Hardened Kernel",
  "Web Server",
  "Malware Scanner",
  "Site Builder",
  "Mail Filter",
  "Backup Client",
  "Server Firewall",
  "Panel Plugin",
] as const;
const BUNDLES = ["Hosting Suite", "Secure Server Pack", "Shared Hosting Set"] as const;
const RESELLERS = [
  "Alder Hosting",
  "Bluff Point Servers",
  "Copperline Cloud",
  "Driftwood Internet",
  "Elmstead Networks",
  "Foxglove Hosting",
  "Gullwing Data",
  "Hearthstone Hosting",
] as const;

export const someProductName = () => `${pick(PRODUCTS)} ${someVersion()}`;

export const someBundleName = () => `${pick(BUNDLES)} ${someVersion()}`;

export const someResellerName = () => pick(RESELLERS);

/** Keeps names apart. */
const someVersion = () => `${randomInt(10, 100)}.${randomInt(1000, 10_000)}`;

function pick<Name>(names: readonly Name[]): Name {
  return names[randomInt(names.length)] as Name;
}
