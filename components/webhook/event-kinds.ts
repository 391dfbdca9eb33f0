import { type EventKind, eventKinds } from "#lib/domain/events.ts";

/** What each kind tells, in words to choose by. */
export const kindTexts = {
  "license.activated": "A license was registered and works",
  "license.renewed": "A term was added",
  "license.suspended": "It stopped verifying",
  "license.unsuspended": "It verifies again",
  "license.ip_changed": "It moved to another address",
  "license.cores_changed": "Its number of cores changed",
  "license.updated": "Its host name changed",
  "license.expiring_soon": "Its term ends soon",
  "license.expired": "Its term has ended",
  "license.terminated": "It ended for good",
  "license.registration_failed": "The provider refused it",
  "license.renewal_failed": "An automatic renewal failed",
  "bundle.registered": "A bundle was registered",
  "bundle.renewed": "A bundle's term was extended",
  "bundle.ip_changed": "A bundle moved to another address",
  "wallet.topped_up": "Money arrived",
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
