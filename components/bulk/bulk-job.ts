import {
  type BulkCounts,
  type BulkItemState,
  type BulkJobState,
  type BulkKind,
  bulkKindTitles,
} from "#lib/domain/bulk.ts";
import { countText, numberText } from "#lib/domain/count-text.ts";

/** A job as pages show it. Times: ISO 8601, UTC; money: minor units of `currency`, as decimal text. */
export interface BulkJobView {
  readonly id: number;
  readonly reseller: { readonly id: number; readonly name: string };
  readonly kind: BulkKind;
  /** What it sets, e.g. the notes; empty where the kind says all. */
  readonly detail: string;
  readonly state: BulkJobState;
  /** The account is suspended: what has not begun waits. */
  readonly paused: boolean;
  /** ISO 8601, UTC: the provider accepts no more requests before; null: it does. */
  readonly waitsUntil: string | null;
  readonly canceled: boolean;
  readonly allOrNothing: boolean;
  /** Whether the reader may stop it or try it again. */
  readonly mayChange: boolean;
  readonly counts: BulkCounts;
  readonly quotedTotal: string;
  readonly chargedTotal: string;
  /** What trying the failed ones again costs today; null: they cannot be. */
  readonly retry: BulkRetryView | null;
  /** Where a job that is all or nothing is begun once more; null for others. */
  readonly anewHref: string | null;
  /** Changes whose revert failed. */
  readonly notReverted: number;
  /** Reverts that could not be made yet; null: there are none. */
  readonly postponed: PostponedReverts | null;
  /** Unknown outcomes that a job that is all or nothing waits for; null: there are none. */
  readonly awaited: AwaitedOutcomes | null;
  readonly currency: string;
  readonly startedBy: string;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
}

export interface PostponedReverts {
  readonly count: number;
  /** The reason of one of them. */
  readonly reason: string;
  /** ISO 8601, UTC. */
  readonly nextAt: string;
  readonly lastAt: string;
}

export interface AwaitedOutcomes {
  readonly count: number;
  /** ISO 8601, UTC. */
  readonly since: string;
}

/** Minor units as decimal text. */
export interface BulkRetryView {
  /** Of the failed ones, those that are still for sale. */
  readonly count: number;
  /** If all of them succeed. */
  readonly total: string;
  /** The least that one of them costs; null: they are free. */
  readonly cheapest: string | null;
}

export interface BulkItemView {
  readonly position: number;
  /** What it is about, e.g. the product's name. */
  readonly subject: string;
  /** `lic_12` or `bundle 3`, where there is one. */
  readonly id: string | null;
  /** Null where there is nothing to open. */
  readonly href: string | null;
  /** The licenses of a bundle, which its job changes. */
  readonly members: readonly { readonly id: string; readonly name: string; readonly href: string }[];
  /** Host name or address. */
  readonly server: string;
  readonly state: BulkItemState;
  /** It is done, and its revert failed. */
  readonly notReverted: boolean;
  /** Why it failed or was skipped. */
  readonly message: string | null;
  readonly charged: string;
}

/** What the page of a job asks for again and again while the job runs. */
export interface BulkProgressPage {
  readonly job: BulkJobView;
  readonly items: readonly BulkItemView[];
  readonly nextHref: string | null;
  readonly firstHref: string | null;
}

/** Which items the page shows; in its address. */
export const bulkOutcomes = {
  all: { label: "All", states: null },
  done: { label: "Done", states: ["succeeded"] },
  failed: { label: "Failed", states: ["failed"] },
  pending: { label: "Not confirmed", states: ["pending"] },
  undone: { label: "Reverted", states: ["undone"] },
  skipped: { label: "Skipped", states: ["skipped"] },
  waiting: { label: "Remaining", states: ["queued", "running"] },
} as const satisfies Record<string, { label: string; states: readonly BulkItemState[] | null }>;
export type BulkOutcome = keyof typeof bulkOutcomes;

export function countOf(counts: BulkCounts, outcome: BulkOutcome): number {
  const states: readonly BulkItemState[] = bulkOutcomes[outcome].states ?? (Object.keys(counts) as BulkItemState[]);
  return states.reduce((sum, state) => sum + counts[state], 0);
}

/** Done for good: none that is still to be reverted. */
export function doneOf({ counts, state }: Pick<BulkJobView, "counts" | "state">): number {
  return state === "undoing" ? 0 : countOf(counts, "done");
}

/**
 * How many items there are, and how many have ended. An item that waits for the provider, or is still to be reverted,
 * has not.
 */
export function progressOf(job: Pick<BulkJobView, "counts" | "state">): {
  readonly total: number;
  readonly ended: number;
} {
  const { counts } = job;
  return {
    total: countOf(counts, "all") - countOf(counts, "skipped"),
    ended: doneOf(job) + countOf(counts, "failed") + countOf(counts, "undone"),
  };
}

/** An all-or-nothing job that has ended half-way. */
export function isPartlyReverted({ state, notReverted }: Pick<BulkJobView, "state" | "notReverted">): boolean {
  return state === "finished" && notReverted > 0;
}

/** "2 not reverted". */
export function notRevertedText({ notReverted }: Pick<BulkJobView, "notReverted">): string {
  return `${numberText(notReverted)} not reverted`;
}

/** What an item of a job is. */
export function subjectOf(kind: BulkKind): string {
  if (kind === "relocate") return "License or bundle";
  return nounOf(kind) === "bundle" ? "Bundle" : "License";
}

/** What the items of a job are, but those of a relocation, which are of both kinds. */
export function nounOf(kind: BulkKind): "license" | "bundle" {
  return kind === "renew_bundle" || kind === "set_bundle_auto_renew" ? "bundle" : "license";
}

const headings = {
  ...bulkKindTitles,
  renew_bundle: bulkKindTitles.renew,
  set_bundle_auto_renew: bulkKindTitles.set_auto_renew,
} as const satisfies Record<BulkKind, string>;

/** Title and description of a job. A relocation is identified by its addresses, whatever is on them. */
export function headingOf({ kind, counts, detail }: BulkJobView): {
  readonly heading: string;
  readonly description?: string;
} {
  if (kind === "relocate") return { heading: `${headings.relocate} ${detail}` };
  const heading = `${headings[kind]} of ${countText(countOf(counts, "all"), nounOf(kind))}`;
  return detail === "" ? { heading } : { heading, description: detail };
}
