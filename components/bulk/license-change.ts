import type { LicenseBulkChange } from "#lib/domain/bulk-license.ts";
import type { Selection, SelectionNoun } from "./selection-store.ts";

/** The selection as it is sent. */
export type SentSelection = { readonly ids: readonly number[] } | { readonly search: string };

export type ChangeRequest = LicenseBulkChange & { readonly selection: SentSelection };

/** Money: minor units of `currency`, as decimal text. */
export interface ChangeQuote {
  readonly count: number;
  readonly skipped: readonly { readonly reason: string; readonly count: number }[];
  readonly total: string;
  readonly spendable: string;
  readonly currency: string;
  /** What the balance pays for. */
  readonly affordable: { readonly count: number; readonly total: string };
}

export type StartRequest = ChangeRequest & { readonly agreed: { readonly count: number; readonly total: string } };

export function sentSelection(selection: Selection): SentSelection {
  return selection.kind === "ids" ? { ids: [...selection.ids] } : { search: selection.search };
}

/** The changes that the bar offers: one a menu entry. */
export const offeredChanges = {
  renew: { label: "Renew", change: { kind: "renew" } },
  suspend: { label: "Suspend", change: { kind: "suspend", reason: "" } },
  unsuspend: { label: "Lift suspension", change: { kind: "unsuspend" } },
  terminate: { label: "Terminate", change: { kind: "terminate" } },
  notes: { label: "Set notes", change: { kind: "set_notes", notes: "" } },
  auto_renew_on: { label: "Switch automatic renewal on", change: { kind: "set_auto_renew", on: true } },
  auto_renew_off: { label: "Switch automatic renewal off", change: { kind: "set_auto_renew", on: false } },
} as const satisfies Record<string, { label: string; change: LicenseBulkChange }>;
export type OfferedChange = keyof typeof offeredChanges;

/** Which of them there are for what is selected, in the order of the menu. */
export const offeredFor: Readonly<Record<SelectionNoun, readonly OfferedChange[]>> = {
  license: ["renew", "suspend", "unsuspend", "notes", "auto_renew_on", "auto_renew_off", "terminate"],
  bundle: ["renew", "auto_renew_on", "auto_renew_off"],
};
