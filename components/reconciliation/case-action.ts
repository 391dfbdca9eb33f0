import type { CaseAction, ComparedFact } from "#lib/domain/reconciliation.ts";

/** What can be done about a case, or why not. Money: minor units. */
export interface ActionOffer {
  readonly action: CaseAction;
  readonly possible: boolean;
  /** Of the possible ones, what usually settles such a case. */
  readonly recommended: boolean;
  /** What it does; or why it makes no sense here. */
  readonly text: string;
  /** Into the reseller's wallet; negative: charged. */
  readonly wallet: bigint;
  readonly released: bigint;
  /** The license stops working for good. */
  readonly endsLicense: boolean;
  /** The license's facts that it changes, now and after it. A term ends at a time or on a day: ISO 8601. */
  readonly changes: readonly { readonly fact: ComparedFact; readonly from: string; readonly to: string }[];
  /** `correct` ends it at the provider, as it does not live here. */
  readonly endsAtProvider: boolean;
}

export interface CaseToAct {
  readonly caseId: number;
  /** Of the case as it is shown: acting on another one is refused. */
  readonly fingerprint: string;
  readonly reseller: string | null;
  /** The reseller's available balance; null where nobody's money is at stake. */
  readonly spendable: bigint | null;
  readonly currency: string | null;
}
