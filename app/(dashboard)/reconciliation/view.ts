import { hrefOf, textOf } from "#app/search-params.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { parsePositiveInteger } from "#lib/domain/integer.ts";
import { type CaseKind, caseKinds } from "#lib/domain/reconciliation.ts";
import type { CaseFilter } from "#lib/services/reconciliation/list-cases.ts";

/** What the inbox shows: all of it is in the address. */
export interface InboxView {
  readonly kind: CaseKind | null;
  readonly provider: string | null;
  readonly reseller: number | null;
  readonly state: "resolved" | null;
  readonly before: number | null;
  readonly after: number | null;
}

/** What makes no sense is left out: an address typed by hand never fails. */
export function parseView(query: Readonly<Record<string, string | string[] | undefined>>): InboxView {
  const before = parsePositiveInteger(textOf(query.before));
  return {
    kind: caseKinds.find((kind) => kind === textOf(query.kind)) ?? null,
    provider: textOf(query.provider),
    reseller: parsePositiveInteger(textOf(query.reseller)),
    state: textOf(query.state) === "resolved" ? "resolved" : null,
    before,
    after: before === null ? parsePositiveInteger(textOf(query.after)) : null,
  };
}

/** The same cases from another place on. */
export function pageHref(view: InboxView, edge: Pick<InboxView, "before"> | Pick<InboxView, "after">): string {
  return hrefOf("/reconciliation", { ...view, before: null, after: null, ...edge });
}

export function filterOf({ kind, provider, reseller, state }: InboxView): CaseFilter {
  return {
    kind: kind ?? undefined,
    provider: provider ?? undefined,
    resellerId: (reseller as ResellerId | null) ?? undefined,
    resolved: state === "resolved",
  };
}

export function isFiltered({ kind, provider, reseller }: InboxView): boolean {
  return kind !== null || provider !== null || reseller !== null;
}
