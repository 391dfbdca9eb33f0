import type { BundleInstanceId } from "./ids.ts";
import type { OperationKind } from "./operation.ts";
import type { ProviderTraits } from "./provider-traits.ts";
import type { CaseFacts, CaseKind, ComparedFact } from "./reconciliation.ts";

/** Facts of a case that decide which actions are possible and what they move. Money in minor units. */
export interface CaseContext {
  readonly kind: CaseKind;
  readonly resolved: boolean;
  /** The bundle that the case's license belongs to. */
  readonly bundle: CaseBundle | null;
  readonly facts: Pick<CaseFacts, "ours" | "differing">;
  /** Of the case's operation. */
  readonly operationKind: OperationKind | null;
  /** Parts of the operation that the provider has, out of `parts`. */
  readonly partsHeld: number;
  readonly parts: number;
  readonly term: TermCircumstances;
  /** Null if the provider is not configured. */
  readonly provider: ProviderTraits | null;
  /** `paid` for the current term and renewals ahead; `due`: what the license's end refunded; `price` of the operation. */
  readonly paid: bigint;
  readonly due: bigint;
  readonly price: bigint;
  /** Paid for the time after the provider's end. */
  readonly unprovided: bigint;
  /**
   * Current price of the whole cycles by which the provider's term is longer; null if there are none or they have no
   * price.
   */
  readonly renewalPrice: bigint | null;
  /** Price of changing to the provider's number of cores, negative for a credit; null if equal or without a price. */
  readonly corePrice: bigint | null;
  /** Current price of everything the provider has beyond what was paid for; null if it has none. */
  readonly unpaid: bigint | null;
}

interface CaseBundle {
  readonly id: BundleInstanceId;
  readonly name: string;
  /** Its licenses that are live, or that ended with the case's license. */
  readonly licenses: number;
}

interface TermCircumstances {
  /** The provider's end relative to ours; null if it reports none. */
  readonly end: "same" | "earlier" | "later" | null;
  /** Whole cycles between the two ends; null if not a whole number. */
  readonly cycles: number | null;
  /**
   * Members of the bundle whose term ends at the provider like this one's, out of `members`; 1 of 1 without a bundle.
   */
  readonly membersAlike: number;
  readonly members: number;
}

export function differsIn({ facts }: Pick<CaseContext, "facts">, fact: ComparedFact): boolean {
  return facts.differing.includes(fact);
}
