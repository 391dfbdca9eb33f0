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

/** A request as its reseller and the admins see it. Money: minor units of `currency`, as decimal text. */
export interface TopUpRequest {
  readonly id: number;
  readonly amount: string;
  readonly currency: string;
  readonly method: PaymentMethod;
  readonly reference: string;
  readonly note: string;
  readonly state: TopUpState;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly decidedAt: string | null;
  readonly decisionNote: string;
}

export interface TopUpRequestInput {
  /** Decimal text in major units. */
  readonly amount: string;
  readonly method: string;
  readonly reference: string;
  readonly note: string;
}
