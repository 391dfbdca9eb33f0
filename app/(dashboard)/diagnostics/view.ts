import { hrefOf, textOf } from "#app/search-params.ts";
import { type ServerProblem, serverProblems } from "#components/diagnostics/check-text.ts";
import { parseIpv4 } from "#lib/domain/ipv4.ts";
import type { Severity } from "#lib/domain/server-checks.ts";
import type { ServerFilter, ServerPlace } from "#lib/services/diagnostics/list-servers.ts";

/** What the list shows: all of it is in the address. */
export interface ServerView {
  readonly q: string | null;
  readonly problem: ServerProblem | null;
  readonly after: ServerPlace | null;
  readonly before: ServerPlace | null;
}

const MAX_SEARCH_LENGTH = 200;
const severities: readonly Severity[] = [0, 1, 2];

/** What makes no sense is left out: an address typed by hand never fails. */
export function parseView(query: Readonly<Record<string, string | string[] | undefined>>): ServerView {
  const after = parsePlace(textOf(query.after));
  return {
    q: textOf(query.q)?.slice(0, MAX_SEARCH_LENGTH) ?? null,
    problem: serverProblems.find((problem) => problem === textOf(query.problem)) ?? null,
    after,
    before: after === null ? parsePlace(textOf(query.before)) : null,
  };
}

/** `2-203.0.113.7`: how bad, then which address. */
function parsePlace(text: string | null): ServerPlace | null {
  const [level, address] = text?.split("-", 2) ?? [];
  const severity = severities.find((known) => String(known) === level);
  const ip = parseIpv4(address ?? "");
  return severity === undefined || ip === null ? null : { severity, address: ip };
}

/** The list with the same filters, at another page. */
export function pageHref({ q, problem }: ServerView, edge: Partial<Pick<ServerView, "after" | "before">>): string {
  const { after = null, before = null } = edge;
  return hrefOf("/diagnostics", { q, problem, after: placeText(after), before: placeText(before) });
}

function placeText(place: ServerPlace | null): string | null {
  return place === null ? null : `${place.severity}-${place.address}`;
}

export function filterOf({ q, problem }: ServerView): ServerFilter {
  return { ...(q === null ? {} : { text: q.trim() }), ...(problem === null ? {} : { problem }) };
}

export function isFiltered({ q, problem }: ServerView): boolean {
  return q !== null || problem !== null;
}
