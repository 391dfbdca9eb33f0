import { maintainPartitions } from "#lib/services/retention/maintain-partitions.ts";
import type { Job } from "./job.ts";

/** Every hour, because another session's lock may postpone it. */
export const maintainPartitionsJob: Job = async (ctx) => {
  const changes = await maintainPartitions(ctx);
  return Object.values(changes).flat().length > 0 ? changes : null;
};
