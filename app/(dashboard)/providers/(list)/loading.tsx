import { Card } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Skeleton, TableSkeleton } from "#components/ui/skeleton.tsx";

export default function ProvidersLoading() {
  return (
    <>
      <PageHeader actions={<Skeleton className="h-8 w-32 rounded-md" />} title="Providers" />
      <Card flush>
        <TableSkeleton label="Loading providers" rows={3} />
      </Card>
    </>
  );
}
