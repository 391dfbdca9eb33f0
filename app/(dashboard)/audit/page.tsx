import { ScrollText, SearchX } from "lucide-react";
import type { Metadata } from "next";
import { findResellers } from "#app/(dashboard)/resellers/actions.ts";
import { findChosenReseller } from "#app/(dashboard)/resellers/chosen.ts";
import type { SearchParams } from "#app/search-params.ts";
import { AuditFilters } from "#components/audit/audit-filters.tsx";
import { AuditTable } from "#components/audit/audit-table.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Pagination } from "#components/ui/pagination.tsx";
import { contextOf, requireAdminUser } from "#lib/dashboard/session.ts";
import { auditActions } from "#lib/domain/audit.ts";
import { parsePositiveInteger } from "#lib/domain/integer.ts";
import { listAuditLog } from "#lib/services/audit/list.ts";
import { presentAuditLine } from "./present.ts";
import { AUDIT_PATH, filterOf, isFiltered, pageHref, parseView } from "./view.ts";

export const metadata: Metadata = { title: "Audit log" };

const PAGE_SIZE = 50;

export default async function AuditPage({ searchParams }: { readonly searchParams: SearchParams }) {
  const [user, query] = await Promise.all([requireAdminUser(), searchParams]);
  const ctx = contextOf(user);
  const view = parseView(query);
  const { before, ...values } = view;
  const [{ entries, nextBefore }, reseller] = await Promise.all([
    listAuditLog(ctx, {
      filter: filterOf(view, ctx.now()),
      before: before === null ? null : BigInt(before),
      limit: PAGE_SIZE,
    }),
    findChosenReseller(user, parsePositiveInteger(view.reseller)),
  ]);
  const filtered = isFiltered(view);
  return (
    <>
      <PageHeader
        description="Who changed what. Entries are kept for good: the database refuses to change or delete them."
        title="Audit log"
      />
      <AuditFilters
        actions={Object.entries(auditActions).map(([value, label]) => ({ value, label }))}
        key={`${view.from} ${view.until}`}
        reseller={reseller}
        searchResellers={findResellers}
        values={values}
      />
      <Card flush>
        {entries.length === 0 ? (
          <EmptyState
            description={
              filtered
                ? "No entries match. Remove a filter, or look further back."
                : "What people and the operator change is listed here."
            }
            {...(filtered ? { action: <ButtonLink href={AUDIT_PATH}>Clear filters</ButtonLink> } : {})}
            icon={filtered ? <SearchX aria-hidden /> : <ScrollText aria-hidden />}
            title={filtered ? "Nothing found" : before === null ? "No entries yet" : "There is nothing on this page"}
          />
        ) : (
          <AuditTable lines={entries.map(presentAuditLine)} />
        )}
        <Pagination
          firstHref={before === null ? null : pageHref(view, null)}
          nextHref={nextBefore === null ? null : pageHref(view, String(nextBefore))}
          summary={`${entries.length} shown, newest first`}
        />
      </Card>
    </>
  );
}
