/** Everything that integrators can be told (contract 4.1). */
export const eventKinds = [
  "license.activated",
  "license.renewed",
  "license.suspended",
  "license.unsuspended",
  "license.ip_changed",
  "license.cores_changed",
  "license.updated",
  "license.expiring_soon",
  "license.expired",
  "license.terminated",
  "license.registration_failed",
  "license.renewal_failed",
  "bundle.registered",
  "bundle.renewed",
  "bundle.ip_changed",
  "wallet.topped_up",
  "wallet.low_balance",
  "operation.settled",
] as const;
export type EventKind = (typeof eventKinds)[number];

/** Carries the challenge that an endpoint has to meet before it is sent events. Nobody subscribes to it. */
export const CHALLENGE_KIND = "webhook.endpoint_verification";

/** What a webhook can carry. */
export type WebhookKind = EventKind | typeof CHALLENGE_KIND;

/** Each kind once, in the catalog's order; null when one of the names is no kind. */
export function parseEventKinds(names: readonly string[]): EventKind[] | null {
  const known: readonly string[] = eventKinds;
  if (!names.every((name) => known.includes(name))) return null;
  return eventKinds.filter((kind) => names.includes(kind));
}
