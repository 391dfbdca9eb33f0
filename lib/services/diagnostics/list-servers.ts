import { countServers, listServerPage, type ServerFilter, type ServerListItem } from "#lib/db/diagnostics/server.ts";
import type { Severity } from "#lib/domain/server-checks.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";
import { readTwoWayPage, type TwoWayPage } from "#lib/services/page.ts";

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

export interface ServerListInput {
  readonly filter: ServerFilter;
  /** The last place of the previous page; null for the first page. */
  readonly after: ServerPlace | null;
  /** The first place of the next page, to page backward. Exclusive with `after`. */
  readonly before?: ServerPlace | null;
  readonly limit?: number;
}

const sortBySeverity: readonly Severity[] = [2, 1, 0];

/** One page of reported addresses with a license in force, the worst first. */
export async function listServers(
  ctx: ServiceContext,
  { filter, limit, before = null, after }: ServerListInput,
): Promise<TwoWayPage<ListedServer, ServerPlace>> {
  const resellerId = requireReseller(ctx, "diagnostics:read");
  const now = ctx.now();
  const reads = await ctx.db.reads();

  async function list(edge: ServerPlace | null, direction: "forward" | "backward", limit: number) {
    const found: ListedServer[] = [];
    const backward = direction === "backward";
    for (const severity of backward ? sortBySeverity.toReversed() : sortBySeverity) {
      const passed = edge !== null && (backward ? severity < edge.severity : severity > edge.severity);
      if (passed || found.length >= limit) continue;
      const beyond = edge?.severity === severity ? edge.address : null;
      const page = { filter, severity, direction, beyond, limit: limit - found.length, now };
      const rows = await listServerPage(reads, resellerId, page);
      found.push(...rows.map((row) => ({ ...row, severity })));
    }
    return backward ? found.reverse() : found;
  }

  return readTwoWayPage(
    { onward: after, back: before, limit },
    {
      list: ({ onward, back, limit }) => list(back ?? onward, back === null ? "forward" : "backward", limit),
      // Texts and problems are compared server by server.
      count: Object.keys(filter).length === 0 ? () => countServers(reads, resellerId, now) : null,
      placeOf: ({ severity, address }) => ({ severity, address }),
    },
  );
}
