import { operationNames } from "#components/license/event-text.ts";
import type { ActionOffer, CaseToAct } from "#components/reconciliation/case-action.ts";
import { actionLabel, resolutionNames, stateName } from "#components/reconciliation/case-text.ts";
import type { TimelineEntry } from "#components/reconciliation/timeline.tsx";
import { Money } from "#components/ui/money.tsx";
import { isLiveHere } from "#lib/domain/case-offer.ts";
import { isOpen } from "#lib/domain/operation.ts";
import {
  type CaseAction,
  type CaseFacts,
  type CaseResolution,
  type ComparedFact,
  caseActions,
  caseKindNames,
  isRecommended,
} from "#lib/domain/reconciliation.ts";
import type {
  AuditRow,
  CaseDetails,
  CaseEntry,
  OfferedAction,
  OperationCourse,
} from "#lib/services/reconciliation/get-case.ts";

/** Only what the browser acts on. */
export function pickSubject({ id, fingerprint, resellerName, spendable, currency }: CaseDetails): CaseToAct {
  return { caseId: id, fingerprint, reseller: resellerName, spendable, currency };
}

export function describeOffer(
  { kind, facts }: CaseDetails,
  { action, rule, money, endsLicense, copies }: OfferedAction,
): ActionOffer {
  return {
    ...money,
    action,
    possible: rule.possible,
    recommended: rule.possible && isRecommended(kind, action),
    text: rule.possible ? rule.effect : rule.reason,
    endsLicense,
    changes: listChanges(facts, copies),
    endsAtProvider: endsAtProvider(facts, action),
  };
}

function endsAtProvider(facts: CaseFacts, action: CaseAction): boolean {
  return action === "correct" && !isLiveHere(facts);
}

/** What copying these facts of the provider changes in our license. */
function listChanges({ ours, provider }: CaseFacts, copies: readonly ComparedFact[]): ActionOffer["changes"] {
  if (!ours || !provider) return [];
  const endOf = { ...provider, expires_at: provider.expires_at ?? provider.expires_on };
  return copies.map((fact) => ({ fact, from: textOf(fact, ours), to: textOf(fact, endOf) }));
}

interface Facts extends Readonly<Partial<Record<Exclude<ComparedFact, "term">, string | number | null>>> {
  readonly expires_at: string | null;
}

function textOf(fact: ComparedFact, facts: Facts): string {
  if (fact === "state") return stateName(String(facts.state));
  return String((fact === "term" ? facts.expires_at : facts[fact]) ?? "None");
}

/** The operation from its hold to its end, oldest first. */
export function listCourse(course: OperationCourse): TimelineEntry[] {
  const { price, currency, state } = course;
  const money = price === 0n ? null : <Money currency={currency} minor={price} />;
  return [
    {
      id: "held",
      title: price > 0n ? "Money held" : "Started",
      at: course.createdAt,
      by: course.actorName ?? course.actor,
      trailing: money,
    },
    ...(course.sentAt ? [{ id: "sent", title: "Sent to the provider", at: course.sentAt }] : []),
    isOpen(state)
      ? {
          id: "open",
          title: "Outcome unknown",
          detail: course.failureMessage ?? `Tried ${course.attempt === 1 ? "once" : `${course.attempt} times`}.`,
          at: null,
          tone: "accent" as const,
        }
      : {
          id: "ended",
          title: state === "succeeded" ? "Succeeded" : "Rejected",
          detail: course.failureMessage,
          at: course.settledAt ?? course.createdAt,
          by: course.reconciledAt ? "found by reconciliation" : "",
          tone: state === "succeeded" ? ("neutral" as const) : ("critical" as const),
        },
  ];
}

export function courseTitle({ kind }: OperationCourse): string {
  return operationNames[kind];
}

const entryNames: Readonly<Record<string, string>> = { charge: "Charge", credit: "Credit", refund: "Refund" };

export function toTimelineEntry({ id, kind, amount, currency, note, createdAt }: CaseEntry): TimelineEntry {
  return {
    id: String(id),
    title: entryNames[kind] ?? kind,
    detail: note,
    at: createdAt,
    trailing: <Money currency={currency} minor={amount} signed />,
  };
}

/** What was done to the case, newest first, down to its first sight. */
export function listHistory(details: CaseDetails, history: readonly AuditRow[]): TimelineEntry[] {
  const seen: TimelineEntry = {
    id: "seen",
    title: `First seen: ${caseKindNames[details.kind]}`,
    at: details.firstSeenAt,
    by: "comparison",
  };
  const gone: TimelineEntry = {
    id: "agrees",
    title: resolutionNames.agrees,
    detail: "The difference is gone.",
    at: details.resolvedAt,
    by: "comparison",
  };
  return [
    ...(details.resolution === "agrees" ? [gone] : []),
    ...history.map((row) => describeAudit(details, row)),
    seen,
  ];
}

/** Outcomes of an action that left its case open; any other is unknown. */
const openOutcomes: ReadonlyMap<unknown, string> = new Map([
  ["partly", "done in part"],
  ["rejected", "rejected by the provider"],
  ["not_sent", "not sent, the provider could not be reached"],
]);

function describeAudit(
  { facts }: CaseDetails,
  { id, action, reason, data, actor, actorName, at }: AuditRow,
): TimelineEntry {
  const verb = caseActions.find((name) => action === `reconciliation.${name}`);
  const resolution = data.resolution as CaseResolution | undefined;
  const outcome = openOutcomes.get(data.state) ?? "still unclear";
  const tried = verb && `${actionLabel({ action: verb, endsAtProvider: endsAtProvider(facts, verb) })}: ${outcome}`;
  const title = resolution ? resolutionNames[resolution] : (tried ?? action);
  return { id: String(id), title, detail: reason, at: at, by: actorName ?? actor };
}
