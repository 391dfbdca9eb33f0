import { randomInt } from "node:crypto";

/**
 * Pictures of pages show names as customers know them. None of these contains a name of the demo catalog or of a test:
 * tests find those by their names.
 */
const PRODUCTS = [
  "Hosting Manager",
  "Live Patching",
  "Page Accelerator",
  "Intrusion Monitor",
  "Site Builder",
  "Spam Filter",
  "Snapshot Client",
  "Server Firewall",
  "Panel Plugin",
  "Mailbox Archive",
] as const;
const BUNDLES = ["Agency Suite", "Secure Server Pack", "Starter Set"] as const;
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
