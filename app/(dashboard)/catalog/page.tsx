import { Package, Plus, SearchX } from "lucide-react";
import type { Metadata } from "next";
import { presentProductRow } from "#app/(dashboard)/catalog/present.ts";
import { type CatalogView, parseView } from "#app/(dashboard)/catalog/view.ts";
import { hrefOf, type SearchParams } from "#app/search-params.ts";
import { CatalogFilters } from "#components/catalog/catalog-filters.tsx";
import { CatalogTabs } from "#components/catalog/catalog-tabs.tsx";
import { ProductTable } from "#components/catalog/product-table.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Pagination } from "#components/ui/pagination.tsx";
import { contextOf, requireAdminUser } from "#lib/dashboard/session.ts";
import { listCatalogProducts } from "#lib/services/catalog/list-catalog.ts";
import { listProviders } from "#lib/services/provider/list.ts";

export const metadata: Metadata = { title: "Catalog" };

const PATHNAME = "/catalog";
const PAGE_SIZE = 50;

export default async function CatalogPage({ searchParams }: { readonly searchParams: SearchParams }) {
  const [user, query] = await Promise.all([requireAdminUser(), searchParams]);
  const ctx = contextOf(user);
  const view = parseView(query);
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
        provider={view.provider}
        providers={providers.map(({ name }) => name)}
        q={view.q ?? ""}
        state={view.state}
      />
      <Card flush>
        {products.length === 0 ? <NoProducts view={view} /> : <ProductTable rows={products.map(presentProductRow)} />}
        <Pagination
          nextHref={nextAfter === null ? null : hrefOf(PATHNAME, { ...view, after: nextAfter })}
          firstHref={view.after === null ? null : hrefOf(PATHNAME, { ...view, after: null })}
          summary={`${products.length} shown, by name`}
        />
      </Card>
    </>
  );
}

function NoProducts({ view: { q, state, provider } }: { readonly view: CatalogView }) {
  const filtered = q !== null || state !== null || provider !== null;
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
