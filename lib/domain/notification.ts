import type { AdminPermission, ResellerPermission } from "./roles.ts";

/** Events that a reseller's users are notified of, with what they need to see. */
export const notifiedEvents = {
  "wallet.low_balance": "wallet:read",
  "wallet.topped_up": "wallet:read",
  "license.renewal_failed": "licenses:read",
  "license.registration_failed": "licenses:read",
  "operation.settled": "licenses:read",
} as const satisfies Record<string, ResellerPermission>;

/** Everything that a reseller's users are notified of. */
export const resellerNotifications = {
  ...notifiedEvents,
  "top_up.declined": "wallet:read",
  "webhook.disabled": "webhooks:read",
} as const satisfies Record<string, ResellerPermission>;

/** What waits for an admin; and problems of the installation, once a day. */
export const adminNotifications = {
  "case.opened": "admin:read",
  "top_up.requested": "money:move",
  "system.problems": "admin:read",
} as const satisfies Record<string, AdminPermission>;

export type NotificationKind = keyof typeof resellerNotifications | keyof typeof adminNotifications;
export const notificationKinds = Object.keys({
  ...resellerNotifications,
  ...adminNotifications,
}) as readonly NotificationKind[];

/** Older ones are not listed. No longer than events are kept. */
export const NOTIFIED_DAYS = 30;
export const NOTIFICATIONS_MAX = 100;
