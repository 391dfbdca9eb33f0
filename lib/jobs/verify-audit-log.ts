import { verifyAuditLog } from "#lib/services/audit/verify.ts";
import { Finding, type Job } from "./job.ts";

/** Every day. Its summary puts the head into the server's log, outside the database. */
export const verifyAuditLogJob: Job = async (ctx) => {
  const { head, problems, unlinkedEntries } = await verifyAuditLog(ctx);
  const count = problems.length + unlinkedEntries;
  if (count > 0) throw new Finding(`${count} entries of the audit log are not as written: run admin audit verify.`);
  return { head: head && `${head.position}:${head.hash}` };
};
