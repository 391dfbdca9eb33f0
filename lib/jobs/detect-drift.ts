import { detectDrift } from "#lib/services/reconciliation/detect-drift.ts";
import type { Job } from "./job.ts";

export const detectDriftJob: Job = async (ctx) => ({ providers: await detectDrift(ctx) });
