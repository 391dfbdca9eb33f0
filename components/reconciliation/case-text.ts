import { moneyText } from "#components/ui/money-text.ts";
import type { CaseAction, CaseFacts, CaseKind, CaseResolution, DifferingFact } from "#lib/domain/reconciliation.ts";

export const kindNames = {
  unknown_outcome: "Outcome unknown",
  charged_not_provisioned: "Charged, not provisioned",
  provisioned_not_charged: "Provisioned, not charged",
  late_success: "Done after all",
  differs: "Differs",
} as const satisfies Record<CaseKind, string>;

/** What has happened, in a sentence. */
export const kindMeanings = {
  unknown_outcome: "The provider has not told for too long whether it carried this out. The money is still held.",
  charged_not_provisioned: "The license is live here and was paid for, but the provider does not hold it.",
  provisioned_not_charged: "The provider holds a license that is not live here, so nobody pays for it.",
  late_success: "The operation was taken as refused and its money released, but the provider did it after all.",
  differs: "The provider holds the license otherwise than it stands here.",
} as const satisfies Record<CaseKind, string>;

export const actionNames = {
  ask_again: "Ask again",
  adopt: "Adopt",
  refund: "Refund",
  dismiss: "Dismiss",
} as const satisfies Record<CaseAction, string>;

export const actionQuestions = {
  ask_again: "Ask the provider again?",
  adopt: "Take it as the provider has it?",
  refund: "Give the money back?",
  dismiss: "Dismiss this case?",
} as const satisfies Record<CaseAction, string>;

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
