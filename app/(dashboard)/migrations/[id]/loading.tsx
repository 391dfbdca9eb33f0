import { Card } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Skeleton, TableSkeleton } from "#components/ui/skeleton.tsx";

export default function MigrationLoading() {
  return (
    <>
      <PageHeader title="Migration" trail={[{ label: "Migrations", href: "/migrations" }]} />
      <div className="flex flex-col gap-5">
        <Card>
          <Skeleton className="h-16 w-full rounded-md" />
        </Card>
        <Card flush>
          <TableSkeleton label="Loading the results" rows={4} />
        </Card>
      </div>
    </>
  );
}
