import { countUnreported } from "#lib/db/reconciliation/books.ts";
import { countOpenCases } from "#lib/db/reconciliation/case.ts";
import { compareOurLicenses, compareProviderBooks, openUnknownOutcomes } from "#lib/db/reconciliation/compare.ts";
import {
  beginComparison,
  type Comparison,
  closeAgreeingCases,
  finishComparison,
  listProviderNames,
  releaseComparison,
} from "#lib/db/reconciliation/comparison.ts";
import { DomainError, isDomainError } from "#lib/domain/errors.ts";
import type { ProviderTraits } from "#lib/domain/provider-traits.ts";
import type { CaseKind, ComparedFact } from "#lib/domain/reconciliation.ts";
import { actorName, requireAdmin, type ServiceContext } from "#lib/services/context.ts";
import { readBooks } from "./read-books.ts";
import { valueCases } from "./value-cases.ts";

const PAGE_SIZE = 2_000;
/** For a provider that is not configured, whose books cannot be read either. */
const unknownTraits: ProviderTraits = { terms: "counted", endsBySuspending: true };

export interface ComparisonSummary {
  readonly provider: string;
  /** `busy`: another process is comparing this provider. */
  readonly outcome: "compared" | "busy" | "unreadable";
  /** Number of our licenses compared. */
  readonly licenses: number;
  readonly differences: number;
  /** Licenses by fact that the provider's books did not report, and that was not compared. */
  readonly unreported: Readonly<Partial<Record<ComparedFact, number>>>;
  /** All open cases of the provider afterwards. */
  readonly openCases: Readonly<Partial<Record<CaseKind, number>>>;
}

/**
 * Compares every paid fact in the books of all providers, or one, with our licenses and the ledger. Opens a case with a
 * value for each difference, and closes cases without one as `agrees`. Changes only cases. Changes made meanwhile wait for
 * the next comparison.
 * @param complete reads single licenses for all facts that the provider's list omits
 * @throws DomainError `not_found`
 */
export async function detectDrift(
  ctx: ServiceContext,
  input: { readonly provider?: string | undefined; readonly complete?: boolean | undefined } = {},
): Promise<readonly ComparisonSummary[]> {
  requireAdmin(ctx, "cases:decide");
  const names = await listProviderNames(ctx.db);
  const selected = input.provider === undefined ? names : names.filter((name) => name === input.provider);
  if (selected.length === 0) throw new DomainError("not_found", "There is no such provider.");
  const summaries = await Promise.all(selected.map((name) => compareProvider(ctx, name, input.complete ?? false)));
  return summaries.filter((summary) => summary !== null);
}

/** Null: the provider is gone. */
async function compareProvider(
  ctx: ServiceContext,
  provider: string,
  complete: boolean,
): Promise<ComparisonSummary | null> {
  const traits = (await ctx.providers.get(provider))?.traits ?? unknownTraits;
  const lease = await ctx.leases.begin(async () => false);
  try {
    const start = { provider, traits, actor: actorName(ctx), now: ctx.now() };
    const comparison = await beginComparison(ctx.db, lease, start);
    if (comparison) return await runComparison(ctx, comparison, complete);
  } catch (error) {
    ctx.leases.abandon(() => releaseComparison(ctx.db, lease));
    throw error;
  }
  if (!(await listProviderNames(ctx.db)).includes(provider)) return null;
  const openCases = await countCases(ctx, provider);
  return { provider, outcome: "busy", licenses: 0, differences: 0, unreported: {}, openCases };
}

async function runComparison(
  ctx: ServiceContext,
  comparison: Comparison,
  complete: boolean,
): Promise<ComparisonSummary> {
  const { provider, startedAt } = comparison;
  const sums = { licenses: 0, differences: 0 };
  let unreported: ComparisonSummary["unreported"] = {};
  let failureMessage: string | null = null;
  try {
    const before = new Date(startedAt.getTime() - ctx.settings.inboxAfterMs);
    sums.differences += await openUnknownOutcomes(ctx.db, comparison, before);
    await readBooks(ctx, comparison, { complete });
    unreported = await countUnreported(ctx.db, comparison);
    await comparePages(ctx, comparison, sums);
  } catch (error) {
    failureMessage = isDomainError(error) ? error.message : "Something went wrong on our side.";
    if (!isDomainError(error)) throw error;
  } finally {
    await valueCases(ctx, comparison);
    await closeAgreeingCases(ctx.db, comparison, failureMessage === null);
    const { licenses: licenseCount, differences: differenceCount } = sums;
    await finishComparison(ctx.db, comparison, { now: ctx.now(), licenseCount, differenceCount, failureMessage });
  }
  const outcome = failureMessage === null ? "compared" : "unreadable";
  return { provider, outcome, ...sums, unreported, openCases: await countCases(ctx, provider) };
}

async function countCases(ctx: ServiceContext, provider: string): Promise<ComparisonSummary["openCases"]> {
  const counts = await countOpenCases(ctx.db, { provider });
  return Object.fromEntries(counts.map(({ kind, count }) => [kind, count]));
}

async function comparePages(
  ctx: ServiceContext,
  comparison: Comparison,
  sums: { licenses: number; differences: number },
): Promise<void> {
  for (let afterId: number | null = 0; afterId !== null; ) {
    const page = await compareOurLicenses(ctx.db, comparison, { afterId, limit: PAGE_SIZE });
    sums.licenses += page.looked;
    sums.differences += page.found;
    afterId = page.next;
  }
  for (let afterReference: string | null = ""; afterReference !== null; ) {
    const page = await compareProviderBooks(ctx.db, comparison, { afterReference, limit: PAGE_SIZE });
    sums.differences += page.found;
    afterReference = page.next;
  }
}
