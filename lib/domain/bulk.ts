/**
 * Kinds of bulk changes, with the titles of their jobs on pages and in the audit log. `lib/services/bulk/kinds.ts`
 * implements each.
 */
export const bulkKindTitles = {
  renew: "Renewal",
  suspend: "Suspension",
  unsuspend: "End of suspension",
  terminate: "Termination",
  set_notes: "Notes",
  set_customer: "Customer",
  add_tags: "Added tags",
  remove_tags: "Removed tags",
  set_auto_renew: "Automatic renewal",
  renew_bundle: "Renewal of bundles",
  set_bundle_auto_renew: "Automatic renewal of bundles",
  relocate: "Relocation",
  register: "Registration",
  change_ip: "IP change",
} as const satisfies Record<string, string>;
export type BulkKind = keyof typeof bulkKindTitles;
export const bulkKinds = Object.keys(bulkKindTitles) as readonly BulkKind[];

/** Kinds that spend money, now or when terms end. */
const spendingKinds: ReadonlySet<BulkKind> = new Set([
  "renew",
  "set_auto_renew",
  "renew_bundle",
  "set_bundle_auto_renew",
  "register",
]);

/** What a user has to be allowed beside changing licenses or bundles; null: nothing. */
export function bulkKindPermission(kind: BulkKind): "wallet:spend" | "licenses:terminate" | null {
  if (kind === "terminate") return "licenses:terminate";
  return spendingKinds.has(kind) ? "wallet:spend" : null;
}

/** Bounds what a user can review before the start and what one response can carry. */
export const MAX_BULK_ITEMS = 10_000;
/** Each address is typed or pasted, and reviewed beside its license. */
export const MAX_ADDRESS_CHANGES = 200;

/** `undoing`: an all-or-nothing job is reverting its finished items. */
export type BulkJobState = "queued" | "running" | "undoing" | "finished";

/** `pending`: the provider's outcome is unknown. `undone`: succeeded, then reverted. */
export const bulkItemStates = ["queued", "running", "succeeded", "failed", "pending", "skipped", "undone"] as const;
export type BulkItemState = (typeof bulkItemStates)[number];

export type BulkCounts = Readonly<Record<BulkItemState, number>>;

/** Request id of an item's operations; the database allows one per id that was not rejected. */
export function bulkRequestId(itemId: number, step: "do" | "undo"): string {
  return step === "do" ? `bulk:${itemId}` : `bulk:${itemId}:undo`;
}
