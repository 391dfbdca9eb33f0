import { countText } from "./count-text.ts";
import { type BundleInstanceId, formatBundleInstanceId } from "./ids.ts";
import type { OperationKind } from "./operation.ts";
import type { ProviderTraits } from "./provider-traits.ts";
import {
  type ActionRule,
  actionRule,
  allow,
  type CaseAction,
  type CaseFacts,
  type CaseKind,
  deny,
} from "./reconciliation.ts";

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

export interface CaseBundle {
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

/** The general rule for the action, unless this case prevents it. Names the bundle that it applies to as a whole. */
export function offerAction(context: CaseContext, action: CaseAction): ActionRule {
  const rule = findOffer(context, action);
  const { bundle } = context;
  if (!rule.possible || bundle === null || !appliesToBundle(context, action)) return rule;
  const all = bundle.licenses === 1 ? "the only license" : `all ${countText(bundle.licenses, "license")}`;
  return allow(`${rule.effect} This applies to ${all} of ${formatBundleInstanceId(bundle.id)} (${bundle.name}).`);
}

/** Whether an action changes all licenses of the bundle that the case's license belongs to. */
function appliesToBundle(context: CaseContext, action: CaseAction): boolean {
  switch (context.kind) {
    case "charged_not_provisioned":
    case "provisioned_not_charged":
      return action === "adopt" || action === "refund";
    case "late_success":
      return action === "refund";
    case "differs":
      if (action === "charge") return !settlesCores(context, action);
      if (action === "adopt") return has(context, "term");
      return action === "refund" && (has(context, "product") || has(context, "term"));
    case "unknown_outcome":
    case "unknown_at_ours":
      return false;
    default:
      return context.kind satisfies never;
  }
}

function findOffer(context: CaseContext, action: CaseAction): ActionRule {
  if (context.resolved) return deny("The case is closed.");
  const rule = actionRule(context.kind, action);
  if (!rule.possible) return rule;
  switch (action) {
    case "adopt":
      return denyAdopt(context) ?? rule;
    case "charge":
      return offerCharge(context) ?? rule;
    case "correct":
      return offerCorrection(context) ?? rule;
    case "refund":
      return offerRefund(context) ?? rule;
    case "ask_again":
    case "dismiss":
      return rule;
    default:
      return action satisfies never;
  }
}

const has = ({ facts }: CaseContext, fact: CaseFacts["differing"][number]) => facts.differing.includes(fact);

function denyAdopt(context: CaseContext): ActionRule | null {
  if (context.kind === "late_success" && context.partsHeld < context.parts) {
    return deny(
      `The provider has ${context.partsHeld} of the bundle's ${context.parts} parts: a bundle is sold as a whole.`,
    );
  }
  if (context.kind !== "differs") return null;
  if (has(context, "product")) return deny("A license never changes its product.");
  if (context.bundle !== null && has(context, "address")) {
    return deny("All licenses of a bundle share one address: change the bundle's address, or correct the provider.");
  }
  return has(context, "term") ? denyAdoptTerm(context) : null;
}

/** An earlier end is adopted for the whole bundle; a later one only if all members have it. */
function denyAdoptTerm({ term: { end, membersAlike, members } }: CaseContext): ActionRule | null {
  if (end === "earlier" || membersAlike === members) return null;
  return deny(
    `The provider renewed ${membersAlike} of the bundle's ${members} members: a bundle is renewed as a whole.`,
  );
}

/** A longer term is charged first; additional cores then become a case of their own. */
function offerCharge(context: CaseContext): ActionRule | null {
  if (has(context, "product")) return deny("A license never changes its product.");
  if (!has(context, "term") || context.term.end !== "later") {
    if ((context.corePrice ?? 0n) > 0n) return allow(coreEffects.charge);
    return deny("The provider has neither a longer term nor more cores than our license.");
  }
  if (context.term.cycles === null) return deny("The terms do not differ by whole cycles. Adjust the wallet instead.");
  if (context.renewalPrice === null) return deny("The license's cycle has no price in the reseller's currency.");
  return denyAdoptTerm(context);
}

/** Whether the license is live here, so the provider is corrected to match instead of terminating it. */
export function isLiveHere({ ours }: Pick<CaseFacts, "ours">): boolean {
  return ours?.state === "active" || ours?.state === "suspended";
}

function offerCorrection(context: CaseContext): ActionRule | null {
  if (context.provider === null) return deny("The provider is not configured.");
  const { terms, endsBySuspending } = context.provider;
  if (!isLiveHere(context.facts)) {
    return endsBySuspending
      ? allow("Terminates the license at the provider, or suspends it if the provider does not terminate it.")
      : null;
  }
  const registersAgain =
    context.kind === "charged_not_provisioned" ||
    context.operationKind === "license_terminate" ||
    has(context, "product");
  if (terms === "asked") return null;
  if (registersAgain) {
    return deny(
      "This provider sells whole cycles, not the rest of a term. Refund it, or register it at the provider manually.",
    );
  }
  if (!has(context, "term")) return null;
  if (context.term.end === "later") return deny("This provider does not revert renewals.");
  if (context.term.cycles === null)
    return deny("This provider sells whole cycles, and the terms do not differ by a whole number of them.");
  return allow("Renews the license at the provider, which charges us its price. The reseller has already paid for it.");
}

function offerRefund(context: CaseContext): ActionRule | null {
  if (context.kind === "late_success") {
    return context.operationKind === "license_terminate"
      ? null
      : deny("The money was released when the operation was taken as rejected.");
  }
  if (context.kind !== "differs") return null;
  if (has(context, "product")) return allow(TERMINATE_EFFECT);
  if (has(context, "address") && context.bundle !== null)
    return deny("All licenses of a bundle share one address: correct the provider instead.");
  if (context.unprovided > 0n) return has(context, "cores") ? allow(coreEffects.refundTerm) : null;
  if (has(context, "cores") && context.facts.differing.length === 1 && (context.corePrice ?? 0n) < 0n) {
    return allow(coreEffects.refund);
  }
  return deny("The provider does not provide less than what was charged.");
}

const coreEffects = {
  charge: "Copies the provider's number of cores to our license and charges the remaining time as a change of cores.",
  refund: "Copies the provider's number of cores to our license and credits the remaining time as a change of cores.",
  refundTerm:
    "Refunds the time that the provider does not provide and copies its facts to our license, except the cores: they become a separate case.",
} as const;

const TERMINATE_EFFECT =
  "Refunds everything paid for the current term and renewals ahead, and terminates the license here, because the provider has another product.";

/** Whether an action settles the cores through an operation, whose price falls over time. */
export function settlesCores(context: CaseContext, action: CaseAction): boolean {
  if (context.kind !== "differs" || !has(context, "cores")) return false;
  return action === "charge" ? context.term.end !== "later" : action === "refund" && context.unprovided === 0n;
}

/** Whether an action terminates a license that is live here. */
export function endsLicense(context: CaseContext, action: CaseAction): boolean {
  switch (context.kind) {
    case "charged_not_provisioned":
      return action === "adopt" || action === "refund";
    case "late_success":
      return context.operationKind === "license_terminate" && (action === "adopt" || action === "refund");
    case "differs":
      return action === "refund" && has(context, "product");
    case "unknown_at_ours":
      return action === "correct";
    case "unknown_outcome":
    case "provisioned_not_charged":
      return false;
    default:
      return context.kind satisfies never;
  }
}

/** What an action moves in the reseller's wallet and releases from a hold, in minor units. */
export interface ActionMoney {
  /** Negative: charged. */
  readonly wallet: bigint;
  readonly released: bigint;
}

const positive = (amount: bigint) => (amount > 0n ? amount : 0n);

export function actionMoney(context: CaseContext, action: CaseAction): ActionMoney {
  const moves = (wallet: bigint, released = 0n) => ({ wallet, released });
  switch (action) {
    case "ask_again":
    case "correct":
    case "dismiss":
      return moves(0n);
    case "charge":
      return moves(-(context.renewalPrice ?? context.corePrice ?? 0n));
    case "refund":
      if (context.kind === "unknown_outcome") return moves(0n, positive(context.price));
      if (context.kind === "differs" && !has(context, "product")) {
        return moves(settlesCores(context, action) ? -(context.corePrice ?? 0n) : positive(context.unprovided));
      }
      return moves(positive(context.paid));
    case "adopt":
      if (context.kind === "unknown_outcome") return moves(-context.price, positive(context.price));
      if (context.kind === "late_success") return moves(-context.price);
      return moves(context.kind === "provisioned_not_charged" ? -positive(context.due) : 0n);
    default:
      return action satisfies never;
  }
}
