import { type PartitionChanges, updatePartitions } from "#lib/db/partition/partitions.ts";
import { requireSystem, type ServiceContext } from "#lib/services/context.ts";

/** Creates the partitions that new rows need, and removes rows older than their table keeps. */
export async function maintainPartitions(ctx: ServiceContext): Promise<PartitionChanges> {
  requireSystem(ctx);
  return updatePartitions(ctx.db, ctx.now());
}
