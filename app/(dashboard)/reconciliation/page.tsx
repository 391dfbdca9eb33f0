import { Scale } from "lucide-react";
import { compareNow } from "#app/(dashboard)/reconciliation/actions.ts";
import { findResellers } from "#app/(dashboard)/resellers/actions.ts";
import { findChosenReseller } from "#app/(dashboard)/resellers/chosen.ts";
import type { PageProps } from "#app/page-props.ts";
import { CaseFilters } from "#components/reconciliation/case-filters.tsx";
import { caseListHref, type InboxView, loadCaseParams } from "#components/reconciliation/case-params.ts";
import { CaseTable } from "#components/reconciliation/case-table.tsx";
import { CompareNow } from "#components/reconciliation/compare-now.tsx";
import { ComparisonStatus } from "#components/reconciliation/comparison-status.tsx";
import { Allowed } from "#components/shell/permissions.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { given, isFiltered } from "#components/ui/list-params.ts";
import { NoMatch } from "#components/ui/no-match.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Pagination } from "#components/ui/pagination.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { contextOf, requireAdminUser } from "#lib/dashboard/session.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { type LastComparison, listCases, summarizeInbox } from "#lib/services/reconciliation/list-cases.ts";

const PATHNAME = "/reconciliation";

export default async function ReconciliationPage({ searchParams }: PageProps) {
  const [user, view] = await Promise.all([requireAdminUser("admin:read"), loadCaseParams(searchParams)]);
  const ctx = contextOf(user);
  const { kind, provider, state, before } = view;
  const resellerId = view.reseller as ResellerId | null;
  const resolved = state === "resolved";
  const filter = { ...given({ kind, provider, resellerId }), resolved };
  const [page, inbox, chosen] = await Promise.all([
    listCases(ctx, { filter, before, after: before === null ? view.after : null }),
    summarizeInbox(ctx, filter),
    findChosenReseller(user, view.reseller),
  ]);
  const { next, previous } = page;
  return (
    <>
      <PageHeader
        actions={
          <Allowed to="cases:decide">
            <CompareNow compare={compareNow} />
          </Allowed>
        }
        title="Reconciliation"
      />
      <div className="-mt-3 mb-4">
        <ComparisonStatus lines={inbox.comparisons} />
      </div>
      <CaseFilters
        counts={inbox.byKind}
        providers={inbox.comparisons.map(({ provider }) => provider)}
        resellers={{ chosen, search: findResellers }}
      />
      <Card flush>
        {page.rows.length === 0 ? (
          <NoCases lastComparedAt={lastComparedAt(inbox.comparisons)} view={view} />
        ) : (
          <CaseTable resolved={resolved} rows={page.rows} />
        )}
        <Pagination
          nextHref={next === null ? null : caseListHref(PATHNAME, { ...view, before: next, after: null })}
          previousHref={previous === null ? null : caseListHref(PATHNAME, { ...view, before: null, after: previous })}
          count={page.rows.length}
          total={page.total}
        />
      </Card>
    </>
  );
}

/** When all that was ever compared was read to the end: null where something could not be, or nothing was yet. */
function lastComparedAt(comparisons: readonly LastComparison[]): Date | null {
  const times = comparisons.map(({ finishedAt, failureMessage }) => (failureMessage === null ? finishedAt : null));
  if (times.length === 0 || times.includes(null)) return null;
  return new Date(Math.min(...times.map(Number)));
}

interface NoCasesProps {
  readonly view: InboxView;
  /** ISO 8601, UTC. */
  readonly lastComparedAt: Date | null;
}

function NoCases({ view, lastComparedAt }: NoCasesProps) {
  if (isFiltered({ ...view, state: null })) {
    return (
      <NoMatch clearHref={PATHNAME} none="Try another filter, or clear them all." title="No case matches" view={view} />
    );
  }
  if (view.state === "resolved") {
    return (
      <EmptyState
        description="Cases that were settled, or whose difference is gone, stay here with their history."
        icon={<Scale />}
        title="No case has been closed yet"
      />
    );
  }
  if (lastComparedAt === null) {
    return (
      <EmptyState
        description="Some books have not been compared yet. They are compared every hour, and when you press “Compare now”."
        icon={<Scale />}
        title="No difference is known"
      />
    );
  }
  return (
    <EmptyState
      description={
        <>
          The ledger, the licenses and the providers' books match, last compared{" "}
          <Timestamp format="relative" value={lastComparedAt} />. They are compared every hour.
        </>
      }
      icon={<Scale />}
      title="Everything agrees"
    />
  );
}
