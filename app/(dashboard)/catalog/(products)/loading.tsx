import { CatalogTabs } from "#components/catalog/catalog-tabs.tsx";
import { Card } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Skeleton, TableSkeleton } from "#components/ui/skeleton.tsx";

export default function CatalogLoading() {
  return (
    <>
      <PageHeader actions={<Skeleton className="h-8 w-32 rounded-md" />} title="Catalog" />
      <CatalogTabs />
      <Skeleton className="mb-3 h-8 w-72 rounded-md max-md:w-full" />
      <Card flush>
        <TableSkeleton label="Loading the catalog" />
      </Card>
    </>
  );
}
