import { endFalseWaitRows } from "#lib/db/job/false-waits.ts";
import { requireSystem, type ServiceContext } from "#lib/services/context.ts";

/** Makes due what a clock that was ahead has postponed beyond its longest delay. Returns how many waited. */
export async function endFalseWaits(ctx: ServiceContext): Promise<number> {
  requireSystem(ctx);
  return endFalseWaitRows(ctx.db, ctx.now());
}
