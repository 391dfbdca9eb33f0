import type { Side, SideFact } from "#components/reconciliation/case-sides.tsx";
import { factNames, stakeOf, stateName } from "#components/reconciliation/case-text.ts";
import { formatDay } from "#components/ui/format-time.ts";
import { Money } from "#components/ui/money.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import type { CaseFacts, CaseKind, ComparedFact } from "#lib/domain/reconciliation.ts";
import type { CaseDetails } from "#lib/services/reconciliation/get-case.ts";

/** Ledger, License Desk, provider: as they were when they were compared. */
export function listSides({ kind, facts, value, provider, reference }: CaseDetails): readonly Side[] {
  const stake = stakeOf(value);
  return [
    {
      title: "Ledger",
      facts: [
        ...ledgerFacts(kind, facts.ledger),
        ...(stake === null ? [] : [{ term: "At stake", value: `${stake.amount} ${stake.worth}` }]),
      ],
    },
    { title: "License Desk", facts: ourFacts(kind, facts) },
    { title: `Provider ${provider}`, facts: providerFacts(kind, facts, reference) },
  ];
}

function ledgerFacts(kind: CaseKind, ledger: CaseFacts["ledger"]): SideFact[] {
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
      return [{ term: "Paid for this term and ahead", value: money(ledger.paid), differs: true }];
    case "provisioned_not_charged":
    case "unknown_at_ours":
    case "differs":
      return [{ term: "Paid for this term and ahead", value: money(ledger.paid) }];
    default:
      return kind satisfies never;
  }
}

function ourFacts(kind: CaseKind, { ours, differing }: CaseFacts): SideFact[] {
  if (!ours) return [{ term: "License", value: "None with this key", differs: true }];
  const line = (fact: ComparedFact, value: SideFact["value"], mono = false): SideFact => {
    return { term: factNames[fact], value, mono, differs: factDiffers(kind, differing, fact) };
  };
  return [
    line("state", stateName(ours.state)),
    line("address", ours.address, true),
    ...(ours.cores === null ? [] : [line("cores", ours.cores)]),
    line("term", <Timestamp format={timeFormat(differing)} value={ours.expires_at} />),
    line("product", ours.product, true),
  ];
}

function providerFacts(kind: CaseKind, { ours, provider, differing }: CaseFacts, reference: string): SideFact[] {
  if (!provider) {
    const value = kind === "unknown_outcome" ? "No clear answer" : "Does not have it";
    return [{ term: factNames.state, value, differs: true }];
  }
  const line = (fact: ComparedFact, value: SideFact["value"], mono = false): SideFact => {
    if (provider.unreported.includes(fact)) return { term: factNames[fact], value: "Not reported by this provider" };
    return { term: factNames[fact], value, mono, differs: factDiffers(kind, differing, fact) };
  };
  const { expires_at, expires_on } = provider;
  return [
    line("state", stateName(provider.state)),
    line("address", provider.address, true),
    ...(provider.cores === null && (ours?.cores ?? null) === null ? [] : [line("cores", provider.cores ?? "None")]),
    line(
      "term",
      expires_at === null ? (
        expires_on && `${formatDay(expires_on)} UTC`
      ) : (
        <Timestamp format={timeFormat(differing)} value={expires_at} />
      ),
    ),
    line("product", provider.product, true),
    ...(provider.name === null || provider.name === reference
      ? []
      : [{ term: "Name there", value: provider.name, mono: true }]),
  ];
}

/** Ends of one day differ in their time. */
function timeFormat(differing: readonly ComparedFact[]): "date" | undefined {
  return differing.includes("term") ? undefined : "date";
}

/** What is there on one side alone differs in its state; otherwise as the comparison found. */
function factDiffers(kind: CaseKind, differing: readonly ComparedFact[], fact: ComparedFact): boolean {
  if (kind === "differs" || differing.length > 0) return differing.includes(fact);
  return fact === "state";
}
