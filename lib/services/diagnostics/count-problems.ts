import { countServerProblems, type ServerProblemCounts } from "#lib/db/diagnostics/server.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";

export type { ServerProblemCounts } from "#lib/db/diagnostics/server.ts";

/** The interface shows larger counts as "many". */
export const MOST_COUNTED = 100;

/** Servers with problems; each count stops at `MOST_COUNTED`. */
export async function countOwnServerProblems(ctx: ServiceContext): Promise<ServerProblemCounts> {
  const resellerId = requireReseller(ctx, "diagnostics:read");
  return countServerProblems(ctx.db, resellerId, MOST_COUNTED, ctx.now());
}
