import { Card } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";

export default function OverviewLoading() {
  return (
    <>
      <PageHeader title="Overview" />
      <div className="flex flex-col gap-5" role="status">
        <span className="sr-only">Loading the overview</span>
        <Skeleton className="h-20 rounded-lg" />
        <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <Card>
            <Skeleton className="h-72 rounded-md" />
          </Card>
          <Card>
            <Skeleton className="h-40 rounded-md" />
          </Card>
        </div>
      </div>
    </>
  );
}
