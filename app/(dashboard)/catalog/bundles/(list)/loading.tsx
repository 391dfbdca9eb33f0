import { CatalogTabs } from "#components/catalog/catalog-tabs.tsx";
import { Card } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Skeleton, TableSkeleton } from "#components/ui/skeleton.tsx";

export default function CatalogBundlesLoading() {
  return (
    <>
      <PageHeader actions={<Skeleton className="h-8 w-32 rounded-md" />} title="Catalog" />
      <CatalogTabs />
      <Card flush>
        <TableSkeleton label="Loading bundles" rows={4} />
      </Card>
    </>
  );
}
