export { LicenseDesk } from "./client.ts";
export { ConnectionError, type ErrorCode, LicenseDeskError, TimeoutError } from "./errors.ts";
export type { Pending, WaitOptions } from "./pending.ts";
export type * from "./schema.ts";
export type { CallOptions, ChangeOptions, ClientOptions } from "./transport.ts";
export { createWebhookHandler, verifyWebhook, WebhookError, type WebhookEvent } from "./webhook.ts";
