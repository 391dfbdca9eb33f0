import { checkLedger } from "#lib/services/wallet/check-ledger.ts";
import type { Job } from "./job.ts";

/** Every day. */
export const checkLedgerJob: Job = async (ctx) => {
  const { differences } = await checkLedger(ctx);
  if (differences > 0) throw new Error(`${differences} differences in the books: run admin wallet verify.`);
  return null;
};
