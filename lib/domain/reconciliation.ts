/** What an hourly comparison of ledger, licenses and a provider's books can find, and what an admin can do about it. */
export const caseKinds = [
  "unknown_outcome",
  "charged_not_provisioned",
  "provisioned_not_charged",
  "late_success",
  "differs",
] as const;
export type CaseKind = (typeof caseKinds)[number];

export const caseActions = ["ask_again", "adopt", "refund", "dismiss"] as const;
export type CaseAction = (typeof caseActions)[number];

/** How a case ended. `agrees`: the difference was gone when it was looked for again. */
export type CaseResolution = "agrees" | "settled" | "adopted" | "refunded" | "dismissed";

/** What differs between our license and the provider's. */
export type DifferingFact = "address" | "cores" | "state";

/** One side of a case; null where the side has nothing to say of it. */
export interface CaseFacts {
  /** Minor units of `currency`: what the reseller has paid for the present term, or what an open operation holds. */
  readonly ledger: {
    readonly paid: string;
    readonly held: string;
    readonly price: string;
    readonly currency: string;
  } | null;
  readonly ours: {
    readonly address: string;
    readonly cores: number | null;
    readonly state: "active" | "suspended" | "terminated" | "refused" | "unclear";
    readonly expires_at: string;
  } | null;
  readonly provider: {
    readonly address: string | null;
    readonly cores: number | null;
    readonly state: string;
    /** The provider's own name of the license. */
    readonly name: string | null;
    readonly product: string;
  } | null;
  readonly differing: readonly DifferingFact[];
}

/** `possible`: what it does, in words for the admin; otherwise why it makes no sense for this kind. */
export type ActionRule =
  | { readonly possible: true; readonly effect: string }
  | { readonly possible: false; readonly because: string };

const does = (effect: string): ActionRule => ({ possible: true, effect });
const cannot = (because: string): ActionRule => ({ possible: false, because });

const comparedAgain = cannot("There is no open operation to ask about. Compare the books again instead.");

/** Every action on every kind of case. Each has its tests in `lib/services/reconciliation`. */
export const actionRules = {
  unknown_outcome: {
    ask_again: does(
      "Asks the provider now what became of the operation. A clear answer settles it; otherwise the case stays.",
    ),
    adopt: does("Takes the operation as done: charges what is held, and applies what was asked for."),
    refund: does("Takes the operation as refused: releases the money, and nothing changes."),
    dismiss: cannot("The money would stay held forever. Decide whether the provider did it."),
  },
  charged_not_provisioned: {
    ask_again: comparedAgain,
    adopt: does("Ends the license here, too, and its whole bundle if it has one. The charge stands."),
    refund: does(
      "Refunds everything that was paid for the present term, and ends the license, with its whole bundle if it has one.",
    ),
    dismiss: does("Leaves all as it is. The case comes back only when the facts have changed."),
  },
  provisioned_not_charged: {
    ask_again: comparedAgain,
    adopt: does("Brings the license back as the provider holds it, and charges again what had been refunded."),
    refund: cannot("There is no money left to refund."),
    dismiss: does(
      "Leaves all as it is: the provider's record is garbage, or was ended there by hand. The case comes back only when the facts have changed.",
    ),
  },
  late_success: {
    ask_again: comparedAgain,
    adopt: does("Charges the operation after all, and applies what was asked for."),
    refund: cannot("The money was released when the operation was taken as refused."),
    dismiss: does(
      "Leaves all as it is: what the provider did was undone there by hand. The case comes back only when the facts have changed.",
    ),
  },
  differs: {
    ask_again: comparedAgain,
    adopt: does("Takes the provider's facts over into our license, free of charge."),
    refund: cannot("A difference of address, cores or state was not paid for by itself."),
    dismiss: does("Leaves all as it is. The case comes back only when the facts have changed."),
  },
} as const satisfies Record<CaseKind, Record<CaseAction, ActionRule>>;

export function actionRule(kind: CaseKind, action: CaseAction): ActionRule {
  return actionRules[kind][action];
}

/** Whether an action ends a license that is live here. */
export function endsLicense(kind: CaseKind, action: CaseAction): boolean {
  return kind === "charged_not_provisioned" && (action === "adopt" || action === "refund");
}

/** What of a case decides whether an action is possible. */
export interface CaseCircumstances {
  readonly kind: CaseKind;
  readonly resolved: boolean;
  readonly licenseId: number | null;
  readonly inBundle: boolean;
  readonly differing: readonly DifferingFact[];
  /** Parts of the operation that the provider holds, of how many. */
  readonly partsHeld: number;
  readonly parts: number;
}

/** The rule of the table, unless something about this very case stands against it. */
export function offerAction(of: CaseCircumstances, action: CaseAction): ActionRule {
  if (of.resolved) return cannot("The case is closed.");
  const rule = actionRule(of.kind, action);
  if (!rule.possible || action !== "adopt") return rule;
  if (of.kind === "provisioned_not_charged" && of.licenseId === null) {
    return cannot("Nothing of ours has this name, so there is nobody to charge.");
  }
  if (of.kind === "late_success" && of.partsHeld < of.parts) {
    return cannot(`The provider holds ${of.partsHeld} of the bundle's ${of.parts} parts: it is sold as a whole.`);
  }
  if (of.kind === "differs" && of.inBundle && of.differing.includes("address")) {
    return cannot("A bundle moves as a whole: change the bundle's address, or the provider's.");
  }
  return rule;
}

/** Minor units: what an action moves in the reseller's wallet, and what it lets go of a hold. */
export interface ActionMoney {
  /** Negative: charged. */
  readonly wallet: bigint;
  readonly released: bigint;
}

/** `paid`, `due`: of the present term, what the reseller has paid and what was given back; `price`: the operation's. */
export function actionMoney(
  kind: CaseKind,
  action: CaseAction,
  { paid, due, price }: { readonly paid: bigint; readonly due: bigint; readonly price: bigint },
): ActionMoney {
  const held = price > 0n ? price : 0n;
  switch (action) {
    case "ask_again":
    case "dismiss":
      return { wallet: 0n, released: 0n };
    case "refund":
      if (kind === "unknown_outcome") return { wallet: 0n, released: held };
      return { wallet: kind === "charged_not_provisioned" && paid > 0n ? paid : 0n, released: 0n };
    case "adopt":
      if (kind === "unknown_outcome") return { wallet: -price, released: held };
      if (kind === "late_success") return { wallet: -price, released: 0n };
      return { wallet: kind === "provisioned_not_charged" && due > 0n ? -due : 0n, released: 0n };
    default:
      return action satisfies never;
  }
}
