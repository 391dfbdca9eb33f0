import type { Currency } from "./money.ts";

/** Facts that a reseller pays for. Each is compared with the provider's books. */
export const paidFacts = ["existence", "product", "address", "cores", "state", "term"] as const;
export type PaidFact = (typeof paidFacts)[number];

/** A paid fact of a license that both sides have. */
export type ComparedFact = Exclude<PaidFact, "existence">;
export const comparedFacts = paidFacts.filter((fact): fact is ComparedFact => fact !== "existence");

/** Findings of a comparison between ledger, licenses and a provider's books, with their names. */
export const caseKindNames = {
  unknown_outcome: "Outcome unknown",
  charged_not_provisioned: "Charged, not provisioned",
  provisioned_not_charged: "Provisioned, not charged",
  unknown_at_ours: "Not in License Desk",
  late_success: "Completed late",
  differs: "Differs",
} as const satisfies Record<string, string>;
export type CaseKind = keyof typeof caseKindNames;
export const caseKinds = Object.keys(caseKindNames) as readonly CaseKind[];

/** Actions of an admin on a case. Only `correct` changes the provider. */
export const caseActions = ["ask_again", "adopt", "charge", "correct", "refund", "dismiss"] as const;
export type CaseAction = (typeof caseActions)[number];

/** How a case was resolved. `agrees`: a later comparison did not find the difference again. */
export type CaseResolution = "agrees" | "settled" | "adopted" | "corrected" | "refunded" | "dismissed";

/**
 * Value of a case in minor units. `held`: an open hold. `unprovided`: paid here, missing at the provider. `unpaid`: at
 * the provider, not paid here.
 */
export interface CaseValue {
  readonly what: "held" | "unprovided" | "unpaid";
  readonly amount: string;
  readonly currency: Currency;
}

/** A side is null if it has no record. */
export interface CaseFacts {
  /** Minor units of `currency`: paid for the current term and renewals ahead, or held by an open operation. */
  readonly ledger: {
    readonly paid: string;
    readonly held: string;
    readonly price: string;
    readonly currency: string;
  } | null;
  readonly ours: {
    readonly product: string;
    readonly address: string;
    readonly cores: number | null;
    readonly state: "active" | "suspended" | "terminated" | "refused" | "unclear";
    readonly expires_at: string;
  } | null;
  readonly provider: {
    readonly product: string | null;
    readonly address: string | null;
    readonly cores: number | null;
    readonly state: string;
    /** End of the term as an instant, or else as a day in UTC. */
    readonly expires_at: string | null;
    readonly expires_on: string | null;
    /** The provider's identifier of the license. */
    readonly name: string | null;
    /** Facts that the provider's books do not report, which were not compared. */
    readonly unreported: readonly ComparedFact[];
  } | null;
  readonly differing: readonly ComparedFact[];
}

/** The effect of an action, in words for the admin, or the reason why it is not possible. */
export type ActionRule =
  | { readonly possible: true; readonly effect: string }
  | { readonly possible: false; readonly reason: string };

export const allow = (effect: string): ActionRule => ({ possible: true, effect });
export const deny = (reason: string): ActionRule => ({ possible: false, reason });

const compareAgain = deny("There is no open operation. Compare the books again instead.");
const dismissEffect =
  "Changes nothing. The case returns if the difference changes, comes back after both sides agreed, or another term is paid.";

/** Every action on every kind of case. `lib/services/reconciliation` tests each. */
export const actionRules = {
  unknown_outcome: {
    ask_again: allow(
      "Asks the provider for the outcome of the operation. A clear answer settles it; otherwise the case stays open.",
    ),
    adopt: allow("Settles the operation as succeeded: charges what is held and applies the change."),
    charge: deny("Adopting the operation charges what is held."),
    correct: deny("The outcome is unknown. Ask again, or decide it first."),
    refund: allow("Settles the operation as rejected: releases the money and changes nothing."),
    dismiss: deny("The money would stay held forever. Decide whether the provider made the change."),
  },
  charged_not_provisioned: {
    ask_again: compareAgain,
    adopt: allow("Terminates the license here. The charge stays."),
    charge: deny("The license is already charged."),
    correct: allow("Registers the license at the provider again, as it is here and for the rest of its term."),
    refund: allow("Refunds everything paid for the current term and renewals ahead and terminates the license here."),
    dismiss: allow(dismissEffect),
  },
  provisioned_not_charged: {
    ask_again: compareAgain,
    adopt: allow("Restores the license as the provider has it and charges again what was refunded."),
    charge: deny("Adopting it charges what was refunded."),
    correct: allow("Terminates the license at the provider, as it is here."),
    refund: deny("There is no money left to refund."),
    dismiss: allow(dismissEffect),
  },
  unknown_at_ours: {
    ask_again: compareAgain,
    adopt: deny("No license here matches, so there is no reseller to adopt it for."),
    charge: deny("No license here matches, so there is no reseller to charge."),
    correct: allow("Terminates the license at the provider. Anyone using it loses access."),
    refund: deny("Nobody was charged."),
    dismiss: allow(dismissEffect),
  },
  late_success: {
    ask_again: compareAgain,
    adopt: allow("Charges the operation after all and applies the change."),
    charge: deny("Adopting the operation charges its price."),
    correct: allow("Reverts the late change at the provider. Nothing changes here."),
    refund: allow("Refunds everything paid for the current term and renewals ahead and terminates the license here."),
    dismiss: allow(dismissEffect),
  },
  differs: {
    ask_again: compareAgain,
    adopt: allow("Copies the provider's facts to our license. Nothing is charged or refunded."),
    charge: allow("Copies the provider's term to our license and charges it as a renewal at the current price."),
    correct: allow("Changes the provider's license to match what is paid for here."),
    refund: allow("Refunds what the provider does not provide and copies its facts to our license."),
    dismiss: allow(dismissEffect),
  },
} as const satisfies Record<CaseKind, Record<CaseAction, ActionRule>>;

/** Settles a case of its kind without charging or ending anything that a reseller has; null: a person has to judge. */
const recommendedActions = {
  unknown_outcome: "ask_again",
  charged_not_provisioned: "correct",
  provisioned_not_charged: "correct",
  unknown_at_ours: null,
  late_success: "correct",
  differs: "correct",
} as const satisfies Record<CaseKind, CaseAction | null>;

export function isRecommended(kind: CaseKind, action: CaseAction): boolean {
  return recommendedActions[kind] === action;
}

export function actionRule(kind: CaseKind, action: CaseAction): ActionRule {
  return actionRules[kind][action];
}
