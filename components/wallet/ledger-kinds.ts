/** The kinds of entries, those that take before those that give. */
export const ledgerKinds = ["charge", "credit", "refund", "top_up", "adjustment"] as const;

export type LedgerKind = (typeof ledgerKinds)[number];

/** What one entry of each kind is called. */
export const ledgerKindNames = {
  charge: "Charge",
  credit: "Credit",
  refund: "Refund",
  top_up: "Top-up",
  adjustment: "Adjustment",
} as const satisfies Record<LedgerKind, string>;
