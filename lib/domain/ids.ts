import type { Brand } from "./brand.ts";
import { parsePositiveInteger } from "./integer.ts";

export type LicenseId = Brand<number, "LicenseId">;
export type ProductId = Brand<number, "ProductId">;
export type CycleId = Brand<number, "CycleId">;
export type BundleId = Brand<number, "BundleId">;
export type BundleInstanceId = Brand<number, "BundleInstanceId">;
export type ResellerId = Brand<number, "ResellerId">;
export type UserId = Brand<number, "UserId">;
export type ApiKeyId = Brand<number, "ApiKeyId">;
export type WalletId = Brand<number, "WalletId">;
export type OperationId = Brand<string, "OperationId">;
export type WebhookEndpointId = Brand<number, "WebhookEndpointId">;
export type EventId = Brand<string, "EventId">;
export type BulkJobId = Brand<number, "BulkJobId">;
export type BulkItemId = Brand<number, "BulkItemId">;

const LICENSE_ID_PREFIX = "lic_";

/** 12 → `"lic_12"`, the form of the path interface and of events. */
export function formatLicenseId(id: LicenseId): string {
  return `${LICENSE_ID_PREFIX}${id}`;
}

/** `"lic_12"` or `"12"` → 12 (contract 2.1); null for anything else. */
export function parseLicenseId(text: string): LicenseId | null {
  const digits = text.startsWith(LICENSE_ID_PREFIX) ? text.slice(LICENSE_ID_PREFIX.length) : text;
  return parsePositiveInteger(digits) as LicenseId | null;
}

/** 3 → "bundle 3", as searches read it. */
export function formatBundleInstanceId(id: BundleInstanceId | number): string {
  return `bundle ${id}`;
}

const WEBHOOK_ENDPOINT_ID_PREFIX = "whe_";
const EVENT_ID_PREFIX = "evt_";
/** Of nothing. */
export const NIL_UUID = "00000000-0000-0000-0000-000000000000";
const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** 12 → `"whe_12"`. */
export function formatWebhookEndpointId(id: WebhookEndpointId): string {
  return `${WEBHOOK_ENDPOINT_ID_PREFIX}${id}`;
}

/** `"whe_12"` → 12; null for anything else. */
export function parseWebhookEndpointId(text: string): WebhookEndpointId | null {
  if (!text.startsWith(WEBHOOK_ENDPOINT_ID_PREFIX)) return null;
  return parsePositiveInteger(text.slice(WEBHOOK_ENDPOINT_ID_PREFIX.length)) as WebhookEndpointId | null;
}

/** `"evt_"` and the UUID of the event; webhooks carry it as `webhook-id`. */
export function formatEventId(id: EventId): string {
  return `${EVENT_ID_PREFIX}${id}`;
}

/** Accepts any letter case; null for anything but a UUID. */
export function parseOperationId(text: string): OperationId | null {
  const uuid = text.toLowerCase();
  return uuidPattern.test(uuid) ? (uuid as OperationId) : null;
}

/** Null for anything but `evt_` and a lower-case UUID. */
export function parseEventId(text: string): EventId | null {
  if (!text.startsWith(EVENT_ID_PREFIX)) return null;
  const uuid = text.slice(EVENT_ID_PREFIX.length);
  return uuidPattern.test(uuid) ? (uuid as EventId) : null;
}

/** `lic_12` or `bundle 3`; null for neither. */
export function formatUnitId(unit: {
  readonly licenseId?: number | null | undefined;
  readonly bundleInstanceId?: number | null | undefined;
}): string | null {
  if (unit.licenseId != null) return formatLicenseId(unit.licenseId as LicenseId);
  return unit.bundleInstanceId == null ? null : formatBundleInstanceId(unit.bundleInstanceId);
}
