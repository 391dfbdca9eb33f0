import { wakeRenewals } from "#lib/services/renewals/run-due.ts";
import type { Job } from "./job.ts";

/** Every five minutes: adds a `renew_reseller` for each reseller with due renewals. */
export const renewDueJob: Job = async (ctx) => {
  await wakeRenewals(ctx);
  return null;
};
