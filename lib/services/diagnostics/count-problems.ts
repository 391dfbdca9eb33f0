import { countServerProblems, type ServerProblemCounts } from "#lib/db/diagnostics/server.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";

export type { ServerProblemCounts } from "#lib/db/diagnostics/server.ts";

/** More than that is "many", and need not be counted. */
export const MOST_COUNTED = 100;

/** How many servers somebody should look at; each count ends at `MOST_COUNTED`. */
export async function countOwnServerProblems(ctx: ServiceContext): Promise<ServerProblemCounts> {
  const resellerId = requireReseller(ctx, "diagnostics:read");
  return countServerProblems(ctx.db, resellerId, MOST_COUNTED, ctx.now());
}
