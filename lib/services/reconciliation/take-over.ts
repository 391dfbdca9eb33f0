import { type CaseDecision, takeOverFacts } from "#lib/db/reconciliation/action.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { adoptEnd, reportedEnd, termToleranceMs } from "#lib/domain/reported-term.ts";
import { requireAdmin, type ServiceContext, writesOf } from "#lib/services/context.ts";
import type { CaseSituation } from "./circumstances.ts";

/**
 * Copies the provider's facts to our license; a term to its whole bundle. `refund`: also refunds what was charged for the
 * time after the provider's end.
 * @throws DomainError as `decideCase`
 */
export async function takeOver(
  ctx: ServiceContext,
  situation: CaseSituation,
  decision: CaseDecision,
  how: { readonly refund: boolean },
): Promise<void> {
  requireAdmin(ctx);
  const { circumstances, difference } = situation;
  if (difference === null) throw new DomainError("conflict", "The license has ended since it was compared.");
  const { license, reported, traits, siblings } = difference;
  const changesTerm = circumstances.facts.differing.includes("term");
  const later = circumstances.term.end === "later";
  await takeOverFacts(writesOf(ctx), decision, {
    term: changesTerm ? adoptEnd({ ...license, months: license.cycleMonths }, reported, traits.terms) : null,
    siblings: changesTerm && later ? siblings : [],
    refundFrom: how.refund ? reportedEnd(reported) : null,
    toleranceMs: termToleranceMs[traits.terms],
  });
}
