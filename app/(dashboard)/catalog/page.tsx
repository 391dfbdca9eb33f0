import { Package } from "lucide-react";
import type { PageProps } from "#app/page-props.ts";
import { CatalogFilters } from "#components/catalog/catalog-filters.tsx";
import { catalogHref, loadCatalogParams } from "#components/catalog/catalog-params.ts";
import { CatalogTabs } from "#components/catalog/catalog-tabs.tsx";
import { ProductTable } from "#components/catalog/product-table.tsx";
import { CreateLink } from "#components/shell/create-link.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { ListCard } from "#components/ui/list-card.tsx";
import { onward } from "#components/ui/list-params.ts";
import { noneOf } from "#components/ui/no-match.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { contextOf, requireAdminUser } from "#lib/dashboard/session.ts";
import { listCatalogProducts } from "#lib/services/catalog/list-catalog.ts";
import { listProviders } from "#lib/services/provider/list.ts";

const PATHNAME = "/catalog";

export default async function CatalogPage({ searchParams }: PageProps) {
  const [user, view] = await Promise.all([requireAdminUser("admin:read"), loadCatalogParams(searchParams)]);
  const ctx = contextOf(user);
  const [page, providers] = await Promise.all([
    listCatalogProducts(ctx, { text: view.q, ...view }),
    listProviders(ctx),
  ]);
  return (
    <>
      <PageHeader
        actions={
          <CreateLink href="/catalog/products/new" to="catalog:write">
            Add product
          </CreateLink>
        }
        title="Catalog"
      />
      <CatalogTabs />
      <CatalogFilters
        noun="products"
        placeholder="Name, type or provider's code"
        providers={providers.map(({ name }) => name)}
      />
      <ListCard
        empty={{
          action: <ButtonLink href="/providers">Go to Providers</ButtonLink>,
          description: "Add one manually, or open a provider and import its catalog.",
          icon: <Package />,
          title: "No products yet",
        }}
        filter={{
          view,
          clearHref: PATHNAME,
          title: "No product matches",
          none: noneOf(view.q, "The search looks at any part of a name, a type or a provider's code."),
        }}
        order="by name"
        page={page}
        pages={onward((after) => catalogHref(PATHNAME, { ...view, after }), view.after, page.next)}
      >
        <ProductTable rows={page.rows} />
      </ListCard>
    </>
  );
}
