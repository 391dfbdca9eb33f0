import { listProviderReferences } from "#lib/db/provider.ts";
import { compareOurLicenses, compareProviderBooks, openUnknownOutcomes } from "#lib/db/reconciliation-compare.ts";
import {
  beginComparison,
  type Comparison,
  closeAgreeingCases,
  finishComparison,
  keepBookPage,
  listProviderNames,
} from "#lib/db/reconciliation-comparison.ts";
import { DomainError, isDomainError } from "#lib/domain/errors.ts";
import { actorName, requireAdmin, type ServiceContext } from "#lib/services/context.ts";
import { getProvider } from "#lib/services/provider/get.ts";
import { readBookPages } from "./book-pages.ts";

const PIECE = 2_000;
/** Of a page of books or a piece of the comparison: longer than any of them takes. */
const LEASE_MS = 10 * 60_000;

export interface ComparisonSummary {
  readonly provider: string;
  /** `busy`: somebody else is comparing it now. */
  readonly outcome: "compared" | "busy" | "unreadable";
  /** Ours that were looked at. */
  readonly licenses: number;
  readonly differences: number;
}

/**
 * Compares every provider's books (or one's) with our licenses and the ledger, and opens a case for each difference;
 * cases whose difference is gone close by themselves as `agrees`. Nothing is changed but cases. Terms are not
 * compared: what has expired here or there is no difference. What is happening meanwhile is left for the next time.
 * @throws DomainError `permission_denied`
 */
export async function detectDrift(
  ctx: ServiceContext,
  input: { readonly provider?: string | undefined } = {},
): Promise<readonly ComparisonSummary[]> {
  requireAdmin(ctx);
  const names = await listProviderNames(ctx.db);
  const wanted = input.provider === undefined ? names : names.filter((name) => name === input.provider);
  if (wanted.length === 0) throw new DomainError("not_found", "There is no such provider.");
  return Promise.all(wanted.map((name) => compareProvider(ctx, name)));
}

async function compareProvider(ctx: ServiceContext, provider: string): Promise<ComparisonSummary> {
  const now = ctx.now();
  const comparison = await beginComparison(ctx.db, {
    provider,
    actor: actorName(ctx),
    now,
    leaseUntil: leaseFrom(now),
  });
  if (!comparison) return { provider, outcome: "busy", licenses: 0, differences: 0 };
  const sums = { licenses: 0, differences: 0 };
  let failureMessage: string | null = null;
  try {
    const before = new Date(now.getTime() - ctx.settings.inboxAfterMs);
    sums.differences += await openUnknownOutcomes(ctx.db, comparison, before);
    await readBooks(ctx, comparison);
    await comparePieces(ctx, comparison, sums);
  } catch (error) {
    failureMessage = isDomainError(error) ? error.message : "Something went wrong on our side.";
    if (!isDomainError(error)) throw error;
  } finally {
    await closeAgreeingCases(ctx.db, comparison, failureMessage === null);
    const { licenses: licenseCount, differences: differenceCount } = sums;
    await finishComparison(ctx.db, comparison, { now: ctx.now(), licenseCount, differenceCount, failureMessage });
  }
  return { provider, outcome: failureMessage === null ? "compared" : "unreadable", ...sums };
}

async function readBooks(ctx: ServiceContext, comparison: Comparison): Promise<void> {
  const provider = await getProvider(ctx, comparison.provider);
  const pages = readBookPages(provider, () => listProviderReferences(ctx.db, comparison.provider));
  for await (const page of pages) await keepBookPage(ctx.db, comparison, page, leaseFrom(ctx.now()));
}

async function comparePieces(
  ctx: ServiceContext,
  comparison: Comparison,
  sums: { licenses: number; differences: number },
): Promise<void> {
  for (let afterId: number | null = 0; afterId !== null; ) {
    const piece = await compareOurLicenses(ctx.db, comparison, { afterId, limit: PIECE });
    sums.licenses += piece.looked;
    sums.differences += piece.found;
    afterId = piece.next;
  }
  for (let afterReference: string | null = ""; afterReference !== null; ) {
    const piece = await compareProviderBooks(ctx.db, comparison, { afterReference, limit: PIECE });
    sums.differences += piece.found;
    afterReference = piece.next;
  }
}

function leaseFrom(now: Date): Date {
  return new Date(now.getTime() + LEASE_MS);
}
