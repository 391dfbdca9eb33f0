import { adoptProviderFacts, type CaseDecision } from "#lib/db/reconciliation/action.ts";
import type { CaseDetails } from "#lib/db/reconciliation/details.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { adoptEnd, reportedEnd, termToleranceMs } from "#lib/domain/reported-term.ts";
import { requireAdmin, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { quoteRenewalAfterRemoval } from "#lib/services/license/quote-renewal-after-removal.ts";
import type { CaseSituation } from "./read-situation.ts";

/**
 * Copies the provider's facts to our license, and a term to its whole bundle. `refund`: also refunds charges for the time
 * after the provider's end.
 * @throws DomainError of `decideCase`
 */
export async function adoptFacts(
  ctx: ServiceContext,
  { details, caseContext, difference }: CaseSituation,
  decision: CaseDecision,
  how: { readonly refund: boolean },
): Promise<void> {
  requireAdmin(ctx, "cases:decide");
  if (difference === null) throw new DomainError("conflict", "The license has ended since it was compared.");
  const { license, reported, traits, siblings } = difference;
  const changesTerm = caseContext.facts.differing.includes("term");
  const later = caseContext.term.end === "later";
  await adoptProviderFacts(writesOf(ctx), decision, {
    term: changesTerm ? adoptEnd({ ...license, months: license.cycleMonths }, reported, traits.terms) : null,
    siblings: changesTerm && later ? siblings : [],
    refundFrom: how.refund ? reportedEnd(reported) : null,
    toleranceMs: termToleranceMs[traits.terms],
    renewalPriceCap: how.refund ? null : await quoteAfterRemoval(ctx, details.resellerId, difference),
  });
}

/** Price of the next renewal if the provider has fewer cores, which then are no longer agreed to; otherwise null. */
async function quoteAfterRemoval(
  ctx: ServiceContext,
  resellerId: CaseDetails["resellerId"],
  { license, reported: { cores } }: NonNullable<CaseSituation["difference"]>,
): Promise<bigint | null> {
  if (resellerId === null || cores === null || license.cores === null || cores >= license.cores) return null;
  return quoteRenewalAfterRemoval(ctx, resellerId, license, { cores, now: ctx.now() });
}
