import { countServers, listServerPage, type ServerFilter, type ServerListItem } from "#lib/db/diagnostics/server.ts";
import type { Severity } from "#lib/domain/server-checks.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";
import { totalOf } from "#lib/services/page.ts";

export type { ServerFilter } from "#lib/db/diagnostics/server.ts";

/** A cursor: severity, then address. */
export interface ServerPlace {
  readonly severity: Severity;
  readonly address: string;
}

/** With its severity at the time of listing. */
export interface ListedServer extends ServerListItem {
  readonly severity: Severity;
}

export interface ServerList {
  readonly servers: readonly ListedServer[];
  /** Cursor of the next page; null at the end. */
  readonly nextAfter: ServerPlace | null;
  /** Cursor of the previous page; null at the start. */
  readonly previousBefore: ServerPlace | null;
  /** On all pages, up to one more than `COUNTED_AT_MOST`; null if there is one page, or with a filter. */
  readonly total: number | null;
}

export interface ServerListInput {
  readonly filter: ServerFilter;
  /** The last place of the previous page; null for the first page. */
  readonly after: ServerPlace | null;
  /** The first place of the next page, to page backward. Exclusive with `after`. */
  readonly before?: ServerPlace | null;
  readonly limit: number;
}

const sortBySeverity: readonly Severity[] = [2, 1, 0];

/**
 * One page of reported addresses with a license in force, the worst first. Paging back to less than a page returns the
 * whole first page.
 */
export async function listServers(ctx: ServiceContext, input: ServerListInput): Promise<ServerList> {
  const resellerId = requireReseller(ctx, "diagnostics:read");
  const { filter, limit, before = null, after } = input;
  const now = ctx.now();
  const backward = before !== null;
  const edge = before ?? after;
  const reads = await ctx.db.reads();
  const found: ListedServer[] = [];
  for (const severity of backward ? sortBySeverity.toReversed() : sortBySeverity) {
    const passed = edge !== null && (backward ? severity < edge.severity : severity > edge.severity);
    if (passed || found.length > limit) continue;
    const rows = await listServerPage(reads, resellerId, {
      filter,
      severity,
      direction: backward ? "backward" : "forward",
      beyond: edge?.severity === severity ? edge.address : null,
      limit: limit + 1 - found.length,
      now,
    });
    found.push(...rows.map((row) => ({ ...row, severity })));
  }
  const more = found.length > limit;
  if (backward && found.length < limit) return listServers(ctx, { filter, limit, after: null });
  const servers = backward ? found.slice(0, limit).reverse() : found.slice(0, limit);
  const [first, last] = [servers.at(0), servers.at(-1)];
  const nextAfter = last && (backward || more) ? placeOf(last) : null;
  const previousBefore = first && (backward ? more : after !== null) ? placeOf(first) : null;
  // Texts and problems are compared server by server.
  const count = Object.keys(filter).length === 0 ? () => countServers(reads, resellerId, now) : null;
  return {
    servers,
    nextAfter,
    previousBefore,
    total: await totalOf((nextAfter ?? null) !== null || (previousBefore ?? null) !== null, count),
  };
}

function placeOf({ severity, address }: ListedServer): ServerPlace {
  return { severity, address };
}
