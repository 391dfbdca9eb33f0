/** Kinds of events that integrators can subscribe to (contract 4.1). */
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

/** Carries the challenge that an endpoint must meet before it receives events. Not subscribable. */
export const CHALLENGE_KIND = "webhook.endpoint_verification";

/** Kinds of webhook messages. */
export const webhookKinds = [...eventKinds, CHALLENGE_KIND] as const;
export type WebhookKind = (typeof webhookKinds)[number];

/** Distinct kinds in catalog order; null if a name is unknown. */
export function parseEventKinds(names: readonly string[]): EventKind[] | null {
  const known: readonly string[] = eventKinds;
  if (!names.every((name) => known.includes(name))) return null;
  return eventKinds.filter((kind) => names.includes(kind));
}
