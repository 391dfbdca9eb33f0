import { hrefOf, textOf } from "#app/search-params.ts";
import { spans, timeLimitsOf } from "#components/ui/time-span.ts";
import { type FilterOutcome, filterOutcomes } from "#components/webhook/filter-outcome.ts";
import type { LogFilterValues } from "#components/webhook/log-filters.tsx";
import { eventKinds } from "#lib/domain/events.ts";
import { parseLicenseId, parseWebhookEndpointId } from "#lib/domain/ids.ts";
import type { DeliveryFilter } from "#lib/services/webhook/list-deliveries.ts";

/** What the log shows: all of it is in the address. */
export interface LogView extends LogFilterValues {
  /** The delivery that the page before ended with; null for the newest. */
  readonly before: string | null;
}

const PATH = "/webhooks/log";
const DELIVERY_ID = /^[1-9]\d{0,17}$/;
const MAX_LICENSE_LENGTH = 40;
/** A license that nobody has: what was typed is no license's ID. */
const NO_LICENSE = 0;

/** What makes no sense is left out: an address typed by hand never fails. */
export function parseView(query: Readonly<Record<string, string | string[] | undefined>>): LogView {
  const one = <Value extends string>(known: readonly Value[], name: string): Value | null =>
    known.find((value) => value === textOf(query[name])) ?? null;
  const endpoint = textOf(query.endpoint);
  const span = one(spans, "span");
  const before = textOf(query.before);
  return {
    endpoint: endpoint !== null && parseWebhookEndpointId(endpoint) !== null ? endpoint : null,
    kind: one(eventKinds, "kind"),
    outcome: one<FilterOutcome>(
      filterOutcomes.map(({ value }) => value),
      "outcome",
    ),
    license: textOf(query.license)?.slice(0, MAX_LICENSE_LENGTH) ?? null,
    span,
    from: span === null ? timeOf(textOf(query.from)) : null,
    until: span === null ? timeOf(textOf(query.until)) : null,
    before: before !== null && DELIVERY_ID.test(before) ? before : null,
  };
}

function timeOf(text: string | null): string | null {
  const at = new Date(text ?? "");
  return Number.isNaN(at.getTime()) || at.getUTCFullYear() > 9999 || at.getUTCFullYear() < 1 ? null : at.toISOString();
}

export function filterOf(view: LogView, now: Date): DeliveryFilter {
  const { endpoint, kind, outcome, license } = view;
  return {
    ...(endpoint === null ? {} : { endpointId: parseWebhookEndpointId(endpoint) ?? 0 }),
    ...(kind === null ? {} : { kind }),
    ...(outcome === null ? {} : { state: outcome }),
    ...(license === null ? {} : { licenseId: parseLicenseId(license) ?? NO_LICENSE }),
    ...timeLimitsOf(view, now),
  };
}

export function isFiltered({ before: _, ...filters }: LogView): boolean {
  return Object.values(filters).some((value) => value !== null);
}

/** The log with the same filters, at another page. */
export function pageHref(view: LogView, before: string | null): string {
  return hrefOf(PATH, { ...view, before });
}

/** The filters as in the address, with their question mark; "" for none. */
export function searchOf(view: LogView): string {
  return hrefOf("", { ...view, before: null });
}
