import { moneyText } from "#components/ui/money-text.ts";
import type { CaseAction, CaseFacts, CaseKind, CaseResolution, DifferingFact } from "#lib/domain/reconciliation.ts";
import type { ActionOffer } from "./case-action.ts";

export const kindNames = {
  unknown_outcome: "Outcome unknown",
  charged_not_provisioned: "Charged, not provisioned",
  provisioned_not_charged: "Provisioned, not charged",
  late_success: "Done after all",
  differs: "Differs",
} as const satisfies Record<CaseKind, string>;

/** What has happened, in a sentence. */
export const kindMeanings = {
  unknown_outcome: "For too long the provider has not said whether it carried this out. The money is still held.",
  charged_not_provisioned: "The license is live here and was paid for, but the provider does not hold it.",
  provisioned_not_charged: "The provider holds a license that is not live here, so nobody pays for it.",
  late_success: "The operation was taken as refused and its money released, but the provider did it after all.",
  differs: "The provider holds different facts about the license.",
} as const satisfies Record<CaseKind, string>;

export const actionNames = {
  ask_again: "Ask again",
  adopt: "Adopt",
  refund: "Refund",
  dismiss: "Dismiss",
} as const satisfies Record<CaseAction, string>;

/** What an action does to money, in minor units of `currency`; null where it moves none. */
type MoneyMove = { readonly verb: "Charge" | "Refund" | "Release"; readonly amount: bigint };

export function moneyMoveOf({ wallet, released }: Pick<ActionOffer, "wallet" | "released">): MoneyMove | null {
  const moved = BigInt(wallet);
  if (moved < 0n) return { verb: "Charge", amount: -moved };
  if (moved > 0n) return { verb: "Refund", amount: moved };
  return BigInt(released) > 0n ? { verb: "Release", amount: BigInt(released) } : null;
}

/** The question of an action, and the button that answers it: both say what happens to the money. */
export function askAbout(offer: ActionOffer, currency: string | null): { title: string; confirmLabel: string } {
  const move = moneyMoveOf(offer);
  const confirmLabel =
    move === null || currency === null ? actionNames[offer.action] : `${move.verb} ${moneyText(move.amount, currency)}`;
  switch (offer.action) {
    case "ask_again":
      return { title: "Ask the provider again?", confirmLabel };
    case "adopt":
      return { title: move === null ? "Adopt this?" : "Adopt this, and charge for it?", confirmLabel };
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
  refunded: "Refunded",
  dismissed: "Dismissed",
} as const satisfies Record<CaseResolution, string>;

export const factNames = { address: "Address", cores: "Cores", state: "Status" } as const satisfies Record<
  DifferingFact,
  string
>;

const stateNames: Readonly<Record<string, string>> = {
  active: "Active",
  suspended: "Suspended",
  terminated: "Terminated",
  refused: "Taken as refused",
  unclear: "Not known yet",
};

export function stateName(state: string): string {
  return stateNames[state] ?? state;
}

/** The difference in a line, ours before theirs: "198.51.100.4 → 198.51.100.9, active → suspended". */
export function differenceText({ ours, provider, differing }: CaseFacts): string {
  if (!ours || !provider) return ours?.address ?? provider?.address ?? "";
  if (differing.length === 0) return provider.address ?? ours.address;
  return differing.map((fact) => `${ours[fact] ?? "none"} → ${provider[fact] ?? "none"}`).join(", ");
}

/** The money that the case is about: held, paid or not paid; null where there is none. */
export function stakeText(kind: CaseKind, ledger: CaseFacts["ledger"]): string | null {
  if (!ledger) return null;
  switch (kind) {
    case "unknown_outcome":
      return `${moneyText(ledger.held, ledger.currency)} held`;
    case "charged_not_provisioned":
    case "provisioned_not_charged":
      return `${moneyText(ledger.paid, ledger.currency)} paid`;
    case "late_success":
      return `${moneyText(ledger.price, ledger.currency)} not paid`;
    case "differs":
      return null;
    default:
      return kind satisfies never;
  }
}
