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
