import { Card } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Skeleton, TableSkeleton } from "#components/ui/skeleton.tsx";

export default function ReconciliationLoading() {
  return (
    <>
      <PageHeader actions={<Skeleton className="h-8 w-36 rounded-md" />} title="Reconciliation" />
      <Skeleton className="-mt-2 mb-5 w-80 max-w-full" />
      <div className="mb-3 flex h-8 items-center gap-2">
        <Skeleton className="h-8 w-32 rounded-md" />
        <Skeleton className="h-8 w-48 rounded-md max-md:hidden" />
        <Skeleton className="h-7 w-96 rounded-full max-md:hidden" />
      </div>
      <Card flush>
        <TableSkeleton label="Loading cases" rows={8} />
      </Card>
    </>
  );
}
