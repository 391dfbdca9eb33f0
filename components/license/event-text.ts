import { arrowText } from "#components/ui/arrow-text.ts";
import { majorMoneyText } from "#components/ui/money-text.ts";
import type { EventKind } from "#lib/domain/events.ts";
import type { OperationKind } from "#lib/domain/operation.ts";

/** What each operation is called, in ledgers and histories. */
export const operationNames = {
  license_register: "Registration",
  license_renew: "Renewal",
  license_change_ip: "IP change",
  license_change_core: "Change of cores",
  license_suspend: "Suspension",
  license_unsuspend: "End of suspension",
  license_terminate: "Termination",
  license_correct: "Correction at the provider",
  bundle_register: "Bundle registration",
  bundle_renew: "Bundle renewal",
  bundle_change_ip: "Bundle IP change",
} as const satisfies Record<OperationKind, string>;

const titles = {
  "license.activated": "Registered",
  "license.renewed": "Renewed",
  "license.suspended": "Suspended",
  "license.unsuspended": "Suspension lifted",
  "license.ip_changed": "IP changed",
  "license.cores_changed": "Cores changed",
  "license.updated": "Details updated",
  "license.expiring_soon": "Expires soon",
  "license.expired": "Expired",
  "license.terminated": "Terminated",
  "license.registration_failed": "Registration failed",
  "license.renewal_failed": "Renewal failed",
  "bundle.registered": "Bundle registered",
  "bundle.renewed": "Bundle renewed",
  "bundle.ip_changed": "Bundle IP changed",
  "wallet.topped_up": "Wallet topped up",
  "wallet.low_balance": "Balance low",
  "operation.settled": "Operation settled",
} as const satisfies Record<EventKind, string>;

type EventData = Readonly<Record<string, unknown>>;

/** An event in words; `data` is what its webhook carries (contract 4.1). `until`: the end of a renewed term. */
export function describeEvent(
  kind: EventKind,
  data: EventData,
): { readonly title: string; readonly detail: string | null; readonly until: string | null } {
  const until = kind === "license.renewed" && data.expires_at ? String(data.expires_at) : null;
  return { title: titles[kind], detail: detailOf(kind, data), until };
}

function detailOf(kind: EventKind, data: EventData): string | null {
  switch (kind) {
    case "license.ip_changed":
      return arrowText(String(data.old_ip ?? ""), String(data.new_ip ?? ""));
    case "license.cores_changed":
      return arrowText(String(data.old_cores ?? ""), String(data.new_cores ?? ""));
    case "license.suspended":
      return data.reason ? String(data.reason) : null;
    case "license.updated":
      return data.server ? String(data.server) : null;
    case "license.expiring_soon":
      return priceText(data);
    case "license.renewal_failed":
      return failureText(data);
    default:
      return null;
  }
}

const failures: Readonly<Record<string, string>> = {
  insufficient_balance: "Not enough balance",
  no_price: "Its billing cycle is no longer sold",
  price_limit: "The price is above the limits for automatic renewals",
  provider_failed: "The provider refused, or was not reached",
};

function failureText(data: EventData): string | null {
  const reason = failures[String(data.reason)];
  if (reason === undefined) return null;
  const price = priceText(data);
  return price === null ? reason : `${reason}: ${price}`;
}

/** Of a price that has risen. */
function priceText({ price, previous_price, currency }: EventData): string | null {
  if (typeof price !== "number" || typeof previous_price !== "number") return null;
  return arrowText(majorMoneyText(previous_price, currency), majorMoneyText(price, currency));
}
