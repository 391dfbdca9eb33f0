import { presentLogRow } from "#app/(dashboard)/webhooks/present.ts";
import type { LogPage } from "#components/webhook/webhook.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { listWebhookDeliveries } from "#lib/services/webhook/list-deliveries.ts";
import { filterOf, type LogView, pageHref } from "./view.ts";

const PAGE_SIZE = 50;

/** One page of the log, as the browser gets it. */
export async function readLog(ctx: ServiceContext, view: LogView): Promise<LogPage> {
  const { deliveries, nextBefore } = await listWebhookDeliveries(ctx, {
    filter: filterOf(view, ctx.now()),
    before: view.before,
    limit: PAGE_SIZE,
  });
  return {
    rows: deliveries.map(presentLogRow),
    firstHref: view.before === null ? null : pageHref(view, null),
    nextHref: nextBefore === null ? null : pageHref(view, nextBefore),
  };
}
