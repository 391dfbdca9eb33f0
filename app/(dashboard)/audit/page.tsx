import { Download, ScrollText } from "lucide-react";
import { findResellers } from "#app/(dashboard)/resellers/actions.ts";
import { findChosenReseller } from "#app/(dashboard)/resellers/chosen.ts";
import { SavedViews } from "#app/(dashboard)/views/saved-views.tsx";
import type { PageProps } from "#app/page-props.ts";
import { AuditFilters } from "#components/audit/audit-filters.tsx";
import { AUDIT_PATH, auditActionNames, auditHref, loadAuditParams } from "#components/audit/audit-params.ts";
import { AuditTable } from "#components/audit/audit-table.tsx";
import { buttonClassName } from "#components/ui/button-style.ts";
import { FilterChips } from "#components/ui/filter-chips.tsx";
import { ListCard } from "#components/ui/list-card.tsx";
import { given, onward } from "#components/ui/list-params.ts";
import { PageHeader } from "#components/ui/page-header.tsx";
import { timeLimitsOf } from "#components/ui/time-span.ts";
import { contextOf, may, refuse, requireUser } from "#lib/dashboard/session.ts";
import { auditActions } from "#lib/domain/audit.ts";
import { listAuditLog, listOwnAuditLog } from "#lib/services/audit/list.ts";

export default async function AuditPage({ searchParams }: PageProps) {
  const [user, view] = await Promise.all([requireUser(), loadAuditParams(searchParams)]);
  const isAdmin = user.kind === "admin";
  const permission = isAdmin ? "admin:read" : "audit:read";
  if (!may(user, permission)) await refuse(user, permission);
  const ctx = contextOf(user);
  const { actor, action, reseller: resellerId, subject, address, before } = view;
  const list = isAdmin ? listAuditLog : listOwnAuditLog;
  const [page, reseller] = await Promise.all([
    list(ctx, {
      filter: { ...given({ actor, action, resellerId, subject, address }), ...timeLimitsOf(view, ctx.now()) },
      before: before === null ? null : BigInt(before),
    }),
    isAdmin ? findChosenReseller(user, resellerId) : null,
  ]);
  return (
    <>
      <PageHeader
        description={`Who changed what${isAdmin ? "" : " in your account"}. Entries cannot be changed or deleted.`}
        actions={
          <>
            <SavedViews href={auditHref(view)} list="audit" user={user} />
            {isAdmin && (
              <a className={buttonClassName("secondary", "md")} download href="/audit/export">
                <Download />
                Download all
              </a>
            )}
          </>
        }
        title="Audit log"
      />
      <AuditFilters
        actions={auditActionNames.map((value) => ({ value, label: auditActions[value] }))}
        resellers={isAdmin ? { chosen: reseller, search: findResellers } : null}
      />
      {address !== null && (
        <div className="mb-3">
          <FilterChips
            chips={[
              {
                label: `From ${address}`,
                href: auditHref(AUDIT_PATH, { ...view, address: null, before: null }),
                active: true,
              },
            ]}
            label="Filter by address"
          />
        </div>
      )}
      <ListCard
        empty={{
          description: "Changes by users and by the operator appear here.",
          icon: <ScrollText />,
          title: "No entries yet",
        }}
        filter={{
          view,
          clearHref: AUDIT_PATH,
          title: "No entry matches",
          none: "Try another filter, or clear them all.",
        }}
        page={page}
        pages={onward((before) => auditHref(AUDIT_PATH, { ...view, before }), before, page.next?.toString() ?? null)}
      >
        <AuditTable entries={page.rows} withReseller={isAdmin} />
      </ListCard>
    </>
  );
}
