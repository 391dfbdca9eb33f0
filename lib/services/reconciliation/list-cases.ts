import {
  type CaseFilter,
  type CaseListItem,
  countCases,
  countOpenCases,
  listCasePage,
} from "#lib/db/reconciliation/case.ts";
import { type LastComparison, listLastComparisons } from "#lib/db/reconciliation/comparison.ts";
import { type CaseKind, caseKinds } from "#lib/domain/reconciliation.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";
import { readTwoWayPage, type TwoWayPage } from "#lib/services/page.ts";

export type { CaseFilter, CaseListItem } from "#lib/db/reconciliation/case.ts";
export type { LastComparison } from "#lib/db/reconciliation/comparison.ts";

/** Newest first. At most one of `before` and `after` is set. */
export async function listCases(
  ctx: ServiceContext,
  input: {
    readonly filter: CaseFilter;
    readonly before: number | null;
    readonly after: number | null;
    readonly limit?: number;
  },
): Promise<TwoWayPage<CaseListItem, number>> {
  requireAdmin(ctx, "admin:read");
  const { filter, before, after, limit } = input;
  return readTwoWayPage(
    { onward: before, back: after, limit },
    {
      list: ({ onward, back, limit }) => listCasePage(ctx.db, filter, { before: onward, after: back, limit }),
      count: () => countCases(ctx.db, filter),
      placeOf: ({ id }) => id,
    },
  );
}

export interface InboxSummary {
  readonly open: number;
  readonly byKind: Readonly<Record<CaseKind, number>>;
  /** Omits providers never compared. */
  readonly comparisons: readonly LastComparison[];
}

/** Counts open cases, optionally of one provider or reseller, with the last comparisons. */
export async function summarizeInbox(
  ctx: ServiceContext,
  of: Pick<CaseFilter, "provider" | "resellerId"> = {},
): Promise<InboxSummary> {
  requireAdmin(ctx, "admin:read");
  const [counts, comparisons] = await Promise.all([countOpenCases(ctx.db, of), listLastComparisons(ctx.db)]);
  const countOf = (kind: CaseKind) => counts.find((row) => row.kind === kind)?.count ?? 0;
  const byKind = Object.fromEntries(caseKinds.map((kind) => [kind, countOf(kind)])) as Record<CaseKind, number>;
  return { open: counts.reduce((sum, { count }) => sum + count, 0), byKind, comparisons };
}
