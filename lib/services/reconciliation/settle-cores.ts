import { type CaseDecision, decideCase } from "#lib/db/reconciliation/action.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";
import { changeLicenseCores } from "#lib/services/license/change-core.ts";
import { caseChanged, createOperatingContext, requireUnchanged, runOperations } from "./case-operation.ts";
import type { CaseSituation } from "./read-situation.ts";

/**
 * Adopts the provider's number of cores: charges added cores for the remaining time, credits removed ones.
 * @throws DomainError `conflict`, `insufficient_balance`, `price_changed`
 */
export async function settleCores(
  ctx: ServiceContext,
  situation: CaseSituation,
  decision: CaseDecision,
  action: "charge" | "refund",
): Promise<"adopted" | "refunded" | "open"> {
  requireAdmin(ctx, "cases:decide");
  const { details, difference } = situation;
  const { resellerId } = details;
  if (difference === null || resellerId === null || difference.reported.cores === null) throw caseChanged();
  const { license } = difference;
  await requireUnchanged(ctx, decision, [license]);
  const buyer = { ...createOperatingContext(ctx, resellerId), seenVersion: license.version };
  const { cores } = difference.reported;
  const change = () =>
    changeLicenseCores(buyer, { licenseId: license.id, cores, agreedPrice: -decision.agreedWallet, isAdoption: true });
  const outcome = await runOperations(
    ctx,
    decision,
    { action: `reconciliation.${action}`, resellerId, licenseIds: [license.id] },
    [async () => ({ pending: (await change()).providerStatus === "pending" })],
  );
  if (outcome === "open") return "open";
  await decideCase(ctx.db, action === "charge" ? "charged" : "credited", decision);
  return action === "charge" ? "adopted" : "refunded";
}
