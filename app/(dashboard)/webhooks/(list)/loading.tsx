import { Card } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Skeleton, TableSkeleton } from "#components/ui/skeleton.tsx";
import { WebhookTabs } from "#components/webhook/webhook-tabs.tsx";

export default function WebhooksLoading() {
  return (
    <>
      <PageHeader actions={<Skeleton className="h-8 w-32 rounded-md" />} title="Webhooks" />
      <WebhookTabs />
      <Card flush>
        <TableSkeleton label="Loading endpoints" rows={4} />
      </Card>
    </>
  );
}
