import type { listMovable, quoteChange } from "#app/(dashboard)/licenses/bulk/actions.ts";
import type { ValueOf } from "#lib/domain/action-result.ts";
import type { LicenseBulkChange } from "#lib/domain/bulk-license.ts";
import type { Selection, SelectionNoun } from "./selection-store.ts";

/** The selection as it is sent. */
export type SentSelection = { readonly ids: readonly number[] } | { readonly search: string };

export type ChangeRequest = LicenseBulkChange & { readonly selection: SentSelection };

export type ChangeQuote = ValueOf<typeof quoteChange>;

/** For admins: whose licenses are selected. */
export interface SelectionOwner {
  readonly id: number;
  readonly name: string;
}

export type SkippedCount = ChangeQuote["skipped"][number];

export type StartRequest = ChangeRequest & { readonly agreed: { readonly count: number; readonly total: string } };

export function sentSelection(selection: Selection): SentSelection {
  return selection.kind === "ids" ? { ids: [...selection.ids.keys()] } : { search: selection.search };
}

/** Which of the selected licenses can get another address; by their present one. */
export type MovableLicenses = ValueOf<typeof listMovable>;
export type MovableLicense = MovableLicenses["movable"][number];

/** The changes that the bar offers: one a menu entry. */
export const offeredChanges = {
  renew: { label: "Renew", change: { kind: "renew" } },
  suspend: { label: "Suspend", change: { kind: "suspend", reason: "" } },
  unsuspend: { label: "Lift suspension", change: { kind: "unsuspend" } },
  terminate: { label: "Terminate", change: { kind: "terminate" } },
  notes: { label: "Set notes", change: { kind: "set_notes", notes: "" } },
  customer: {
    label: "Set customer",
    change: { kind: "set_customer", customerName: "", customerEmail: "", customerReference: "" },
  },
  add_tags: { label: "Add tags", change: { kind: "add_tags", tags: [] } },
  remove_tags: { label: "Remove tags", change: { kind: "remove_tags", tags: [] } },
  auto_renew_on: { label: "Turn on auto-renew", change: { kind: "set_auto_renew", on: true } },
  auto_renew_off: { label: "Turn off auto-renew", change: { kind: "set_auto_renew", on: false } },
} as const satisfies Record<string, { label: string; change: LicenseBulkChange }>;
export type OfferedChange = keyof typeof offeredChanges;

/** Which of them there are for what is selected, in the order of the menu. A change of IP has a dialog of its own. */
export const offeredFor: Readonly<Record<SelectionNoun, readonly (OfferedChange | "change_ip")[]>> = {
  license: [
    "renew",
    "suspend",
    "unsuspend",
    "change_ip",
    "customer",
    "add_tags",
    "remove_tags",
    "notes",
    "auto_renew_on",
    "auto_renew_off",
    "terminate",
  ],
  bundle: ["renew", "auto_renew_on", "auto_renew_off"],
};
