import { Boxes } from "lucide-react";
import type { PageProps } from "#app/page-props.ts";
import { CatalogBundleTable } from "#components/catalog/catalog-bundle-table.tsx";
import { CatalogFilters } from "#components/catalog/catalog-filters.tsx";
import { catalogHref, loadCatalogParams } from "#components/catalog/catalog-params.ts";
import { CatalogTabs } from "#components/catalog/catalog-tabs.tsx";
import { CreateLink } from "#components/shell/create-link.tsx";
import { ListCard } from "#components/ui/list-card.tsx";
import { onward } from "#components/ui/list-params.ts";
import { noneOf } from "#components/ui/no-match.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { contextOf, requireAdminUser } from "#lib/dashboard/session.ts";
import { listCatalogBundles } from "#lib/services/catalog/list-catalog.ts";

const PATHNAME = "/catalog/bundles";

export default async function CatalogBundlesPage({ searchParams }: PageProps) {
  const [user, view] = await Promise.all([requireAdminUser("admin:read"), loadCatalogParams(searchParams)]);
  const { q, state, after } = view;
  const page = await listCatalogBundles(contextOf(user), { text: q, state, after });
  const filtered = q !== null || state !== null;
  const add = (
    <CreateLink href="/catalog/bundles/new" to="catalog:write">
      Add bundle
    </CreateLink>
  );
  return (
    <>
      <PageHeader
        actions={(page.rows.length > 0 || filtered) && add}
        heading="Catalog"
        title="Bundles of the catalog"
      />
      <CatalogTabs />
      <CatalogFilters noun="bundles" placeholder="Name of the bundle or a member" providers={[]} />
      <ListCard
        empty={{
          action: add,
          description: "A bundle sells two or more products of one provider together, at a price of its own.",
          icon: <Boxes />,
          title: "No bundles yet",
        }}
        filter={{
          view: { q, state },
          clearHref: PATHNAME,
          title: "No bundle matches",
          none: noneOf(q, "The search looks at any part of the name of a bundle or of its products."),
        }}
        order="by name"
        page={page}
        pages={onward((after) => catalogHref(PATHNAME, { q, state, after }), after, page.next)}
      >
        <CatalogBundleTable rows={page.rows} />
      </ListCard>
    </>
  );
}
