import { emitExpiryNotices } from "#lib/services/renewals/emit-expiry-notices.ts";
import type { Job } from "./job.ts";

export const emitExpiryNoticesJob: Job = async (ctx) => {
  const emitted = await emitExpiryNotices(ctx);
  return emitted.expired + emitted.expiringSoon > 0 ? emitted : null;
};
