import { Package, Plus, SearchX } from "lucide-react";
import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { CatalogFilters } from "#components/catalog/catalog-filters.tsx";
import { catalogHref, loadCatalogParams } from "#components/catalog/catalog-params.ts";
import { CatalogTabs } from "#components/catalog/catalog-tabs.tsx";
import { ProductTable } from "#components/catalog/product-table.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { isFiltered, onward } from "#components/ui/list-params.ts";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Pagination } from "#components/ui/pagination.tsx";
import { contextOf, requireAdminUser } from "#lib/dashboard/session.ts";
import { listCatalogProducts } from "#lib/services/catalog/list-catalog.ts";
import { listProviders } from "#lib/services/provider/list.ts";

export const metadata: Metadata = { title: "Catalog" };

const PATHNAME = "/catalog";
const PAGE_SIZE = 50;

export default async function CatalogPage({ searchParams }: { readonly searchParams: Promise<SearchParams> }) {
  const [user, view] = await Promise.all([requireAdminUser(), loadCatalogParams(searchParams)]);
  const ctx = contextOf(user);
  const [{ products, nextAfter }, providers] = await Promise.all([
    listCatalogProducts(ctx, { text: view.q, ...view, limit: PAGE_SIZE }),
    listProviders(ctx),
  ]);
  return (
    <>
      <PageHeader
        actions={
          <ButtonLink href="/catalog/products/new" icon={<Plus aria-hidden className="size-4" />} variant="primary">
            Add product
          </ButtonLink>
        }
        title="Catalog"
      />
      <CatalogTabs />
      <CatalogFilters
        noun="products"
        placeholder="Name, type or provider's code"
        providers={providers.map(({ name }) => name)}
      />
      <Card flush>
        {products.length === 0 ? <NoProducts filtered={isFiltered(view)} /> : <ProductTable rows={products} />}
        <Pagination
          {...onward((after) => catalogHref(PATHNAME, { ...view, after }), { at: view.after, next: nextAfter })}
          summary={`${products.length} shown, by name`}
        />
      </Card>
    </>
  );
}

function NoProducts({ filtered }: { readonly filtered: boolean }) {
  return filtered ? (
    <EmptyState
      action={<ButtonLink href={PATHNAME}>Clear filters</ButtonLink>}
      description="No product matches these filters."
      icon={<SearchX aria-hidden />}
      title="Nothing found"
    />
  ) : (
    <EmptyState
      action={<ButtonLink href="/providers">Go to providers</ButtonLink>}
      description="Add one by hand, or open a provider and import its catalog."
      icon={<Package aria-hidden />}
      title="No products yet"
    />
  );
}
