import { findLicense, type LicenseRow } from "#lib/db/license/license.ts";
import { type CaseDetails, listSiblingTermCases, type SiblingCase } from "#lib/db/reconciliation/details.ts";
import { sumUnprovidedCharges } from "#lib/db/reconciliation/value.ts";
import type { CaseContext } from "#lib/domain/case-offer.ts";
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

/** A license that both sides hold, and how they differ. */
export interface Difference {
  readonly license: LicenseRow;
  readonly reported: NonNullable<CaseDetails["facts"]["provider"]>;
  readonly traits: ProviderTraits;
  /** Open cases of the bundle's other members whose term ends at the provider where this one's does. */
  readonly siblings: readonly SiblingCase[];
}

export interface CaseSituation {
  readonly circumstances: CaseContext;
  /** Null for a case about anything else. */
  readonly difference: Difference | null;
}

/** What decides which actions a case offers and what they move. */
export async function readSituation(ctx: ServiceContext, details: CaseDetails): Promise<CaseSituation> {
  requireAdmin(ctx);
  const traits = (await ctx.providers.get(details.provider))?.traits ?? null;
  const known: CaseContext = {
    kind: details.kind,
    resolved: details.resolvedAt !== null,
    inBundle: details.bundleInstanceId !== null,
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
    return { circumstances: known, difference: null };
  const license = resellerId && licenseId ? await findLicense(ctx.db, resellerId, licenseId) : null;
  if (license === null || resellerId === null) return { circumstances: known, difference: null };
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
  return { circumstances: { ...known, term, unprovided, renewalPrice, corePrice, unpaid }, difference };
}

/** Of the term as it was compared: what has changed since then is found out by the action. */
function readTerm(ours: CaseDetails["facts"]["ours"], { license, reported, traits }: Difference) {
  const basis = traits.terms;
  const term = { anchoredAt: license.anchoredAt, expiresAt: ours ? new Date(ours.expires_at) : license.expiresAt };
  return {
    end: compareEnd(term.expiresAt, reported, basis),
    cycles: cyclesBetween(term, { reported, months: license.cycleMonths, basis }),
  };
}

/** The bundle's other members whose adopted term would be the same. */
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

/** What a renewal by the present cycle costs today, for the whole bundle of a member; null where it has no price. */
async function findRenewalPrice(
  ctx: ServiceContext,
  resellerId: ResellerId,
  license: LicenseRow,
): Promise<bigint | null> {
  const buyer = onBehalfOf(ctx, resellerId, ["licenses:read", "bundles:read"]);
  const { bundleInstanceId } = license;
  const quotes = await unlessRefused(
    bundleInstanceId === null
      ? quoteRenewals(buyer, { licenseId: license.id })
      : quoteBundleRenewals(buyer, { bundleInstanceId }),
  );
  return quotes?.find(({ current }) => current)?.price ?? null;
}

/** The share of a cycle's price that the time between the two ends has in the cycle. */
function priceOfTime(cyclePrice: bigint, { license, reported }: Difference): bigint | null {
  const end = reportedEnd(reported);
  if (end === null) return null;
  const cycleMs = addMonths(license.expiresAt, license.cycleMonths).getTime() - license.expiresAt.getTime();
  return roundHalfUp(cyclePrice * BigInt(end.getTime() - license.expiresAt.getTime()), BigInt(cycleMs));
}

/** What the provider's number of cores costs for the time left; negative for what it credits. */
async function findCorePrice(ctx: ServiceContext, resellerId: ResellerId, { license, reported }: Difference) {
  if (reported.cores === null) return null;
  const buyer = onBehalfOf(ctx, resellerId, ["licenses:read"]);
  return (await unlessRefused(quoteCoreChange(buyer, { licenseId: license.id, cores: reported.cores })))?.price ?? null;
}

/** Null for what has no price: a license that has ended since it was compared, an expired one's cores, a retired cycle. */
async function unlessRefused<Quote>(quote: Promise<Quote>): Promise<Quote | null> {
  try {
    return await quote;
  } catch (error) {
    if (isDomainError(error) && error.code !== "unavailable") return null;
    throw error;
  }
}
