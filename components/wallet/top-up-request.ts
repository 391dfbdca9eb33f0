/** How a reseller pays. */
export const paymentMethodNames = {
  bank_transfer: "Bank transfer",
  card: "Card",
  cash: "Cash",
  other: "Other",
} as const;

export const topUpStates = ["requested", "approved", "declined"] as const;

export type TopUpState = (typeof topUpStates)[number];

export const topUpStateNames = {
  requested: "Waiting",
  approved: "Credited",
  declined: "Declined",
} as const satisfies Record<TopUpState, string>;
