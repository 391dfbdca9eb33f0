import { Card } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";

export default function EndpointLoading() {
  return (
    <div role="status">
      <span className="sr-only">Loading the endpoint</span>
      <PageHeader
        actions={<Skeleton className="h-8 w-56 rounded-md" />}
        title={<Skeleton className="my-1 h-5 w-56" />}
        trail={[{ label: "Webhooks", href: "/webhooks" }]}
      />
      <div className="flex flex-col gap-5">
        <Card>
          <Skeleton className="h-80 rounded-md" />
        </Card>
        <Card>
          <Skeleton className="h-44 rounded-md" />
        </Card>
      </div>
    </div>
  );
}
