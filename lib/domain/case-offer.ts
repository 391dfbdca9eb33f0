import { type CaseContext, differsIn } from "./case-context.ts";
import { appliesToBundle, copiedFacts } from "./case-effects.ts";
import { countText } from "./count-text.ts";
import { formatBundleInstanceId } from "./ids.ts";
import { type ActionRule, actionRule, allow, type CaseAction, type CaseFacts, deny } from "./reconciliation.ts";

/** The general rule for the action, unless this case prevents it. Names the bundle that it applies to as a whole. */
export function offerAction(context: CaseContext, action: CaseAction): ActionRule {
  const rule = findOffer(context, action);
  const { bundle } = context;
  if (!rule.possible || bundle === null || !appliesToBundle(context, action)) return rule;
  const all = bundle.licenses === 1 ? "the only license" : `all ${countText(bundle.licenses, "license")}`;
  // Other facts that differ are the license's own.
  const what = copiedFacts(context, action).includes("term") ? "The term" : "This";
  return allow(`${rule.effect} ${what} applies to ${all} of ${formatBundleInstanceId(bundle.id)} (${bundle.name}).`);
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

function denyAdopt(context: CaseContext): ActionRule | null {
  if (context.kind === "late_success" && context.partsHeld < context.parts) {
    return deny(
      `The provider has ${context.partsHeld} of the bundle's ${context.parts} parts: a bundle is sold as a whole.`,
    );
  }
  if (context.kind !== "differs") return null;
  if (differsIn(context, "product")) return deny("A license never changes its product.");
  if (context.bundle !== null && differsIn(context, "address")) {
    return deny("All licenses of a bundle share one address: change the bundle's address, or correct the provider.");
  }
  return differsIn(context, "term") ? denyAdoptTerm(context) : null;
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
  if (differsIn(context, "product")) return deny("A license never changes its product.");
  if (!differsIn(context, "term") || context.term.end !== "later") {
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
    differsIn(context, "product");
  if (terms === "asked") return null;
  if (registersAgain) {
    return deny(
      "This provider sells whole cycles, not the rest of a term. Refund it, or register it at the provider manually.",
    );
  }
  if (!differsIn(context, "term")) return null;
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
  if (differsIn(context, "product")) return allow(TERMINATE_EFFECT);
  if (differsIn(context, "address") && context.bundle !== null)
    return deny("All licenses of a bundle share one address: correct the provider instead.");
  if (context.unprovided > 0n) return differsIn(context, "cores") ? allow(coreEffects.refundTerm) : null;
  if (differsIn(context, "cores") && context.facts.differing.length === 1 && (context.corePrice ?? 0n) < 0n) {
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
