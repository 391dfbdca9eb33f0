import { CreateLink } from "#components/shell/create-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { spanMs } from "#components/ui/time-span.ts";
import { EndpointTable, NoEndpoints } from "#components/webhook/endpoint-table.tsx";
import { WebhookTabs } from "#components/webhook/webhook-tabs.tsx";
import { contextOf, requireResellerUser } from "#lib/dashboard/session.ts";
import { listWebhookEndpoints } from "#lib/services/webhook/list.ts";
import { summarizeWebhookActivity } from "#lib/services/webhook/stats.ts";

export default async function WebhooksPage() {
  const ctx = contextOf(await requireResellerUser("webhooks:read"));
  const since = new Date(ctx.now().getTime() - spanMs["7d"]);
  const [endpoints, activity] = await Promise.all([
    listWebhookEndpoints(ctx),
    summarizeWebhookActivity(ctx, { since }),
  ]);
  return (
    <>
      <PageHeader
        actions={
          endpoints.length > 0 && (
            <CreateLink href="/webhooks/new" to="webhooks:write">
              Add endpoint
            </CreateLink>
          )
        }
        title="Webhooks"
      />
      <WebhookTabs />
      <Card flush>
        {endpoints.length === 0 ? <NoEndpoints /> : <EndpointTable activity={activity} endpoints={endpoints} />}
      </Card>
    </>
  );
}
