/** Audit actions and their titles. */
export const auditActions = {
  "api_key.create": "API key created",
  "api_key.revoke": "API key revoked",
  "api_key.rotate": "API key rotated",
  "api_key.set_rate_limit": "Rate limit of an API key set",
  "bulk.cancel": "Remaining items of a job canceled",
  "bulk.retry": "Failed items of a job retried",
  "bulk.start": "Job started",
  "catalog.create_bundle": "Bundle added to the catalog",
  "catalog.create_cycle": "Billing cycle added",
  "catalog.create_product": "Product added to the catalog",
  "catalog.import": "Catalog imported from a provider",
  "catalog.remove_price": "List price removed",
  "catalog.remove_reseller_price": "Reseller's own price removed",
  "catalog.restore_bundle": "Bundle put back on sale",
  "catalog.restore_cycle": "Billing cycle put back on sale",
  "catalog.restore_product": "Product put back on sale",
  "catalog.retire_bundle": "Bundle retired",
  "catalog.retire_cycle": "Billing cycle retired",
  "catalog.retire_product": "Product retired",
  "catalog.set_price": "List price set",
  "catalog.set_reseller_price": "Reseller's own price set",
  "catalog.update_bundle": "Bundle changed",
  "catalog.update_cycle": "Billing cycle changed",
  "catalog.update_product": "Product changed",
  "provider.create": "Provider set up",
  "provider.disable": "Provider disabled",
  "provider.enable": "Provider enabled",
  "provider.update": "Provider changed",
  "reconciliation.adopt": "Case settled: provider's facts adopted",
  "reconciliation.ask_again": "Provider asked again",
  "reconciliation.charge": "Case settled: charged as a renewal",
  "reconciliation.correct": "Case settled: provider corrected",
  "reconciliation.dismiss": "Difference dismissed",
  "reconciliation.refund": "Case settled: refunded",
  "reseller.create": "Reseller created",
  "reseller.set_renewal_settings": "Renewal settings changed",
  "reseller.suspend": "Reseller suspended",
  "reseller.unsuspend": "Reseller unsuspended",
  "reseller.update": "Reseller changed",
  "session.act_as": "Started to act as a reseller",
  "session.stop_acting": "Stopped acting as a reseller",
  "user.change_password": "Own password changed",
  "user.create": "User created",
  "user.disable": "User disabled",
  "user.enable": "User enabled",
  "user.rename": "Own name changed",
  "user.reset_password": "One-time password created",
  "wallet.adjust": "Wallet corrected",
  "wallet.decide_top_up": "Top-up request decided",
  "wallet.refund": "Charge refunded",
  "wallet.request_top_up": "Top-up requested",
  "wallet.set_price_rules": "Limits of automatic renewals set",
  "wallet.set_low_balance_threshold": "Low-balance warning set",
  "wallet.top_up": "Wallet topped up",
  "webhook.challenge": "Webhook endpoint challenged",
  "webhook.create": "Webhook endpoint added",
  "webhook.delete": "Webhook endpoint deleted",
  "webhook.disable": "Webhook endpoint disabled",
  "webhook.pause": "Webhook endpoint paused",
  "webhook.resume": "Webhook endpoint resumed",
  "webhook.rotate_secret": "Webhook secret rotated",
  "webhook.update": "Webhook endpoint changed",
  "webhook.verify": "Webhook endpoint verified",
} as const satisfies Record<string, string>;

export type AuditAction = keyof typeof auditActions;

export type AuditValue =
  | string
  | number
  | boolean
  | null
  | readonly AuditValue[]
  | { readonly [key: string]: AuditValue };

/** Field → old and new value. */
export type AuditChanges = Readonly<Record<string, { readonly before: AuditValue; readonly after: AuditValue }>>;
