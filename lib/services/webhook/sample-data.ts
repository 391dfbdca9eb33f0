import type { EventKind } from "#lib/domain/events.ts";
import { toTimestamp } from "#lib/domain/times.ts";

const TERM_MS = 30 * 86_400_000;
const license = { license_id: "lic_0", type: "test", server: "test.example.com" };
const bundle = { bundle_instance_id: 1 };
const addresses = { old_ip: "203.0.113.10", new_ip: "203.0.113.11" };

/** `data` of an event of each kind, with every field that the contract promises (events.md#kinds-of-events). */
export function sampleData(now: Date): Readonly<Record<EventKind, Readonly<Record<string, unknown>>>> {
  const expires = { expires_at: toTimestamp(new Date(now.getTime() + TERM_MS)) };
  return {
    "license.activated": license,
    "license.renewed": { ...license, ...expires },
    "license.suspended": { ...license, reason: "Sent as a test." },
    "license.unsuspended": license,
    "license.ip_changed": { ...license, ...addresses },
    "license.cores_changed": { ...license, old_cores: 4, new_cores: 8 },
    "license.updated": license,
    "license.expiring_soon": { ...license, ...expires, auto_renew: true, days_left: 30 },
    "license.expired": { ...license, expires_at: toTimestamp(now), auto_renew: false },
    "license.terminated": license,
    "license.registration_failed": license,
    "license.renewal_failed": { ...license, reason: "insufficient_balance", price: 14.5, currency: "USD" },
    "bundle.registered": { ...bundle, bundle_id: 1, ip_address: addresses.new_ip },
    "bundle.renewed": { ...bundle, ...expires },
    "bundle.ip_changed": { ...bundle, ...addresses },
    "wallet.topped_up": { amount: 100, currency: "USD" },
    "wallet.low_balance": { balance: 9.5, threshold: 10, currency: "USD" },
    "operation.settled": {
      ...license,
      operation_id: "00000000-0000-4000-8000-000000000000",
      operation: "license.renew",
      outcome: "succeeded",
    },
  };
}
