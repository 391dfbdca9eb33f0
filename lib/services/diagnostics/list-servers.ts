import { listServerPage, type ServerFilter, type ServerListItem } from "#lib/db/diagnostics/server.ts";
import type { Severity } from "#lib/domain/server-checks.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";

export type { ServerFilter } from "#lib/db/diagnostics/server.ts";

/** A place in the order of servers: how bad, then which address. */
export interface ServerPlace {
  readonly severity: Severity;
  readonly address: string;
}

/** With how bad it was when it was listed. */
export interface ListedServer extends ServerListItem {
  readonly severity: Severity;
}

export interface ServerList {
  readonly servers: readonly ListedServer[];
  /** Where the next page begins; null at the end. */
  readonly nextAfter: ServerPlace | null;
  /** Before which the previous page ends; null at the start. */
  readonly previousBefore: ServerPlace | null;
}

export interface ServerListInput {
  readonly filter: ServerFilter;
  /** The last place of the page before; null for the first page. */
  readonly after: ServerPlace | null;
  /** The first place of the page after: the page that ends right before it. Not together with `after`. */
  readonly before?: ServerPlace | null;
  readonly limit: number;
}

const sortBySeverity: readonly Severity[] = [2, 1, 0];

/**
 * One page of the addresses that agents have reported on, the worst first; those without a license in force are left
 * out. Going back to less than a page gives the whole first page.
 */
export async function listServers(ctx: ServiceContext, input: ServerListInput): Promise<ServerList> {
  const resellerId = requireReseller(ctx, "diagnostics:read");
  const { filter, limit, before = null, after } = input;
  const now = ctx.now();
  const backward = before !== null;
  const edge = before ?? after;
  const found: ListedServer[] = [];
  for (const severity of backward ? sortBySeverity.toReversed() : sortBySeverity) {
    const passed = edge !== null && (backward ? severity < edge.severity : severity > edge.severity);
    if (passed || found.length > limit) continue;
    const rows = await listServerPage(ctx.db, resellerId, {
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
  return {
    servers,
    nextAfter: last && (backward || more) ? placeOf(last) : null,
    previousBefore: first && (backward ? more : after !== null) ? placeOf(first) : null,
  };
}

function placeOf({ severity, address }: ListedServer): ServerPlace {
  return { severity, address };
}
