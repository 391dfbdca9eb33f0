import { Building2 } from "lucide-react";
import { SavedViews } from "#app/(dashboard)/views/saved-views.tsx";
import type { PageProps } from "#app/page-props.ts";
import { ResellerFilters } from "#components/reseller/reseller-filters.tsx";
import { loadResellerParams, resellerListHref } from "#components/reseller/reseller-params.ts";
import { ResellerTable } from "#components/reseller/reseller-table.tsx";
import { CreateLink } from "#components/shell/create-link.tsx";
import { ListCard } from "#components/ui/list-card.tsx";
import { onward } from "#components/ui/list-params.ts";
import { noneOf } from "#components/ui/no-match.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { contextOf, requireAdminUser } from "#lib/dashboard/session.ts";
import { readResellerFigures, searchResellers } from "#lib/services/reseller/search.ts";

const PATHNAME = "/resellers";

export default async function ResellersPage({ searchParams }: PageProps) {
  const [user, view] = await Promise.all([requireAdminUser("admin:read"), loadResellerParams(searchParams)]);
  const ctx = contextOf(user);
  const { q, low, before, sort } = view;
  const page = await searchResellers(ctx, { text: q, low: low === true, byName: sort === "name", before });
  const figures = await readResellerFigures(ctx, { ids: page.rows.map(({ resellerId }) => resellerId) });
  return (
    <>
      <PageHeader
        actions={
          <>
            <SavedViews href={resellerListHref(view)} list="resellers" user={user} />
            <CreateLink href="/resellers/new" to="resellers:write">
              Create reseller
            </CreateLink>
          </>
        }
        title="Resellers"
      />
      <ResellerFilters />
      <ListCard
        empty={{
          icon: <Building2 />,
          title: "No resellers yet",
          description: "They sell your licenses on. Create the first one.",
        }}
        filter={{
          view,
          clearHref: PATHNAME,
          title: "No reseller matches",
          none: noneOf(q, "The search looks at any part of a name or email address."),
        }}
        page={page}
        pages={onward((before) => resellerListHref(PATHNAME, { ...view, before }), before, page.next)}
      >
        <ResellerTable
          figures={figures}
          rows={page.rows}
          sorts={{
            name: {
              href: resellerListHref(PATHNAME, { ...view, before: null, sort: "name" }),
              direction: sort === "name" ? "ascending" : null,
            },
            since: {
              href: resellerListHref(PATHNAME, { ...view, before: null, sort: null }),
              direction: sort === null ? "descending" : null,
            },
          }}
        />
      </ListCard>
    </>
  );
}
