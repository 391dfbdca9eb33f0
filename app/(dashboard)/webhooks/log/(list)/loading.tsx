import { Card } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Skeleton, TableSkeleton } from "#components/ui/skeleton.tsx";
import { WebhookTabs } from "#components/webhook/webhook-tabs.tsx";

export default function WebhookLogLoading() {
  return (
    <>
      <PageHeader actions={<Skeleton className="h-8 w-32 rounded-md" />} title="Webhooks" />
      <WebhookTabs />
      <div className="mb-3 flex h-8 items-center gap-3">
        <Skeleton className="h-8 w-52 rounded-md" />
        <Skeleton className="h-8 w-40 rounded-md" />
        <Skeleton className="h-7 w-64 rounded-full max-md:hidden" />
      </div>
      <Card flush>
        <TableSkeleton label="Loading the log" rows={12} />
      </Card>
    </>
  );
}
