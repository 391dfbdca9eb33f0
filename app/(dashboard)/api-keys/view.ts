import { hrefOf, textOf } from "#app/search-params.ts";
import { requestSpans, type StatusGroup, statusGroups } from "#components/api-key/request-filter.ts";
import type { RequestFilterValues } from "#components/api-key/request-filters.tsx";
import { timeLimitsOf } from "#components/ui/time-span.ts";
import type { ApiKeyId } from "#lib/domain/ids.ts";
import { parsePositiveInteger } from "#lib/domain/integer.ts";
import type { ApiKeyState } from "#lib/services/api-key/list.ts";
import type { ApiRequestFilter, ApiRequestPlace } from "#lib/services/api-key/list-requests.ts";
import { operationNames } from "./operations.ts";

type Query = Readonly<Record<string, string | string[] | undefined>>;

/** What the list shows: all of it is in the address. What makes no sense is left out. */
export interface KeyListView {
  readonly state: ApiKeyState | null;
  readonly before: ApiKeyId | null;
}

export const keyStates = [
  { value: "live", label: "Working" },
  { value: "ended", label: "Revoked or expired" },
] as const satisfies readonly { value: ApiKeyState; label: string }[];

export function parseListView(query: Query): KeyListView {
  return {
    state: keyStates.find(({ value }) => value === textOf(query.state))?.value ?? null,
    before: parsePositiveInteger(textOf(query.before) ?? "") as ApiKeyId | null,
  };
}

/** The same of a key's log. */
export interface RequestView extends RequestFilterValues {
  readonly before: ApiRequestPlace | null;
}

/** Milliseconds since 1970 and the row's id. */
const PLACE = /^(\d{1,15})-([1-9]\d{0,17})$/;

export function parseRequestView(query: Query): RequestView {
  const one = <Value extends string>(known: readonly Value[], name: string): Value | null =>
    known.find((value) => value === textOf(query[name])) ?? null;
  const span = one(requestSpans, "span");
  return {
    status: one<StatusGroup>(
      statusGroups.map(({ value }) => value),
      "status",
    ),
    operation: one(operationNames, "operation"),
    span,
    from: span === null ? timeOf(textOf(query.from)) : null,
    until: span === null ? timeOf(textOf(query.until)) : null,
    before: placeOf(textOf(query.before)),
  };
}

export function requestFilterOf(view: RequestView, now: Date): ApiRequestFilter {
  const { status, operation } = view;
  const statusClass = statusGroups.find(({ value }) => value === status)?.statusClass;
  return {
    ...(statusClass === undefined ? {} : { statusClass }),
    ...(operation === null ? {} : { operation }),
    ...timeLimitsOf(view, now),
  };
}

export function isFiltered({ before: _, ...filters }: RequestView): boolean {
  return Object.values(filters).some((value) => value !== null);
}

/** The log with the same filters, at another page. */
export function requestPageHref(path: string, view: RequestView, before: ApiRequestPlace | null): string {
  return hrefOf(path, { ...view, before: before === null ? null : `${before.startedAt.getTime()}-${before.id}` });
}

function placeOf(text: string | null): ApiRequestPlace | null {
  const [, ms, id] = PLACE.exec(text ?? "") ?? [];
  return ms === undefined || id === undefined ? null : { startedAt: new Date(Number(ms)), id };
}

function timeOf(text: string | null): string | null {
  const at = new Date(text ?? "");
  return Number.isNaN(at.getTime()) || at.getUTCFullYear() > 9999 || at.getUTCFullYear() < 1 ? null : at.toISOString();
}
