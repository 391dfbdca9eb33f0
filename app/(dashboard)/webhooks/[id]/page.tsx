import {
  countMissed,
  remove,
  resendMissed,
  rotate,
  sendTest,
  setPaused,
  verify,
} from "#app/(dashboard)/webhooks/actions.ts";
import type { PageProps } from "#app/page-props.ts";
import { SettingsForm } from "#components/form/form.tsx";
import { Allowed } from "#components/shell/permissions.tsx";
import { Card } from "#components/ui/card.tsx";
import { TextField } from "#components/ui/field.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { DeliveryChartCard } from "#components/webhook/delivery-chart-card.tsx";
import { describeEndpoint } from "#components/webhook/describe-endpoint.ts";
import { EndpointActions } from "#components/webhook/endpoint-actions.tsx";
import { EndpointFacts } from "#components/webhook/endpoint-facts.tsx";
import { endpointName } from "#components/webhook/endpoint-name.ts";
import { EndpointNotice } from "#components/webhook/endpoint-notice.tsx";
import { LiveRefresh } from "#components/webhook/live-refresh.tsx";
import { toLogRow } from "#components/webhook/log-row.ts";
import { RecentDeliveries } from "#components/webhook/recent-deliveries.tsx";
import { EndpointStateBadge } from "#components/webhook/state-badges.tsx";
import { contextOf, requireResellerUser } from "#lib/dashboard/session.ts";
import { listWebhookDeliveries } from "#lib/services/webhook/list-deliveries.ts";
import { getWebhookEndpointStats } from "#lib/services/webhook/stats.ts";
import { chartRangeOf, loadRange, rangeLinks } from "./chart-range.ts";
import { findEndpoint } from "./find.ts";

const RECENT_SHOWN = 10;
/** While a challenge's answer is awaited. */
const REFRESH_MS = 2_000;
const actions = { setPaused, remove, rotate, sendTest, verify, countMissed, resendMissed };

export default async function EndpointPage({ params, searchParams }: PageProps<"id">) {
  const [user, { id }, query] = await Promise.all([
    requireResellerUser("webhooks:read"),
    params,
    loadRange(searchParams),
  ]);
  const ctx = contextOf(user);
  const found = await findEndpoint(ctx, id);
  const range = chartRangeOf(query.range);
  const [buckets, { rows: deliveries }] = await Promise.all([
    getWebhookEndpointStats(ctx, { endpointId: found.id, spanMs: range.spanMs, buckets: range.buckets }),
    listWebhookDeliveries(ctx, { filter: { endpointId: found.id }, before: null, limit: RECENT_SHOWN }),
  ]);
  const endpoint = describeEndpoint(found, ctx.now());
  return (
    <>
      <LiveRefresh everyMs={endpoint.status === "pending" ? REFRESH_MS : null} />
      <PageHeader
        actions={
          <Allowed to="webhooks:write">
            <EndpointActions actions={actions} endpoint={endpoint} />
          </Allowed>
        }
        badge={<EndpointStateBadge state={endpoint.state} />}
        heading={endpointName(endpoint)}
        title={`${endpointName(endpoint)} · Webhooks`}
        trail={[{ label: "Webhooks", href: "/webhooks" }]}
      />
      <div className="flex flex-col gap-5">
        <EndpointNotice endpoint={endpoint} />
        {endpoint.state === "pending" && endpoint.format !== "standard" && (
          <Allowed to="webhooks:write">
            <Card title="Enter the code">
              <SettingsForm
                action={verify}
                className="flex max-w-sm flex-col gap-4"
                done="Endpoint verified"
                input={{ endpoint_id: endpoint.endpointId }}
                primary
                refusalNote="The endpoint is not verified."
                submitLabel="Verify endpoint"
              >
                <TextField
                  autoCapitalize="none"
                  hint="From the latest License Desk message in the chat. It is valid for an hour."
                  label="Code"
                  mono
                  name="code"
                  placeholder="k7mfa-2qpxz"
                />
              </SettingsForm>
            </Card>
          </Allowed>
        )}
        {endpoint.status !== "pending" && (
          <DeliveryChartCard
            bucketMs={range.spanMs / range.buckets}
            buckets={buckets}
            ranges={rangeLinks(endpoint.href, range)}
          />
        )}
        <EndpointFacts endpoint={endpoint} />
        <RecentDeliveries logHref={`/webhooks/log?endpoint=${endpoint.id}`} rows={deliveries.map(toLogRow)} />
      </div>
    </>
  );
}
