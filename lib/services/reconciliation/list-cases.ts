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
import { totalOf } from "#lib/services/page.ts";

export type { CaseFilter, CaseListItem } from "#lib/db/reconciliation/case.ts";
export type { LastComparison } from "#lib/db/reconciliation/comparison.ts";

export interface CasePage {
  readonly cases: readonly CaseListItem[];
  /** For older cases; null on the last page. */
  readonly nextBefore: number | null;
  /** For newer cases; null on the first page. */
  readonly previousAfter: number | null;
  /** On all pages, up to one more than `COUNTED_AT_MOST`; null if there is one page. */
  readonly total: number | null;
}

/** Newest first. At most one of `before` and `after` is set. */
export async function listCases(
  ctx: ServiceContext,
  input: {
    readonly filter: CaseFilter;
    readonly before: number | null;
    readonly after: number | null;
    readonly limit: number;
  },
): Promise<CasePage> {
  requireAdmin(ctx, "admin:read");
  const { filter, before, after, limit } = input;
  const found = await listCasePage(ctx.db, filter, { before, after, limit: limit + 1 });
  const more = found.length > limit;
  if (after !== null && !more && found.length < limit) return listCases(ctx, { ...input, before: null, after: null });
  const cases = after === null ? found.slice(0, limit) : found.slice(-limit);
  const newer = after === null ? before !== null : more;
  const older = after === null ? more : true;
  return {
    cases,
    nextBefore: older ? (cases.at(-1)?.id ?? null) : null,
    previousAfter: newer ? (cases.at(0)?.id ?? null) : null,
    total: await totalOf(older || newer, () => countCases(ctx.db, filter)),
  };
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
