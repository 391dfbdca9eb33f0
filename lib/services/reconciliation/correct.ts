import { findProviderCycles } from "#lib/db/catalog/cycle-price.ts";
import { findLicense, type LicenseRow } from "#lib/db/license/license.ts";
import { type CaseDecision, decideCase } from "#lib/db/reconciliation/action.ts";
import { isLiveHere } from "#lib/domain/case-offer.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { endBefore, reportedEnd } from "#lib/domain/reported-term.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";
import { changeAtProvider } from "#lib/services/operation/change-at-provider.ts";
import { type PlannedStep, planSteps } from "#lib/services/operation/plan.ts";
import { caseChanged, createOperatingContext, requireUnchanged, runOperations } from "./case-operation.ts";
import { endAtProvider } from "./end-at-provider.ts";
import type { CaseSituation } from "./read-situation.ts";

/**
 * Makes the provider match what is paid for here, or ends what is not live here. Each request is a free operation, so
 * nothing else changes the license meanwhile. `open`: the outcome is unknown; a comparison closes the case once both sides
 * agree.
 * @throws DomainError `conflict` (also if only some changes were made), `provider_rejected`, `provider_unavailable`
 */
export async function correctProvider(
  ctx: ServiceContext,
  situation: CaseSituation,
  decision: CaseDecision,
): Promise<"corrected" | "open"> {
  requireAdmin(ctx, "cases:decide");
  const { details } = situation;
  if (!isLiveHere(details.facts)) return endAtProvider(ctx, details, decision);
  const { resellerId, licenseId } = details;
  if (resellerId === null || licenseId === null) throw caseChanged();
  const license = await findLicense(ctx.db, resellerId, licenseId);
  if (license === null) throw caseChanged();
  await requireUnchanged(ctx, decision, [license]);
  const steps = await planCorrections(ctx, license, situation);
  const buyer = createOperatingContext(ctx, resellerId);
  const outcome = await runOperations(
    ctx,
    decision,
    { action: "reconciliation.correct", resellerId, licenseIds: [licenseId] },
    steps.map((step, index) => () => {
      const operating = { ...buyer, seenVersion: index === 0 ? license.version : null };
      return sendCorrection(operating, resellerId, license, step);
    }),
  );
  if (outcome === "open") return "open";
  await decideCase(ctx.db, "corrected", decision);
  return "corrected";
}

/** Requests that correct each difference; the term first, as an expired license rejects other changes. */
async function planCorrections(
  ctx: ServiceContext,
  license: LicenseRow,
  { caseContext, difference }: CaseSituation,
): Promise<PlannedStep[]> {
  const { differing } = caseContext.facts;
  const state = license.suspendedAt === null ? "unsuspend" : "suspend";
  const cycles = await findProviderCycles(ctx.db, [license.productId], license.cycleMonths);
  const cycle = cycles.get(license.productId) ?? null;
  if (difference === null || differing.includes("product")) {
    const purchase = { cycle, previousExpiresAt: null };
    const provision: PlannedStep = { action: "provision", subject: license, purchase };
    return license.suspendedAt === null ? [provision] : [provision, { action: state, subject: license }];
  }
  return [
    ...(differing.includes("term") ? planTerm(license, difference, caseContext.term.cycles, cycle) : []),
    ...(differing.includes("address") ? [{ action: "set_address", subject: license } as const] : []),
    ...(differing.includes("cores") ? [{ action: "set_cores", subject: license } as const] : []),
    ...(differing.includes("state") ? [{ action: state, subject: license } as const] : []),
  ];
}

/** Sets our end if the provider accepts ends; otherwise renews once for each missing cycle. */
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
