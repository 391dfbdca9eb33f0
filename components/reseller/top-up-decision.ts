import type { TopUpRow } from "#components/wallet/top-up-table.tsx";

/** A request with what is needed to decide on it. Money: minor units, as decimal text. */
export interface DecidableTopUp extends TopUpRow {
  readonly resellerName: string;
  readonly spendable: string;
}

export interface DecisionInput {
  readonly request_id: number;
  readonly decision: "approve" | "decline";
  readonly note: string;
}

export interface Decided {
  readonly state: "requested" | "approved" | "declined";
  readonly amount: string;
  readonly currency: string;
}
