import { Card } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Skeleton, TableSkeleton } from "#components/ui/skeleton.tsx";

export default function LicensesLoading() {
  return (
    <>
      <PageHeader actions={<Skeleton className="h-8 w-36 rounded-md" />} title="Licenses" />
      <div className="mb-3 flex h-8 items-center gap-2">
        <Skeleton className="h-8 w-72 rounded-md" />
        <Skeleton className="h-7 w-64 rounded-full max-md:hidden" />
      </div>
      <Card flush>
        <TableSkeleton label="Loading licenses" rows={12} />
      </Card>
    </>
  );
}
