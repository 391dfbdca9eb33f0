import { formatDay, formatTime } from "#components/ui/format-time.ts";
import { moneyText } from "#components/ui/money-text.ts";
import type {
  CaseAction,
  CaseFacts,
  CaseKind,
  CaseResolution,
  CaseValue,
  ComparedFact,
} from "#lib/domain/reconciliation.ts";
import type { ActionOffer } from "./case-action.ts";

/** What has happened, in a sentence. */
export const kindMeanings = {
  unknown_outcome: "The provider has not confirmed this. The money is still held.",
  charged_not_provisioned: "The license is live here and was paid for, but the provider does not have it.",
  provisioned_not_charged: "The license has ended here, but the provider still has it, so nobody pays for it.",
  unknown_at_ours: "The provider has a license that is not in License Desk, so nobody pays for it.",
  late_success: "The operation was taken as rejected and its money released, but the provider did it after all.",
  differs: "The license at the provider differs from what was paid for.",
} as const satisfies Record<CaseKind, string>;

const actionNames = {
  ask_again: "Ask again",
  adopt: "Adopt",
  charge: "Adopt and charge",
  correct: "Correct provider",
  refund: "Refund",
  dismiss: "Dismiss",
} as const satisfies Record<CaseAction, string>;

export function actionLabel({ action, endsAtProvider }: Pick<ActionOffer, "action" | "endsAtProvider">): string {
  return action === "correct" && endsAtProvider ? "End at provider" : actionNames[action];
}

/** What an action does to money, in minor units of `currency`; null where it moves none. */
type MoneyMove = { readonly verb: "Charge" | "Refund" | "Release"; readonly amount: bigint };

export function moneyMoveOf({ wallet, released }: Pick<ActionOffer, "wallet" | "released">): MoneyMove | null {
  if (wallet < 0n) return { verb: "Charge", amount: -wallet };
  if (wallet > 0n) return { verb: "Refund", amount: wallet };
  return released > 0n ? { verb: "Release", amount: released } : null;
}

/** The question of an action, and the button that answers it: both say what happens to the money, the button also that the license ends. */
export function askAbout(offer: ActionOffer, currency: string | null): { title: string; confirmLabel: string } {
  const move = moneyMoveOf(offer);
  const moves =
    move === null || currency === null ? actionLabel(offer) : `${move.verb} ${moneyText(move.amount, currency)}`;
  const confirmLabel = offer.endsLicense && offer.action !== "correct" ? `${moves} and terminate` : moves;
  switch (offer.action) {
    case "ask_again":
      return { title: "Ask the provider again?", confirmLabel };
    case "adopt":
      return { title: move === null ? "Adopt this?" : "Adopt this, and charge for it?", confirmLabel };
    case "charge":
      return {
        title: offer.changes.some(({ fact }) => fact === "term")
          ? "Adopt this, and charge it as a renewal?"
          : "Adopt the cores, and charge for them?",
        confirmLabel,
      };
    case "correct":
      return { title: offer.endsAtProvider ? "End it at the provider?" : "Correct the provider?", confirmLabel };
    case "refund":
      return { title: move?.verb === "Release" ? "Release the money?" : "Refund the money?", confirmLabel };
    case "dismiss":
      return { title: "Dismiss this case?", confirmLabel };
    default:
      return offer.action satisfies never;
  }
}

export const resolutionNames = {
  agrees: "Agrees again",
  settled: "Settled by asking",
  adopted: "Adopted",
  corrected: "Corrected at the provider",
  refunded: "Refunded",
  dismissed: "Dismissed",
} as const satisfies Record<CaseResolution, string>;

export const factNames = {
  product: "Product",
  address: "Address",
  cores: "Cores",
  state: "Status",
  term: "Term ends",
} as const satisfies Record<ComparedFact, string>;

const stateNames = new Map(
  Object.entries({
    active: "Active",
    suspended: "Suspended",
    terminated: "Terminated",
    refused: "Taken as rejected",
    unclear: "Outcome unknown",
  }),
);

export function stateName(state: string): string {
  return stateNames.get(state) ?? state;
}

/** Ours beside theirs: "198.51.100.4" and "198.51.100.9". */
interface Difference {
  readonly fact: ComparedFact;
  readonly ours: string;
  readonly theirs: string;
  readonly mono: boolean;
}

export function listDifferences({ ours, provider, differing }: CaseFacts): readonly Difference[] {
  if (!ours || !provider) return [];
  return differing.map((fact) => {
    const [own, theirs] = sidesOf(fact, ours, provider).map((side) => String(side ?? "None"));
    return { fact, ours: own ?? "", theirs: theirs ?? "", mono: fact === "address" || fact === "product" };
  });
}

type Sides = { readonly [Side in "ours" | "provider"]: NonNullable<CaseFacts[Side]> };

function sidesOf(fact: ComparedFact, ours: Sides["ours"], provider: Sides["provider"]): (string | number | null)[] {
  if (fact === "state") return [stateName(ours.state), stateName(provider.state)];
  if (fact !== "term") return [ours[fact], provider[fact]];
  const { expires_at, expires_on } = provider;
  if (expires_at === null) return [dayOf(ours.expires_at), expires_on && dayOf(expires_on)];
  const sameDay = dayOf(ours.expires_at) === dayOf(expires_at);
  return [ours.expires_at, expires_at].map(sameDay ? momentOf : dayOf);
}

/** `Jan 31, 2027 UTC` of `2027-01-31T00:00:00Z` or of the day alone. */
function dayOf(at: string): string {
  return `${formatDay(at)} UTC`;
}

function momentOf(at: string): string {
  return `${formatTime(new Date(at), "exact", "UTC")} UTC`;
}

const worthNames = {
  held: "held",
  unprovided: "not provided",
  unpaid: "not paid",
} as const satisfies Record<CaseValue["what"], string>;

/** "$14.50" and "not provided", and the like; null where no money is at stake, or nobody can say how much. */
export function stakeOf(value: CaseValue | null): { readonly amount: string; readonly worth: string } | null {
  if (value === null || value.amount === "0") return null;
  return { amount: moneyText(value.amount, value.currency), worth: worthNames[value.what] };
}
