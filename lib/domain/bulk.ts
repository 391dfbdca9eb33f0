/** Changes that can be asked for many at once; `lib/services/bulk/kinds.ts` says how one item of each is done. */
export const bulkKinds = [
  "renew",
  "suspend",
  "unsuspend",
  "set_notes",
  "set_auto_renew",
  "renew_bundle",
  "set_bundle_auto_renew",
  "relocate",
  "register",
] as const;
export type BulkKind = (typeof bulkKinds)[number];

/** What a change of many is called, as the title of its page and in the audit log. */
export const bulkKindTitles = {
  renew: "Renewal",
  suspend: "Suspension",
  unsuspend: "End of suspension",
  set_notes: "Notes",
  set_auto_renew: "Automatic renewal",
  renew_bundle: "Renewal of bundles",
  set_bundle_auto_renew: "Automatic renewal of bundles",
  relocate: "Relocation",
  register: "Registration",
} as const satisfies Record<BulkKind, string>;

/** A job with more would be too much to look through before it is started, and to hold in one answer. */
export const MAX_BULK_ITEMS = 10_000;

/** `undoing`: a job that is all or nothing takes back what it has done. */
export type BulkJobState = "queued" | "running" | "undoing" | "finished";

/** `pending`: done on our side; the provider's answer is not clear yet. `undone`: was done and has been taken back. */
export const bulkItemStates = ["queued", "running", "succeeded", "failed", "pending", "skipped", "undone"] as const;
export type BulkItemState = (typeof bulkItemStates)[number];

export type BulkCounts = Readonly<Record<BulkItemState, number>>;

const BULK_REQUEST = "bulk:";

/** What an item's operations carry as their request: at most one of them that was not refused. */
export function bulkRequestId(itemId: number, step: "do" | "undo"): string {
  return step === "do" ? `${BULK_REQUEST}${itemId}` : `${BULK_REQUEST}${itemId}:undo`;
}

/** Whether a request is an item of a bulk job. */
export function isBulkRequest(requestId: string): boolean {
  return requestId.startsWith(BULK_REQUEST);
}
