import { getWallet } from "#lib/db/wallet.ts";
import type { LicenseId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";
import { changeAtProvider } from "#lib/services/operation/change-at-provider.ts";
import { type ChangeOutcome, outcomeOf } from "#lib/services/operation/outcome.ts";
import { licenseEvent, planSteps } from "#lib/services/operation/plan.ts";
import { getOwnLicense } from "./get.ts";
import { requireRunning } from "./moves.ts";
import { quoteOwnCoreChange, requireCores } from "./quote-core-change.ts";

export interface CoreChangeResult extends ChangeOutcome {
  readonly licenseId: LicenseId;
  readonly oldCores: number;
  readonly newCores: number;
  /** Minor units; negative for a credit. */
  readonly price: bigint;
  readonly currency: Currency;
  /** Minor units. */
  readonly balanceAfter: bigint;
}

/**
 * Changes a metered license's cores, charged or credited for the time left (decisions 3.6).
 * @throws DomainError `license_not_found`, `not_core_metered`, `state_invalid`, and those of `changeAtProvider`.
 */
export async function changeLicenseCores(
  ctx: ServiceContext,
  input: { readonly licenseId: number; readonly cores: number },
): Promise<CoreChangeResult> {
  const resellerId = requireReseller(ctx, "licenses:write");
  const newCores = input.cores;
  const result = await changeAtProvider(ctx, resellerId, async () => {
    const license = await getOwnLicense(ctx, resellerId, input.licenseId);
    const oldCores = requireCores(license);
    requireRunning(license, ctx.now());
    if (oldCores === newCores) return null;
    const { price, currency } = await quoteOwnCoreChange(ctx, resellerId, license, newCores);
    return {
      kind: "license_change_core",
      price,
      currency,
      licenseId: license.id,
      lockLicenses: [license],
      plan: (operationId) => ({
        provider: license.provider,
        steps: planSteps(operationId, [{ action: "set_cores", subject: { ...license, cores: newCores } }]),
        onSuccess: {
          licenses: [{ key: license.key, cores: newCores }],
          events: [licenseEvent("license.cores_changed", license.key, { old_cores: oldCores, new_cores: newCores })],
        },
        onRejection: { licenses: [], events: [] },
        facts: { oldCores },
      }),
    };
  });
  const identity = { ...outcomeOf(result), licenseId: input.licenseId as LicenseId, newCores };
  if (!result) {
    const { posted, held, currency } = await getWallet(ctx.db, resellerId);
    return { ...identity, oldCores: newCores, price: 0n, currency, balanceAfter: posted - held };
  }
  const { price, currency, plan } = result.operation;
  return { ...identity, oldCores: Number(plan.facts.oldCores), price, currency, balanceAfter: result.balanceAfter };
}
