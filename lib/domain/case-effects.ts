import { type CaseContext, differsIn } from "./case-context.ts";
import type { CaseAction, ComparedFact } from "./reconciliation.ts";

/** Whether an action settles the cores through an operation, whose price falls over time. */
export function settlesCores(context: CaseContext, action: CaseAction): boolean {
  if (context.kind !== "differs" || !differsIn(context, "cores")) return false;
  return action === "charge" ? context.term.end !== "later" : action === "refund" && context.unprovided === 0n;
}

/** Facts that an action copies from the provider to our license. */
export function copiedFacts(context: CaseContext, action: CaseAction): readonly ComparedFact[] {
  if (context.kind !== "differs" || differsIn(context, "product")) return [];
  const { differing } = context.facts;
  switch (action) {
    case "adopt":
      return differing;
    case "charge":
      return [settlesCores(context, action) ? "cores" : "term"];
    case "refund":
      return settlesCores(context, action) ? ["cores"] : differing.filter((fact) => fact !== "cores");
    case "ask_again":
    case "correct":
    case "dismiss":
      return [];
    default:
      return action satisfies never;
  }
}

/** Whether an action terminates a license that is live here. */
export function endsLicense(context: CaseContext, action: CaseAction): boolean {
  switch (context.kind) {
    case "charged_not_provisioned":
      return action === "adopt" || action === "refund";
    case "late_success":
      return context.operationKind === "license_terminate" && (action === "adopt" || action === "refund");
    case "differs":
      return action === "refund" && differsIn(context, "product");
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
      if (context.kind === "differs" && !differsIn(context, "product")) {
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

/** Whether an action changes all licenses of the bundle that the case's license belongs to. */
export function appliesToBundle(context: CaseContext, action: CaseAction): boolean {
  switch (context.kind) {
    case "charged_not_provisioned":
    case "provisioned_not_charged":
      return action === "adopt" || action === "refund";
    case "late_success":
      return action === "refund";
    case "differs":
      if (action === "charge") return !settlesCores(context, action);
      if (action === "adopt") return differsIn(context, "term");
      return action === "refund" && (differsIn(context, "product") || differsIn(context, "term"));
    case "unknown_outcome":
    case "unknown_at_ours":
      return false;
    default:
      return context.kind satisfies never;
  }
}
