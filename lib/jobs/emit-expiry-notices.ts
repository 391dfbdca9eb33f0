import { tellExpiries } from "#lib/services/renewals/tell-expiries.ts";
import type { Job } from "./job.ts";

export const emitExpiryNoticesJob: Job = async (ctx) => {
  const emitted = await tellExpiries(ctx);
  return emitted.expired + emitted.expiringSoon > 0 ? emitted : null;
};
