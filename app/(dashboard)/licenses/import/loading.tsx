import { Card } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";

export default function ImportLoading() {
  return (
    <div role="status">
      <span className="sr-only">Loading the products</span>
      <PageHeader title="Import licenses" trail={[{ label: "Licenses", href: "/licenses" }]} />
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <Card>
          <Skeleton className="h-80 rounded-md" />
        </Card>
        <Card>
          <Skeleton className="h-64 rounded-md" />
        </Card>
      </div>
    </div>
  );
}
