import { Card } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Skeleton, TableSkeleton } from "#components/ui/skeleton.tsx";

export default function ApiKeysLoading() {
  return (
    <>
      <PageHeader actions={<Skeleton className="h-8 w-28 rounded-md" />} title="API keys" />
      <div className="mb-3 flex gap-1.5">
        <Skeleton className="h-7 w-20 rounded-full" />
        <Skeleton className="h-7 w-36 rounded-full" />
      </div>
      <Card flush>
        <TableSkeleton label="Loading keys" rows={6} />
      </Card>
    </>
  );
}
