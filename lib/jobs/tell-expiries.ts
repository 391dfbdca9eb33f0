import { tellExpiries } from "#lib/services/renewals/tell-expiries.ts";
import type { Job } from "./job.ts";

export const tellExpiriesJob: Job = async (ctx) => {
  const told = await tellExpiries(ctx);
  return told.expired + told.expiringSoon > 0 ? told : null;
};
