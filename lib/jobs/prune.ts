import { pruneOldRecords } from "#lib/services/retention/prune.ts";
import type { Job } from "./job.ts";

export const pruneJob: Job = (ctx) => pruneOldRecords(ctx);
