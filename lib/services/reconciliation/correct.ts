import { findProviderCycles } from "#lib/db/catalog/offer.ts";
import { findLicense, type LicenseRow } from "#lib/db/license/license.ts";
import { type CaseDecision, decideCase } from "#lib/db/reconciliation/action.ts";
import type { CaseDetails } from "#lib/db/reconciliation/details.ts";
import { isLiveHere } from "#lib/domain/case-offer.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { endBefore, reportedEnd } from "#lib/domain/reported-term.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";
import { changeAtProvider } from "#lib/services/operation/change-at-provider.ts";
import { type PlannedStep, planSteps } from "#lib/services/operation/plan.ts";
import { auditOpenCase } from "./audit-open.ts";
import type { CaseSituation } from "./circumstances.ts";
import { endAtProvider } from "./end-at-provider.ts";
import { caseChanged, operatingContext, requireUnchanged, unlessChanged } from "./operate.ts";

/**
 * Brings the provider to what is paid for here, or to the end of what does not live here. Each request is an operation of
 * its own, free for the reseller, so nothing else happens to the license meanwhile. `open`: the outcome is not known yet,
 * and a comparison closes the case once both sides agree.
 * @throws DomainError `conflict`, `provider_rejected`, `provider_unavailable`
 */
export async function correctProvider(
  ctx: ServiceContext,
  { details, situation }: { readonly details: CaseDetails; readonly situation: CaseSituation },
  decision: CaseDecision,
): Promise<"corrected" | "open"> {
  requireAdmin(ctx);
  if (!isLiveHere(details.facts)) return endAtProvider(ctx, details, decision);
  const { resellerId, licenseId } = details;
  if (resellerId === null || licenseId === null) throw caseChanged();
  const license = await findLicense(ctx.db, resellerId, licenseId);
  if (license === null) throw caseChanged();
  await requireUnchanged(ctx, decision, [license]);
  for (const step of await planCorrections(ctx, license, situation)) {
    const sent = sendCorrection(operatingContext(ctx, resellerId), resellerId, license, step);
    if ((await unlessChanged(ctx, decision, [licenseId], sent)).pending) {
      await auditOpenCase(ctx, details, decision, "reconciliation.correct", "unknown");
      return "open";
    }
  }
  await decideCase(ctx.db, "corrected", decision);
  return "corrected";
}

/** What differs and how the provider is asked to change it; the term first, as an expired license changes nothing else. */
async function planCorrections(
  ctx: ServiceContext,
  license: LicenseRow,
  { circumstances, difference }: CaseSituation,
): Promise<PlannedStep[]> {
  const { differing } = circumstances.facts;
  const state = license.suspendedAt === null ? "unsuspend" : "suspend";
  const cycles = await findProviderCycles(ctx.db, [license.productId], license.cycleMonths);
  const cycle = cycles.get(license.productId) ?? null;
  if (difference === null || differing.includes("product")) {
    const purchase = { cycle, previousExpiresAt: null };
    const provision: PlannedStep = { action: "provision", subject: license, purchase };
    return license.suspendedAt === null ? [provision] : [provision, { action: state, subject: license }];
  }
  return [
    ...(differing.includes("term") ? planTerm(license, difference, circumstances.term.cycles, cycle) : []),
    ...(differing.includes("address") ? [{ action: "set_address", subject: license } as const] : []),
    ...(differing.includes("cores") ? [{ action: "set_cores", subject: license } as const] : []),
    ...(differing.includes("state") ? [{ action: state, subject: license } as const] : []),
  ];
}

/** Our end where the provider takes it as asked; otherwise one renewal for each cycle that is missing there. */
function planTerm(
  license: LicenseRow,
  { reported, traits }: NonNullable<CaseSituation["difference"]>,
  missing: number | null,
  cycle: string | null,
): PlannedStep[] {
  if (traits.terms === "asked") {
    return [
      { action: "set_term", subject: license, purchase: { cycle: null, previousExpiresAt: reportedEnd(reported) } },
    ];
  }
  const { cycleMonths } = license;
  return Array.from({ length: missing ?? 0 }, (_, index) => (missing ?? 0) - index).map((left) => ({
    action: "set_term",
    subject: { ...license, expiresAt: endBefore(license, (left - 1) * cycleMonths) },
    purchase: { cycle, previousExpiresAt: endBefore(license, left * cycleMonths) },
  }));
}

async function sendCorrection(
  ctx: ServiceContext,
  resellerId: ResellerId,
  { id, key, provider }: LicenseRow,
  step: PlannedStep,
) {
  return changeAtProvider(ctx, resellerId, async () => {
    const current = await findLicense(ctx.db, resellerId, id);
    if (current === null) throw caseChanged();
    return {
      kind: "license_correct",
      licenseId: id,
      lockLicenses: [current],
      plan: (operationId) => ({
        provider,
        steps: planSteps(operationId, [step]),
        onSuccess: { licenses: [{ key }], events: [] },
        onRejection: { licenses: [], events: [] },
        facts: {},
      }),
    };
  });
}
