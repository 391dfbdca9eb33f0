import { Card } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Skeleton, TableSkeleton } from "#components/ui/skeleton.tsx";

export default function NewMigrationLoading() {
  return (
    <>
      <PageHeader title="Move a server" trail={[{ label: "Migrations", href: "/migrations" }]} />
      <div className="flex flex-col gap-5">
        <Card>
          <Skeleton className="h-14 w-full max-w-lg rounded-md" />
        </Card>
        <Card flush>
          <TableSkeleton label="Looking at both addresses" rows={4} />
        </Card>
      </div>
    </>
  );
}
