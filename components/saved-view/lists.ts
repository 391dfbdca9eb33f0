import { createLoader, createSerializer, type ParserMap } from "nuqs/server";
import { AUDIT_PATH, auditParams } from "#components/audit/audit-params.ts";
import { serverParams } from "#components/diagnostics/server-params.ts";
import { licenseParams } from "#components/license/license-params.ts";
import { resellerParams } from "#components/reseller/reseller-params.ts";
import type { SavedList } from "#lib/domain/saved-view.ts";

interface List {
  readonly path: string;
  readonly params: ParserMap;
}

const lists: Readonly<Record<SavedList, List>> = {
  audit: { path: AUDIT_PATH, params: auditParams },
  licenses: { path: "/licenses", params: licenseParams },
  resellers: { path: "/resellers", params: resellerParams },
  servers: { path: "/diagnostics", params: serverParams },
};

export const savedListPaths = Object.values(lists).map(({ path }) => path);

/** What a list understands of a query, without the page: `?status=active`; empty if nothing is chosen. */
export function readViewQuery(list: SavedList, query: string): string {
  const { params } = lists[list];
  return createSerializer(params)({ ...createLoader(params)(query), before: null, after: null });
}

/** A view leads to its list's page, whatever its query. */
export function viewHref(list: SavedList, query: string): string {
  return `${lists[list].path}${readViewQuery(list, query)}`;
}
