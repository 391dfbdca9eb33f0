import type { OperationKind } from "./operation.ts";
import type { ProviderTraits } from "./provider-traits.ts";
import {
  type ActionRule,
  actionRule,
  type CaseAction,
  type CaseFacts,
  type CaseKind,
  cannot,
  does,
} from "./reconciliation.ts";

/** What of a case decides whether an action is possible, and what it moves. Money in minor units. */
export interface CaseCircumstances {
  readonly kind: CaseKind;
  readonly resolved: boolean;
  readonly inBundle: boolean;
  readonly facts: Pick<CaseFacts, "ours" | "differing">;
  /** Of the operation that the case is about. */
  readonly operationKind: OperationKind | null;
  /** Parts of the operation that the provider holds, of how many. */
  readonly partsHeld: number;
  readonly parts: number;
  readonly term: TermCircumstances;
  /** Null: it is not set up. */
  readonly provider: ProviderTraits | null;
  /** Paid for the present term; given back of its price; the operation's price. */
  readonly paid: bigint;
  readonly due: bigint;
  readonly price: bigint;
  /** Paid for the time after the provider's end. */
  readonly unprovided: bigint;
  /** Today's price of the whole cycles that the provider has ahead of us; null without any, and without a price. */
  readonly renewalPrice: bigint | null;
  /** What the provider's number of cores costs now, negative what it credits; null where it is ours, or has no price. */
  readonly corePrice: bigint | null;
  /** Today's price of all that the provider holds beyond what was paid for; null where it has none. */
  readonly unpaid: bigint | null;
}

interface TermCircumstances {
  /** The provider's end compared with ours; null where it reports none. */
  readonly end: "same" | "earlier" | "later" | null;
  /** Whole cycles between the two ends; null where it is not a whole number. */
  readonly cycles: number | null;
  /** Members of the bundle whose term ends there where this one's does, of how many; 1 of 1 without a bundle. */
  readonly membersAlike: number;
  readonly members: number;
}

/** The rule of the table, unless something about this very case prevents it. */
export function offerAction(of: CaseCircumstances, action: CaseAction): ActionRule {
  if (of.resolved) return cannot("The case is closed.");
  const rule = actionRule(of.kind, action);
  if (!rule.possible) return rule;
  switch (action) {
    case "adopt":
      return cannotAdopt(of) ?? rule;
    case "charge":
      return offerCharge(of) ?? rule;
    case "correct":
      return offerCorrection(of) ?? rule;
    case "refund":
      return offerRefund(of) ?? rule;
    case "ask_again":
    case "dismiss":
      return rule;
    default:
      return action satisfies never;
  }
}

const has = ({ facts }: CaseCircumstances, fact: CaseFacts["differing"][number]) => facts.differing.includes(fact);

function cannotAdopt(of: CaseCircumstances): ActionRule | null {
  if (of.kind === "late_success" && of.partsHeld < of.parts) {
    return cannot(`The provider holds ${of.partsHeld} of the bundle's ${of.parts} parts: it is sold as a whole.`);
  }
  if (of.kind !== "differs") return null;
  if (has(of, "product")) return cannot("A license never changes its product.");
  if (of.inBundle && has(of, "address")) {
    return cannot("A bundle moves as a whole: change the bundle's address, or correct the provider.");
  }
  return has(of, "term") ? cannotAdoptTerm(of) : null;
}

/** What is shorter there is adopted for the whole bundle, as its weakest member; what is longer only when all have it. */
function cannotAdoptTerm({ term: { end, membersAlike, members } }: CaseCircumstances): ActionRule | null {
  if (end === "earlier" || membersAlike === members) return null;
  return cannot(`The provider renewed ${membersAlike} of the bundle's ${members} members: it is renewed as a whole.`);
}

/** A longer term is charged first; more cores of the same license are a case of their own afterwards. */
function offerCharge(of: CaseCircumstances): ActionRule | null {
  if (has(of, "product")) return cannot("A license never changes its product.");
  if (!has(of, "term") || of.term.end !== "later") {
    if ((of.corePrice ?? 0n) > 0n) return does(actionRulesOfCores.charge);
    return cannot("The provider holds neither a longer term nor more cores than ours.");
  }
  if (of.term.cycles === null)
    return cannot("The provider's term is not longer by whole cycles. Adjust the wallet instead.");
  if (of.renewalPrice === null) return cannot("The license's cycle has no price in the reseller's currency.");
  return cannotAdoptTerm(of);
}

/** Whether the license lives here, so that the provider is brought to it, not to its end. */
export function livesHere({ ours }: Pick<CaseFacts, "ours">): boolean {
  return ours?.state === "active" || ours?.state === "suspended";
}

function offerCorrection(of: CaseCircumstances): ActionRule | null {
  if (of.provider === null) return cannot("The provider is not set up.");
  const { terms, endsBySuspending } = of.provider;
  if (!livesHere(of.facts)) {
    return endsBySuspending
      ? does("Suspends the license at the provider, which cannot end one before its term.")
      : null;
  }
  const registersAgain =
    of.kind === "charged_not_provisioned" || of.operationKind === "license_terminate" || has(of, "product");
  if (terms === "asked") return null;
  if (registersAgain) {
    return cannot(
      "This provider sells whole cycles from now on, not the rest of a term. Refund it, or register it there by hand.",
    );
  }
  if (!has(of, "term")) return null;
  if (of.term.end === "later") return cannot("This provider does not revert renewals.");
  if (of.term.cycles === null)
    return cannot("This provider sells whole cycles, and the difference is not a whole number of them.");
  return does("Renews the license at the provider, which charges us its price. The reseller has paid for it already.");
}

function offerRefund(of: CaseCircumstances): ActionRule | null {
  if (of.kind === "late_success") {
    return of.operationKind === "license_terminate"
      ? null
      : cannot("The money was released when the operation was taken as rejected.");
  }
  if (of.kind !== "differs") return null;
  if (has(of, "product")) return does(actionRulesEnd);
  if (has(of, "address") && of.inBundle) return cannot("A bundle moves as a whole: correct the provider instead.");
  if (of.unprovided > 0n) return has(of, "cores") ? does(actionRulesOfCores.refundTerm) : null;
  if (has(of, "cores") && of.facts.differing.length === 1 && (of.corePrice ?? 0n) < 0n) {
    return does(actionRulesOfCores.refund);
  }
  return cannot("The provider does not provide less than what was charged.");
}

const actionRulesOfCores = {
  charge: "Copies the provider's number of cores to our license, and charges the time left as a change of cores.",
  refund: "Copies the provider's number of cores to our license, and credits the time left as a change of cores.",
  refundTerm:
    "Refunds the time that the provider does not provide, and copies its facts to our license, except the cores: they become a case of their own.",
} as const;

const actionRulesEnd =
  "Refunds everything paid for the present term, and ends the license here: the provider holds another product.";

/** Whether an action changes our cores by an operation, with a price that falls from moment to moment. */
export function settlesCores(of: CaseCircumstances, action: CaseAction): boolean {
  if (of.kind !== "differs" || !has(of, "cores")) return false;
  return action === "charge" ? of.term.end !== "later" : action === "refund" && of.unprovided === 0n;
}

/** Whether an action ends a license that is live here. */
export function endsLicense(of: CaseCircumstances, action: CaseAction): boolean {
  switch (of.kind) {
    case "charged_not_provisioned":
      return action === "adopt" || action === "refund";
    case "late_success":
      return of.operationKind === "license_terminate" && (action === "adopt" || action === "refund");
    case "differs":
      return action === "refund" && has(of, "product");
    case "unknown_at_ours":
      return action === "correct";
    case "unknown_outcome":
    case "provisioned_not_charged":
      return false;
    default:
      return of.kind satisfies never;
  }
}

/** Minor units: what an action moves in the reseller's wallet, and what it releases from a hold. */
export interface ActionMoney {
  /** Negative: charged. */
  readonly wallet: bigint;
  readonly released: bigint;
}

const positive = (amount: bigint) => (amount > 0n ? amount : 0n);

export function actionMoney(of: CaseCircumstances, action: CaseAction): ActionMoney {
  const moves = (wallet: bigint, released = 0n) => ({ wallet, released });
  switch (action) {
    case "ask_again":
    case "correct":
    case "dismiss":
      return moves(0n);
    case "charge":
      return moves(-(of.renewalPrice ?? of.corePrice ?? 0n));
    case "refund":
      if (of.kind === "unknown_outcome") return moves(0n, positive(of.price));
      if (of.kind === "differs" && !has(of, "product")) {
        return moves(settlesCores(of, action) ? -(of.corePrice ?? 0n) : positive(of.unprovided));
      }
      return moves(positive(of.paid));
    case "adopt":
      if (of.kind === "unknown_outcome") return moves(-of.price, positive(of.price));
      if (of.kind === "late_success") return moves(-of.price);
      return moves(of.kind === "provisioned_not_charged" ? -positive(of.due) : 0n);
    default:
      return action satisfies never;
  }
}
