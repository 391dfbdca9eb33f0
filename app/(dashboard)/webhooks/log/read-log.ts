import { given, onward } from "#components/ui/list-params.ts";
import { timeLimitsOf } from "#components/ui/time-span.ts";
import { eventHref } from "#components/webhook/describe-endpoint.ts";
import { LOG_PATH, type LogView, logHref } from "#components/webhook/log-params.ts";
import type { LogPage, LogRow } from "#components/webhook/webhook.ts";
import { formatLicenseId, formatWebhookEndpointId, parseLicenseId, parseWebhookEndpointId } from "#lib/domain/ids.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { type DeliveryRow, listWebhookDeliveries } from "#lib/services/webhook/list-deliveries.ts";

const PAGE_SIZE = 50;
/** No license has this id: the text is not the id of a license. */
const NO_LICENSE = 0;

/** One page of the log, as the browser gets it. */
export async function readLog(ctx: ServiceContext, view: LogView): Promise<LogPage> {
  const { endpoint, kind, outcome: state, license, before } = view;
  const endpointId = parseWebhookEndpointId(endpoint ?? "");
  const licenseId = license === null ? null : (parseLicenseId(license) ?? NO_LICENSE);
  const { rows, next, total } = await listWebhookDeliveries(ctx, {
    filter: { ...given({ endpointId, kind, state, licenseId }), ...timeLimitsOf(view, ctx.now()) },
    before,
    limit: PAGE_SIZE,
  });
  return {
    rows: rows.map(toLogRow),
    total,
    ...onward((place) => logHref(LOG_PATH, { ...view, before: place }), { at: before, next }),
  };
}

/** As JSON has it: the browser reads the newest rows every two seconds. */
export function toLogRow(row: DeliveryRow): LogRow {
  return {
    id: Number(row.id),
    href: eventHref(row),
    kind: row.kind,
    test: row.test,
    license: row.licenseId === null ? null : formatLicenseId(row.licenseId),
    endpoint: {
      id: formatWebhookEndpointId(row.endpointId),
      url: row.endpointUrl,
      chatId: row.endpointChatId,
      description: row.endpointDescription,
    },
    outcome: row.state,
    attempts: row.attemptCount,
    underWay: row.state === "pending" && row.attemptCount > 0 && row.lastDurationMs === null && row.lastError === null,
    at: row.occurredAt.toISOString(),
    status: row.lastStatus,
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
  };
}
