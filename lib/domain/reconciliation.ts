import type { Currency } from "./money.ts";

/** The facts that a reseller pays for. Each is compared with the provider's books. */
export const paidFacts = ["existence", "product", "address", "cores", "state", "term"] as const;
export type PaidFact = (typeof paidFacts)[number];

/** A paid fact of a license that both sides hold. */
export type ComparedFact = Exclude<PaidFact, "existence">;
export const comparedFacts = paidFacts.filter((fact): fact is ComparedFact => fact !== "existence");

/** What a comparison of ledger, licenses and a provider's books can find. */
export const caseKinds = [
  "unknown_outcome",
  "charged_not_provisioned",
  "provisioned_not_charged",
  "unknown_at_ours",
  "late_success",
  "differs",
] as const;
export type CaseKind = (typeof caseKinds)[number];

/** What an admin can do about a case. `correct` changes the provider, all others change only what is here. */
export const caseActions = ["ask_again", "adopt", "charge", "correct", "refund", "dismiss"] as const;
export type CaseAction = (typeof caseActions)[number];

/** How a case ended. `agrees`: a later comparison no longer found the difference. */
export type CaseResolution = "agrees" | "settled" | "adopted" | "corrected" | "refunded" | "dismissed";

/**
 * What a case is worth, in minor units. `held`: the open operation's hold. `unprovided`: paid here and missing at the
 * provider. `unpaid`: held by the provider and not paid here.
 */
export interface CaseValue {
  readonly what: "held" | "unprovided" | "unpaid";
  readonly amount: string;
  readonly currency: Currency;
}

/** One side of a case is null where that side has no record. */
export interface CaseFacts {
  /** Minor units of `currency`: what the reseller has paid for the present term, or what an open operation holds. */
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
    /** The end of the term: the instant, else the day in UTC. */
    readonly expires_at: string | null;
    readonly expires_on: string | null;
    /** The provider's own name of the license. */
    readonly name: string | null;
    /** What its books do not report about this license, so nothing was compared. */
    readonly untold: readonly ComparedFact[];
  } | null;
  readonly differing: readonly ComparedFact[];
}

/** `possible`: what it does, in words for the admin; otherwise why it makes no sense for this kind. */
export type ActionRule =
  | { readonly possible: true; readonly effect: string }
  | { readonly possible: false; readonly because: string };

export const does = (effect: string): ActionRule => ({ possible: true, effect });
export const cannot = (because: string): ActionRule => ({ possible: false, because });

const comparedAgain = cannot("There is no open operation to ask about. Compare the books again instead.");
const dismissed = "Changes nothing. The case returns only when the facts change.";

/** Every action on every kind of case. Each has its tests in `lib/services/reconciliation`. */
export const actionRules = {
  unknown_outcome: {
    ask_again: does(
      "Asks the provider now what became of the operation. A clear answer settles it; otherwise the case stays.",
    ),
    adopt: does("Takes the operation as done: charges what is held, and applies what was asked for."),
    charge: cannot("Adopting the operation charges what is held."),
    correct: cannot("The outcome is not known. Ask again, or decide it, first."),
    refund: does("Takes the operation as rejected: releases the money, and nothing changes."),
    dismiss: cannot("The money would stay held forever. Decide whether the provider did it."),
  },
  charged_not_provisioned: {
    ask_again: comparedAgain,
    adopt: does("Ends the license here, too, and its whole bundle if it has one. The charge stands."),
    charge: cannot("The license is charged already."),
    correct: does("Registers the license at the provider again, as it is here and for the rest of its term."),
    refund: does("Refunds everything paid for the present term, and ends the license, with its whole bundle if any."),
    dismiss: does(dismissed),
  },
  provisioned_not_charged: {
    ask_again: comparedAgain,
    adopt: does("Restores the license as the provider holds it, and charges again what was refunded."),
    charge: cannot("Adopting it charges what was refunded."),
    correct: does("Ends the license at the provider, as it has ended here."),
    refund: cannot("There is no money left to refund."),
    dismiss: does(dismissed),
  },
  unknown_at_ours: {
    ask_again: comparedAgain,
    adopt: cannot("Nothing of ours has this name, so there is no reseller to adopt it for."),
    charge: cannot("Nothing of ours has this name, so there is no reseller to charge."),
    correct: does("Ends the license at the provider. Whoever uses it loses it."),
    refund: cannot("Nobody was charged."),
    dismiss: does(dismissed),
  },
  late_success: {
    ask_again: comparedAgain,
    adopt: does("Charges the operation after all, and applies what was asked for."),
    charge: cannot("Adopting the operation charges its price."),
    correct: does("Reverts at the provider what it did too late. Nothing changes here."),
    refund: does("Refunds everything paid for the present term, and ends the license here, too."),
    dismiss: does(dismissed),
  },
  differs: {
    ask_again: comparedAgain,
    adopt: does("Copies the provider's facts to our license. Free of charge, and what was charged stays charged."),
    charge: does("Copies the provider's term to our license, and charges it as a renewal at today's price."),
    correct: does("Changes the provider's license to what is paid for here."),
    refund: does("Refunds what the provider does not provide, and copies its facts to our license."),
    dismiss: does(dismissed),
  },
} as const satisfies Record<CaseKind, Record<CaseAction, ActionRule>>;

export function actionRule(kind: CaseKind, action: CaseAction): ActionRule {
  return actionRules[kind][action];
}
