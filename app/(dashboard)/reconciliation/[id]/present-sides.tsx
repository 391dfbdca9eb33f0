import type { Side, SideFact } from "#components/reconciliation/case-sides.tsx";
import { stateName } from "#components/reconciliation/case-text.ts";
import { Money } from "#components/ui/money.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import type { CaseKind, DifferingFact } from "#lib/domain/reconciliation.ts";
import type { CaseDetails } from "#lib/services/reconciliation/get-case.ts";

/** Ledger, License Desk, provider: as they were when they were compared. */
export function presentSides({ kind, facts, provider }: CaseDetails): readonly Side[] {
  return [
    { title: "Ledger", facts: ledgerFacts(kind, facts.ledger) },
    { title: "License Desk", facts: ourFacts(kind, facts) },
    { title: `Provider ${provider}`, facts: providerFacts(kind, facts) },
  ];
}

function ledgerFacts(kind: CaseKind, ledger: CaseDetails["facts"]["ledger"]): SideFact[] {
  if (!ledger) return [{ term: "Charges", value: "Nobody was charged", differs: true }];
  const money = (minor: string) => <Money currency={ledger.currency} minor={minor} />;
  switch (kind) {
    case "unknown_outcome":
      return [
        { term: "Held", value: money(ledger.held) },
        { term: "Price", value: money(ledger.price) },
      ];
    case "late_success":
      return [
        { term: "Paid", value: money(ledger.paid), differs: ledger.price !== "0" },
        { term: "Price", value: money(ledger.price) },
      ];
    case "charged_not_provisioned":
      return [{ term: "Paid for this term", value: money(ledger.paid), differs: true }];
    case "provisioned_not_charged":
    case "differs":
      return [{ term: "Paid for this term", value: money(ledger.paid) }];
    default:
      return kind satisfies never;
  }
}

function ourFacts(kind: CaseKind, { ours, differing }: CaseDetails["facts"]): SideFact[] {
  if (!ours) return [{ term: "License", value: "None of this name", differs: true }];
  return [
    { term: "Status", value: stateName(ours.state), differs: stateDiffers(kind, differing) },
    { term: "Address", value: ours.address, mono: true, differs: differing.includes("address") },
    ...(ours.cores === null ? [] : [{ term: "Cores", value: ours.cores, differs: differing.includes("cores") }]),
    { term: "Term ends", value: <Timestamp format="date" value={new Date(ours.expires_at).toISOString()} /> },
  ];
}

function providerFacts(kind: CaseKind, { provider, differing }: CaseDetails["facts"]): SideFact[] {
  if (!provider) {
    const value = kind === "unknown_outcome" ? "No clear answer" : "Does not hold it";
    return [{ term: "Status", value, differs: true }];
  }
  return [
    { term: "Status", value: stateName(provider.state), differs: stateDiffers(kind, differing) },
    { term: "Address", value: provider.address ?? "Not told", mono: true, differs: differing.includes("address") },
    ...(provider.cores === null
      ? []
      : [{ term: "Cores", value: provider.cores, differs: differing.includes("cores") }]),
    { term: "Product there", value: provider.product, mono: true },
    ...(provider.name === null ? [] : [{ term: "Name there", value: provider.name, mono: true }]),
  ];
}

/** What is there on one side alone differs in its state; otherwise as the comparison found. */
function stateDiffers(kind: CaseKind, differing: readonly DifferingFact[]): boolean {
  return kind === "differs" || differing.length > 0 ? differing.includes("state") : true;
}
