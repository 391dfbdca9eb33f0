import { Card } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Skeleton, TableSkeleton } from "#components/ui/skeleton.tsx";

export default function MigrationsLoading() {
  return (
    <>
      <PageHeader actions={<Skeleton className="h-8 w-28 rounded-md" />} title="Migrations" />
      <Card flush>
        <TableSkeleton label="Loading migrations" />
      </Card>
    </>
  );
}
