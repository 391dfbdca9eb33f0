import { Boxes, Plus } from "lucide-react";
import type { Metadata } from "next";
import { presentBundleRow } from "#app/(dashboard)/catalog/present.ts";
import { CatalogBundleTable } from "#components/catalog/catalog-bundle-table.tsx";
import { CatalogTabs } from "#components/catalog/catalog-tabs.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { contextOf, requireAdminUser } from "#lib/dashboard/session.ts";
import { listCatalogBundles } from "#lib/services/catalog/list-catalog.ts";

export const metadata: Metadata = { title: "Bundles of the catalog" };

export default async function CatalogBundlesPage() {
  const bundles = await listCatalogBundles(contextOf(await requireAdminUser()));
  const add = (
    <ButtonLink href="/catalog/bundles/new" icon={<Plus aria-hidden className="size-4" />} variant="primary">
      Add bundle
    </ButtonLink>
  );
  return (
    <>
      <PageHeader actions={bundles.length > 0 && add} title="Catalog" />
      <CatalogTabs />
      <Card flush>
        {bundles.length === 0 ? (
          <EmptyState
            action={add}
            description="A bundle sells two or more products of one provider together, at a price of its own."
            icon={<Boxes aria-hidden />}
            title="No bundles yet"
          />
        ) : (
          <CatalogBundleTable rows={bundles.map(presentBundleRow)} />
        )}
      </Card>
    </>
  );
}
