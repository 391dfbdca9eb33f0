import { queueProblemMailRows } from "#lib/db/mail/mail.ts";
import type { SystemCheckName } from "#lib/domain/system-health.ts";
import { requireSystem, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { readChecks } from "#lib/services/system/get.ts";

/** Differences have a message of their own, and messages that wait would wait for one more. */
const NOT_REPORTED: readonly SystemCheckName[] = ["comparisons", "cases", "mails"];

/**
 * Writes a message to admins if checks of the installation fail, once a day for the same checks. Returns the number of
 * messages.
 */
export async function queueProblemMails(ctx: ServiceContext): Promise<number> {
  requireSystem(ctx);
  const problems = (await readChecks(ctx)).filter(
    ({ name, status }) => status === "problem" && !NOT_REPORTED.includes(name),
  );
  if (problems.length === 0) return 0;
  const names = problems.map(({ name }) => name);
  const texts = problems.map(({ detail }) => `${detail}.`);
  return queueProblemMailRows(writesOf(ctx), names, texts, ctx.now());
}
