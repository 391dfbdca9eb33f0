import { hrefOf, textOf } from "#app/search-params.ts";
import type { AuditFilterValues } from "#components/audit/audit-filters.tsx";
import { spans, timeLimitsOf } from "#components/ui/time-span.ts";
import { auditActions } from "#lib/domain/audit.ts";
import { parsePositiveInteger } from "#lib/domain/integer.ts";
import type { AuditFilter } from "#lib/services/audit/list.ts";

/** What the log shows: all of it is in the address. */
export interface AuditView extends AuditFilterValues {
  readonly before: string | null;
}

export const AUDIT_PATH = "/audit";
const ENTRY_ID = /^[1-9]\d{0,17}$/;
const MAX_TEXT_LENGTH = 200;

/** What makes no sense is left out: an address typed by hand never fails. */
export function parseView(query: Readonly<Record<string, string | string[] | undefined>>): AuditView {
  const text = (name: string) => textOf(query[name])?.trim().slice(0, MAX_TEXT_LENGTH) || null;
  const action = textOf(query.action);
  const span = spans.find((known) => known === textOf(query.span)) ?? null;
  const before = textOf(query.before);
  return {
    actor: text("actor"),
    action: action !== null && Object.hasOwn(auditActions, action) ? action : null,
    reseller: parsePositiveInteger(textOf(query.reseller))?.toString() ?? null,
    subject: text("subject"),
    span,
    from: span === null ? timeOf(textOf(query.from)) : null,
    until: span === null ? timeOf(textOf(query.until)) : null,
    before: before !== null && ENTRY_ID.test(before) ? before : null,
  };
}

function timeOf(text: string | null): string | null {
  const at = new Date(text ?? "");
  return Number.isNaN(at.getTime()) || at.getUTCFullYear() > 9999 || at.getUTCFullYear() < 1 ? null : at.toISOString();
}

export function filterOf(view: AuditView, now: Date): AuditFilter {
  const { actor, action, reseller, subject } = view;
  return {
    actor: actor ?? undefined,
    action: action ?? undefined,
    resellerId: parsePositiveInteger(reseller) ?? undefined,
    subject: subject ?? undefined,
    ...timeLimitsOf(view, now),
  };
}

export function isFiltered({ before: _, ...filters }: AuditView): boolean {
  return Object.values(filters).some((value) => value !== null);
}

/** The log with the same filters, at another page. */
export function pageHref(view: AuditView, before: string | null): string {
  return hrefOf(AUDIT_PATH, { ...view, before });
}
