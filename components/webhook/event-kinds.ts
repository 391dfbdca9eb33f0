import { type EventKind, eventKinds } from "#lib/domain/events.ts";

/** What each kind reports, in words to choose by. */
export const kindTexts = {
  "license.activated": "A license was registered and works",
  "license.renewed": "A license's term was extended",
  "license.suspended": "A license was suspended and stopped verifying",
  "license.unsuspended": "A suspended license verifies again",
  "license.ip_changed": "A license moved to another address",
  "license.cores_changed": "A license's number of cores changed",
  "license.updated": "A license's host name changed",
  "license.expiring_soon": "A license's term ends soon",
  "license.expired": "A license's term has ended",
  "license.terminated": "A license was terminated for good",
  "license.registration_failed": "The provider rejected a registration",
  "license.renewal_failed": "A renewal failed",
  "bundle.registered": "A bundle was registered",
  "bundle.renewed": "A bundle's term was extended",
  "bundle.ip_changed": "A bundle moved to another address",
  "wallet.topped_up": "Money was added to the wallet",
  "wallet.low_balance": "The balance fell below your threshold",
  "operation.settled": "A pending change has its outcome",
} as const satisfies Record<EventKind, string>;

const groupNames = { license: "Licenses", bundle: "Bundles", wallet: "Wallet", operation: "Operations" } as const;
type GroupId = keyof typeof groupNames;

export interface KindGroup {
  readonly id: GroupId;
  readonly label: string;
  readonly kinds: readonly EventKind[];
}

/** All kinds, by what they are about, in the catalog's order. */
export const kindGroups: readonly KindGroup[] = (Object.keys(groupNames) as GroupId[]).map((id) => ({
  id,
  label: groupNames[id],
  kinds: eventKinds.filter((kind) => kind.startsWith(`${id}.`)),
}));

/** "All events", "license.activated", "6 kinds of events". */
export function kindsSummary(kinds: readonly EventKind[]): string {
  const [only] = kinds;
  if (only === undefined) return "All events";
  return kinds.length === 1 ? only : `${kinds.length} kinds of events`;
}
