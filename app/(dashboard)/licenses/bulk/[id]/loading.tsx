import { Card } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Skeleton, TableSkeleton } from "#components/ui/skeleton.tsx";

export default function JobLoading() {
  return (
    <>
      <PageHeader
        title="Bulk change"
        trail={[
          { label: "Licenses", href: "/licenses" },
          { label: "Bulk changes", href: "/licenses/bulk" },
        ]}
      />
      <div className="flex flex-col gap-5">
        <Card>
          <div className="flex flex-col gap-3">
            <Skeleton className="h-6 w-40" />
            <Skeleton className="h-2 w-full rounded-full" />
            <Skeleton className="w-72" />
          </div>
        </Card>
        <Card flush>
          <TableSkeleton label="Loading the results" rows={10} />
        </Card>
      </div>
    </>
  );
}
