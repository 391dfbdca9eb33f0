/** How a reseller pays. */
export const paymentMethodNames = {
  bank_transfer: "Bank transfer",
  card: "Card",
  cash: "Cash",
  other: "Other",
} as const;

type PaymentMethod = keyof typeof paymentMethodNames;

export const topUpStates = ["requested", "approved", "declined"] as const;

export type TopUpState = (typeof topUpStates)[number];

export const topUpStateNames = {
  requested: "Waiting",
  approved: "Credited",
  declined: "Declined",
} as const satisfies Record<TopUpState, string>;

/** A request as its reseller and the admins see it. `amount`: minor units of `currency`. */
export interface TopUpRequest {
  readonly id: number;
  readonly resellerId: number;
  readonly resellerName: string;
  /** The reseller's available balance; minor units. */
  readonly spendable: bigint;
  readonly amount: bigint;
  /** What was credited, if approved. */
  readonly creditedAmount: bigint | null;
  readonly currency: string;
  readonly method: PaymentMethod;
  readonly reference: string;
  readonly note: string;
  readonly state: TopUpState;
  readonly createdAt: Date;
  readonly decisionNote: string;
}

export interface TopUpRequestInput {
  /** As typed, in major units. */
  readonly amount: string;
  readonly method: string;
  readonly reference: string;
  readonly note: string;
}
