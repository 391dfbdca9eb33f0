import { checkLedger } from "#lib/services/wallet/check-ledger.ts";
import { Finding, type Job } from "./job.ts";

/** Every day. */
export const checkLedgerJob: Job = async (ctx) => {
  const { differences } = await checkLedger(ctx);
  if (differences > 0) throw new Finding(`${differences} differences in the books: run admin wallet verify.`);
  return null;
};
