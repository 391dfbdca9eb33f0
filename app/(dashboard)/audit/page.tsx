import { ScrollText, SearchX } from "lucide-react";
import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { findResellers } from "#app/(dashboard)/resellers/actions.ts";
import { findChosenReseller } from "#app/(dashboard)/resellers/chosen.ts";
import { AuditFilters } from "#components/audit/audit-filters.tsx";
import { AUDIT_PATH, auditActionNames, auditHref, loadAuditParams } from "#components/audit/audit-params.ts";
import { AuditTable } from "#components/audit/audit-table.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { given, isFiltered, onward } from "#components/ui/list-params.ts";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Pagination } from "#components/ui/pagination.tsx";
import { timeLimitsOf } from "#components/ui/time-span.ts";
import { contextOf, requireAdminUser } from "#lib/dashboard/session.ts";
import { auditActions } from "#lib/domain/audit.ts";
import { listAuditLog } from "#lib/services/audit/list.ts";
import { describeEntry } from "./describe-entry.ts";

export const metadata: Metadata = { title: "Audit log" };

const PAGE_SIZE = 50;

export default async function AuditPage({ searchParams }: { readonly searchParams: Promise<SearchParams> }) {
  const [user, view] = await Promise.all([requireAdminUser(), loadAuditParams(searchParams)]);
  const ctx = contextOf(user);
  const { actor, action, reseller: resellerId, subject, before } = view;
  const [{ entries, nextBefore }, reseller] = await Promise.all([
    listAuditLog(ctx, {
      filter: { ...given({ actor, action, resellerId, subject }), ...timeLimitsOf(view, ctx.now()) },
      before: before === null ? null : BigInt(before),
      limit: PAGE_SIZE,
    }),
    findChosenReseller(user, resellerId),
  ]);
  const filtered = isFiltered(view);
  return (
    <>
      <PageHeader
        description="Who changed what. Entries are kept for good: the database refuses to change or delete them."
        title="Audit log"
      />
      <AuditFilters
        actions={auditActionNames.map((value) => ({ value, label: auditActions[value] }))}
        reseller={reseller}
        searchResellers={findResellers}
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
          <AuditTable lines={entries.map(describeEntry)} />
        )}
        <Pagination
          {...onward((before) => auditHref(AUDIT_PATH, { ...view, before }), {
            at: view.before,
            next: nextBefore === null ? null : String(nextBefore),
          })}
          summary={`${entries.length} shown, newest first`}
        />
      </Card>
    </>
  );
}
