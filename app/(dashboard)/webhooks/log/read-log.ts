import { given, onward } from "#components/ui/list-params.ts";
import { timeLimitsOf } from "#components/ui/time-span.ts";
import { LOG_PATH, type LogView, logHref } from "#components/webhook/log-params.ts";
import { type LogPage, toLogRow } from "#components/webhook/log-row.ts";
import { parseLicenseId, parseWebhookEndpointId } from "#lib/domain/ids.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { listWebhookDeliveries } from "#lib/services/webhook/list-deliveries.ts";

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
  });
  return {
    rows: rows.map(toLogRow),
    total,
    ...onward((place) => logHref(LOG_PATH, { ...view, before: place }), before, next),
  };
}
