import { type CaseDecision, decideCase } from "#lib/db/reconciliation/action.ts";
import { insufficientBalance } from "#lib/domain/refused-charge.ts";
import { getOwnBundleInstance } from "#lib/services/bundle/get.ts";
import { renewBundle } from "#lib/services/bundle/renew.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import type { OperationResult } from "#lib/services/operation/change-at-provider.ts";
import { versionOf } from "#lib/services/operation/seen-version.ts";
import { caseChanged, createOperatingContext, requireUnchanged, runOperations } from "./case-operation.ts";
import type { CaseSituation } from "./read-situation.ts";

/**
 * Charges each cycle that the provider is ahead as a renewal already done, for a member's whole bundle. Also closes the
 * cases of the bundle's other members.
 * @throws DomainError `conflict` (also if only some cycles were charged), `insufficient_balance`, `price_changed`, `state_invalid` (address taken meanwhile)
 */
export async function chargeTerm(
  ctx: ServiceContext,
  situation: CaseSituation,
  decision: CaseDecision,
): Promise<"adopted" | "open"> {
  requireAdmin(ctx, "cases:decide");
  const { details, caseContext, difference } = situation;
  const { resellerId, spendable, currency } = details;
  const { renewalPrice } = caseContext;
  const { cycles } = caseContext.term;
  if (difference === null || resellerId === null || renewalPrice === null || !cycles) throw caseChanged();
  if (spendable !== null && currency !== null && spendable < renewalPrice) {
    throw insufficientBalance(renewalPrice, renewalPrice - spendable, currency);
  }
  const buyer = createOperatingContext(ctx, resellerId);
  const { license } = difference;
  const { bundleInstanceId } = license;
  const members =
    bundleInstanceId === null ? [license] : (await getOwnBundleInstance(buyer, resellerId, bundleInstanceId)).members;
  await requireUnchanged(ctx, decision, members);
  const renewal = { agreedPrice: renewalPrice / BigInt(cycles), isAdoption: true } as const;
  const renew = (by: ServiceContext): Promise<OperationResult> =>
    bundleInstanceId === null
      ? renewLicense(by, { licenseId: license.id, ...renewal })
      : renewBundle(by, { bundleInstanceId, ...renewal });

  const outcome = await runOperations(
    ctx,
    decision,
    {
      action: "reconciliation.charge",
      resellerId,
      licenseIds: members.map(({ id }) => id),
      describePart: (done, all) => `Charged only ${done} of ${all} cycles`,
    },
    Array.from(
      { length: cycles },
      (_, cycle) => () => renew({ ...buyer, seenVersion: cycle === 0 ? versionOf(members) : null }),
    ),
  );
  if (outcome === "open") return "open";
  await decideCase(ctx.db, "charged", decision);
  for (const { id, fingerprint } of difference.siblings) {
    await decideCase(ctx.db, "charged", { ...decision, caseId: id, fingerprint });
  }
  return "adopted";
}
