import { findLicense, type LicenseRow } from "#lib/db/license/license.ts";
import { type CaseDetails, listSiblingTermCases, type SiblingCase } from "#lib/db/reconciliation/details.ts";
import { sumUnprovidedCharges } from "#lib/db/reconciliation/value.ts";
import type { CaseContext } from "#lib/domain/case-context.ts";
import { isDomainError } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { roundHalfUp } from "#lib/domain/money.ts";
import type { ProviderTraits } from "#lib/domain/provider-traits.ts";
import { adoptEnd, compareEnd, cyclesBetween, reportedEnd, termToleranceMs } from "#lib/domain/reported-term.ts";
import { addMonths } from "#lib/domain/term.ts";
import { quoteBundleRenewals } from "#lib/services/bundle/quote-renewal.ts";
import { onBehalfOf, requireAdmin, type ServiceContext } from "#lib/services/context.ts";
import { quoteCoreChange } from "#lib/services/license/quote-core-change.ts";
import { quoteRenewals } from "#lib/services/license/quote-renewal.ts";

/** A license on both sides, and how they differ. */
export interface Difference {
  readonly license: LicenseRow;
  readonly reported: NonNullable<CaseDetails["facts"]["provider"]>;
  readonly traits: ProviderTraits;
  /** Open cases of the bundle's other members with the same end at the provider. */
  readonly siblings: readonly SiblingCase[];
}

export interface CaseSituation {
  readonly details: CaseDetails;
  readonly caseContext: CaseContext;
  /** Null for other kinds of cases. */
  readonly difference: Difference | null;
}

/** Reads what determines the actions of a case and their amounts. */
export async function readSituation(ctx: ServiceContext, details: CaseDetails): Promise<CaseSituation> {
  requireAdmin(ctx, "admin:read");
  const traits = (await ctx.providers.get(details.provider))?.traits ?? null;
  const known: CaseContext = {
    kind: details.kind,
    resolved: details.resolvedAt !== null,
    bundle: details.bundle,
    facts: details.facts,
    operationKind: details.operationKind,
    partsHeld: details.partsHeld,
    parts: details.parts,
    term: { end: null, cycles: null, membersAlike: 1, members: 1 },
    provider: traits,
    paid: details.paid,
    due: details.due,
    price: details.price,
    unprovided: 0n,
    renewalPrice: null,
    corePrice: null,
    unpaid: null,
  };
  const { provider: reported, differing } = details.facts;
  const { resellerId, licenseId } = details;
  if (known.resolved || reported === null || differing.length === 0 || traits === null)
    return { details, caseContext: known, difference: null };
  const license = resellerId && licenseId ? await findLicense(ctx.db, resellerId, licenseId) : null;
  if (license === null || resellerId === null) return { details, caseContext: known, difference: null };
  const { siblings, members } = await readSiblings(ctx, details, license, traits);
  const difference = { license, reported, traits, siblings };
  const term = { ...readTerm(details.facts.ours, difference), membersAlike: siblings.length + 1, members };
  const unprovided = term.end === "earlier" ? await sumUnprovided(ctx, difference) : 0n;
  const cyclePrice = term.end === "later" ? await findRenewalPrice(ctx, resellerId, license) : null;
  const renewalPrice = cyclePrice !== null && term.cycles !== null ? cyclePrice * BigInt(term.cycles) : null;
  const time = renewalPrice ?? (cyclePrice === null ? null : priceOfTime(cyclePrice, difference));
  const corePrice = differing.includes("cores") ? await findCorePrice(ctx, resellerId, difference) : null;
  const cores = corePrice !== null && corePrice > 0n ? corePrice : null;
  const unpaid = time === null ? cores : time + (cores ?? 0n);
  return { details, caseContext: { ...known, term, unprovided, renewalPrice, corePrice, unpaid }, difference };
}

/** Uses the term as compared; the action detects later changes. */
function readTerm(ours: CaseDetails["facts"]["ours"], { license, reported, traits }: Difference) {
  const basis = traits.terms;
  const term = { anchoredAt: license.anchoredAt, expiresAt: ours ? new Date(ours.expires_at) : license.expiresAt };
  return {
    end: compareEnd(term.expiresAt, reported, basis),
    cycles: cyclesBetween(term, { reported, months: license.cycleMonths, basis }),
  };
}

/** The bundle's other members that would adopt the same term. */
async function readSiblings(ctx: ServiceContext, details: CaseDetails, license: LicenseRow, { terms }: ProviderTraits) {
  if (license.bundleInstanceId === null || details.facts.provider === null) return { siblings: [], members: 1 };
  const { siblings, members } = await listSiblingTermCases(ctx.db, { caseId: details.id, licenseId: license.id });
  const endAt = (reported: SiblingCase["provider"]) =>
    adoptEnd({ ...license, months: license.cycleMonths }, reported, terms)?.expiresAt.getTime();
  const end = endAt(details.facts.provider);
  return { siblings: siblings.filter((sibling) => endAt(sibling.provider) === end), members };
}

async function sumUnprovided(ctx: ServiceContext, { license, reported, traits }: Difference): Promise<bigint> {
  const until = reportedEnd(reported);
  if (until === null) return 0n;
  return sumUnprovidedCharges(ctx.db, { licenseId: license.id, until, toleranceMs: termToleranceMs[traits.terms] });
}

/** Today's price of a renewal by the current cycle, for a member's whole bundle; null without a price. */
async function findRenewalPrice(
  ctx: ServiceContext,
  resellerId: ResellerId,
  license: LicenseRow,
): Promise<bigint | null> {
  const buyer = onBehalfOf(ctx, resellerId, ["licenses:read", "bundles:read"]);
  const { bundleInstanceId } = license;
  const quotes = await quoteOrNull(
    bundleInstanceId === null
      ? quoteRenewals(buyer, { licenseId: license.id })
      : quoteBundleRenewals(buyer, { bundleInstanceId }),
  );
  return quotes?.find(({ current }) => current)?.price ?? null;
}

/** Share of the cycle's price for the time between the two ends. */
function priceOfTime(cyclePrice: bigint, { license, reported }: Difference): bigint | null {
  const end = reportedEnd(reported);
  if (end === null) return null;
  const cycleMs = addMonths(license.expiresAt, license.cycleMonths).getTime() - license.expiresAt.getTime();
  return roundHalfUp(cyclePrice * BigInt(end.getTime() - license.expiresAt.getTime()), BigInt(cycleMs));
}

/** Price of the provider's number of cores for the remaining time; negative for a credit. */
async function findCorePrice(ctx: ServiceContext, resellerId: ResellerId, { license, reported }: Difference) {
  if (reported.cores === null) return null;
  const buyer = onBehalfOf(ctx, resellerId, ["licenses:read"]);
  return (await quoteOrNull(quoteCoreChange(buyer, { licenseId: license.id, cores: reported.cores })))?.price ?? null;
}

/** Null without a price: the license has ended meanwhile, expired (for cores), or has a retired cycle. */
async function quoteOrNull<Quote>(quote: Promise<Quote>): Promise<Quote | null> {
  try {
    return await quote;
  } catch (error) {
    if (isDomainError(error) && error.code !== "unavailable") return null;
    throw error;
  }
}
