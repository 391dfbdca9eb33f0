import { Card } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Skeleton, TableSkeleton } from "#components/ui/skeleton.tsx";

export default function ApiKeyLoading() {
  return (
    <>
      <PageHeader
        actions={<Skeleton className="h-8 w-44 rounded-md" />}
        title={<Skeleton className="my-1 h-5 w-56" />}
        trail={[{ label: "API keys", href: "/api-keys" }]}
      />
      <div className="flex flex-col gap-5">
        <Card>
          <Skeleton className="h-72 rounded-md" />
        </Card>
        <Card flush>
          <TableSkeleton label="Loading requests" rows={8} />
        </Card>
      </div>
    </>
  );
}
