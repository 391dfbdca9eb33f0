import type { Comparison } from "#lib/db/reconciliation/comparison.ts";
import { type CaseDetails, listSeenCases } from "#lib/db/reconciliation/details.ts";
import { findListPrice, storeCaseValues } from "#lib/db/reconciliation/value.ts";
import { computeCaseValue } from "#lib/domain/case-value.ts";
import type { CaseValue } from "#lib/domain/reconciliation.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";
import { readSituation } from "./read-situation.ts";

const PAGE_SIZE = 200;

/** Updates the value of every open case that a comparison has found. */
export async function valueCases(ctx: ServiceContext, comparison: Comparison): Promise<void> {
  requireAdmin(ctx, "admin:read");
  const { provider, startedAt } = comparison;
  for (let afterId: number | null = 0; afterId !== null; ) {
    const page: CaseDetails[] = await listSeenCases(
      ctx.db,
      { provider, seenAt: startedAt },
      { afterId, limit: PAGE_SIZE },
    );
    const values: { id: number; value: CaseValue | null }[] = [];
    for (const details of page) values.push({ id: details.id, value: await valueCase(ctx, details) });
    if (values.length > 0) await storeCaseValues(ctx.db, comparison, values);
    afterId = page.length < PAGE_SIZE ? null : (page.at(-1)?.id ?? null);
  }
}

async function valueCase(ctx: ServiceContext, details: CaseDetails): Promise<CaseValue | null> {
  const { caseContext } = await readSituation(ctx, details);
  const listed = details.kind === "unknown_at_ours" ? await findListed(ctx, details) : null;
  const worth = computeCaseValue(caseContext, listed?.price ?? null);
  const currency = listed?.currency ?? details.currency;
  return worth === null || currency === null ? null : { what: worth.what, amount: worth.amount.toString(), currency };
}

function findListed(ctx: ServiceContext, { provider, facts }: CaseDetails) {
  const providerSku = facts.provider?.product ?? null;
  return providerSku === null ? null : findListPrice(ctx.db, { provider, providerSku });
}
