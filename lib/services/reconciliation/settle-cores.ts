import { auditOpenCase, type CaseDecision, decideCase } from "#lib/db/reconciliation/action.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";
import { changeLicenseCores } from "#lib/services/license/change-core.ts";
import { caseChanged, createOperatingContext, rejectIfChanged, requireUnchanged } from "./case-operation.ts";
import type { CaseSituation } from "./read-situation.ts";

/**
 * Adopts the provider's number of cores: charges added cores for the remaining time, credits removed ones.
 * @param agreedPrice price that the admin saw; negative for a credit
 * @throws DomainError `conflict`, `insufficient_balance`, `price_changed`
 */
export async function settleCores(
  ctx: ServiceContext,
  situation: CaseSituation,
  decision: CaseDecision,
  as: { readonly action: "charge" | "refund"; readonly agreedPrice: bigint },
): Promise<"adopted" | "refunded" | "open"> {
  requireAdmin(ctx, "cases:decide");
  const { details, difference } = situation;
  const { resellerId } = details;
  if (difference === null || resellerId === null || difference.reported.cores === null) throw caseChanged();
  const { license } = difference;
  await requireUnchanged(ctx, decision, [license]);
  const change = changeLicenseCores(
    { ...createOperatingContext(ctx, resellerId), seenVersion: license.version },
    { licenseId: license.id, cores: difference.reported.cores, agreedPrice: as.agreedPrice, isAdoption: true },
  );
  const { providerStatus } = await rejectIfChanged(ctx, decision, [license.id], change);
  if (providerStatus === "pending") {
    await auditOpenCase(ctx.db, { ...decision, resellerId, action: `reconciliation.${as.action}`, state: "unknown" });
    return "open";
  }
  await decideCase(ctx.db, as.action === "charge" ? "charged" : "credited", decision);
  return as.action === "charge" ? "adopted" : "refunded";
}
