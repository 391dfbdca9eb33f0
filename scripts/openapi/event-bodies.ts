import { z } from "zod";
import { CHALLENGE_KIND, type WebhookKind } from "#lib/domain/events.ts";
import { field } from "#lib/http/answer-fields.ts";

/** Present in test events only. */
const test = { test: z.literal(true).optional() };
const license = { license_id: field.licenseId, type: field.text, server: field.text, ...test };
const bundle = { bundle_instance_id: field.number, ...test };
const amount = { currency: field.currency, ...test };
const outcome = { operation_id: field.operationId, operation: field.text, outcome: z.enum(["succeeded", "rejected"]) };
const addresses = { old_ip: field.text, new_ip: field.text };
const priceRise = { price: field.money, previous_price: field.money.nullable(), currency: field.currency };
const term = { expires_at: field.time, auto_renew: field.flag };

const licenseData = z.strictObject(license).meta({ title: "LicenseEventData" });

/** `data` of each webhook (events.md#kinds-of-events). */
export const eventData = {
  "license.activated": licenseData,
  "license.renewed": z.strictObject({ ...license, expires_at: field.time }),
  "license.suspended": z.strictObject({ ...license, reason: field.text }),
  "license.unsuspended": licenseData,
  "license.ip_changed": z.strictObject({ ...license, ...addresses }),
  "license.cores_changed": z.strictObject({ ...license, old_cores: field.count, new_cores: field.count }),
  "license.updated": z.strictObject({ ...license, expires_at: field.time.optional() }),
  "license.expiring_soon": z.union([
    z.strictObject({ ...license, ...term, days_left: field.count }),
    z.strictObject({ ...license, ...term, ...priceRise, charged_from: field.time.nullable() }),
  ]),
  "license.expired": z.strictObject({ ...license, ...term }),
  "license.terminated": licenseData,
  "license.registration_failed": licenseData,
  "license.renewal_failed": z.union([
    z.strictObject({ ...license, reason: z.enum(["no_price", "provider_failed"]), requested: field.flag.optional() }),
    z.strictObject({
      ...license,
      reason: z.literal("insufficient_balance"),
      price: field.money,
      currency: field.currency,
    }),
    z.strictObject({ ...license, reason: z.literal("price_limit"), ...priceRise }),
  ]),
  "bundle.registered": z.strictObject({ ...bundle, bundle_id: field.number, ip_address: field.text }),
  "bundle.renewed": z.strictObject({ ...bundle, expires_at: field.time }),
  "bundle.ip_changed": z.strictObject({ ...bundle, ...addresses }),
  "wallet.topped_up": z.strictObject({ amount: field.money, ...amount }),
  "wallet.low_balance": z.strictObject({ balance: field.money, threshold: field.money, ...amount }),
  "operation.settled": z.union([z.strictObject({ ...license, ...outcome }), z.strictObject({ ...bundle, ...outcome })]),
  [CHALLENGE_KIND]: z.strictObject({ challenge: field.text }),
} satisfies Record<WebhookKind, z.ZodType>;

/** Body of each webhook, by kind (contract 4.1). */
export const webhookBodies = Object.entries(eventData).map(([kind, data]) => ({
  kind: kind as WebhookKind,
  body: z.strictObject({ event: z.literal(kind), timestamp: field.time, data }),
}));
