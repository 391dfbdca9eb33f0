import { describeNamed } from "#app/(dashboard)/licenses/suggest.ts";
import { countMissed, findLicenses, resendMissed } from "#app/(dashboard)/webhooks/actions.ts";
import { readLog } from "#app/(dashboard)/webhooks/log/read-log.ts";
import type { PageProps } from "#app/page-props.ts";
import { Allowed } from "#components/shell/permissions.tsx";
import { Card } from "#components/ui/card.tsx";
import { isFiltered } from "#components/ui/list-params.ts";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Pagination } from "#components/ui/pagination.tsx";
import { describeEndpoint, endpointHref } from "#components/webhook/describe-endpoint.ts";
import { LiveLog } from "#components/webhook/live-log.tsx";
import { LogEmpty } from "#components/webhook/log-empty.tsx";
import { LogFilters } from "#components/webhook/log-filters.tsx";
import { loadLogParams, logHref } from "#components/webhook/log-params.ts";
import { LogTable } from "#components/webhook/log-table.tsx";
import { ResendMissed } from "#components/webhook/resend-missed.tsx";
import { WebhookTabs } from "#components/webhook/webhook-tabs.tsx";
import { contextOf, requireResellerUser } from "#lib/dashboard/session.ts";
import { listWebhookEndpoints } from "#lib/services/webhook/list.ts";

export default async function WebhookLogPage({ searchParams }: PageProps) {
  const [user, view] = await Promise.all([requireResellerUser("webhooks:read"), loadLogParams(searchParams)]);
  const ctx = contextOf(user);
  const [page, found, license] = await Promise.all([
    readLog(ctx, view),
    listWebhookEndpoints(ctx),
    view.license === null ? null : describeNamed(ctx, view.license),
  ]);
  const endpoints = found.map((endpoint) => describeEndpoint(endpoint, ctx.now()));
  const [first] = found;
  const search = logHref({ ...view, before: null });
  const empty = <LogEmpty endpointHref={first ? endpointHref(first.id) : null} view={view} />;
  return (
    <>
      <PageHeader
        actions={
          <Allowed to="webhooks:write">
            <ResendMissed actions={{ countMissed, resendMissed }} chosenId={view.endpoint} endpoints={endpoints} />
          </Allowed>
        }
        heading="Webhooks"
        title="Webhook log"
      />
      <WebhookTabs />
      {(page.rows.length > 0 || isFiltered(view)) && (
        <LogFilters
          endpoints={endpoints}
          license={view.license === null ? null : { id: license?.id ?? null, name: license?.title ?? view.license }}
          searchLicenses={findLicenses}
        />
      )}
      {view.before === null && view.until === null ? (
        <LiveLog empty={empty} initial={page} key={search} search={search} />
      ) : (
        <Card flush>
          {page.rows.length === 0 ? empty : <LogTable rows={page.rows} />}
          <Pagination count={page.rows.length} firstHref={page.firstHref} nextHref={page.nextHref} total={page.total} />
        </Card>
      )}
    </>
  );
}
