export interface DecisionInput {
  readonly request_id: number;
  readonly decision: "approve" | "decline";
  /** As typed, in major units: of an approval. */
  readonly amount?: string;
  /** The same, if it is large and meant; empty until that was asked. */
  readonly meant_amount: string;
  readonly note: string;
}

/** Minor units: what was credited, or requested and declined. */
export interface Decided {
  readonly amount: string;
  readonly currency: string;
}
